import { beforeEach, describe, expect, it } from '@jest/globals'
import type { BatchOptions } from '../../src/conversations/writing/batch-pipeline.js'
import { BatchScheduler } from '../../src/conversations/writing/batch-scheduler.js'
import { WritingTenants } from '../../src/fairness/writing-tenants.js'
import { WriteQueue, type QueuedWrite } from '../../src/conversations/writing/write-queue.js'

let queue: WriteQueue<QueuedWrite>
/** The tenants of each transaction that has begun. */
let batches: string[][]
/** Ends the earliest transaction that is under way. */
let commits: (() => void)[]
let scheduler: BatchScheduler<QueuedWrite>
let writing: WritingTenants
let made = 0

beforeEach(() => {
  queue = new WriteQueue()
  batches = []
  commits = []
  writing = new WritingTenants()
  const options: BatchOptions<QueuedWrite> = {
    queue,
    onFree: () => scheduler.pump(),
    run: (batch, onDecided) => {
      batches.push(batch.map(({ tenant }) => tenant))
      onDecided()
      return new Promise((resolve) => {
        commits.push(() => {
          for (const write of batch) queue.end(write)
          resolve()
        })
      })
    },
  }
  scheduler = new BatchScheduler(options, writing)
})

function add(tenant: string, count: number): void {
  for (let added = 0; added < count; added++) {
    queue.add({ ids: [`${made++}`], tenant, caller: 'one', bytes: 1, cost: 1, bulkhead: 'shared', since: 0 })
    writing.wrote(tenant)
  }
}

/** Lets everything be committed that has come. */
async function finish(): Promise<void> {
  while (commits.length > 0 || queue.size > 0) {
    commits.shift()?.()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('writes of several tenants', () => {
  it('share transactions while none writes more than its share', async () => {
    add('many', 6)
    add('few', 2)
    scheduler.pump()
    expect(batches[0]).toEqual(expect.arrayContaining(['many', 'few']))
    await finish()
  })

  it('have separate, small transactions for a tenant that writes more than its share', async () => {
    add('many', 200)
    add('few', 4)
    scheduler.pump()
    await finish()
    const [theirs, others] = [
      batches.filter((batch) => batch.includes('many')),
      batches.filter((batch) => batch.includes('few')),
    ]
    // The last ones are no more than its share.
    const mixed = theirs.slice(0, -2).filter((batch) => batch.includes('few'))
    expect(mixed).toEqual([])
    expect(Math.max(...theirs.map(({ length }) => length))).toBeLessThanOrEqual(16)
    // They do not wait for more than a transaction or two of the other.
    expect(batches.slice(0, 4)).toEqual(expect.arrayContaining([others[0]]))
  })

  it('have large batches for a tenant that writes alone', async () => {
    add('many', 200)
    scheduler.pump()
    expect(batches[0]!.length).toBe(64)
    await finish()
  })

  it('of several tenants that write more than their share fill transactions together', async () => {
    add('many', 200)
    add('more', 200)
    add('most', 200)
    add('few', 1)
    scheduler.pump()
    expect(batches[0]).toEqual(['few'])
    expect(batches[1]).toHaveLength(48)
    await finish()
  })

  it('are separate for a tenant whose operations were expensive, even if there are few', async () => {
    add('many', 1)
    add('few', 1)
    scheduler.decided('many', 20)
    scheduler.pump()
    expect(batches).toEqual([['few'], ['many']])
    await finish()
  })
})
