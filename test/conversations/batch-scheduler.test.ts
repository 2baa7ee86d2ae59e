import { beforeEach, describe, expect, it } from '@jest/globals'
import type { BatchOptions } from '../../src/modules/conversations/writer/batch-pipeline.js'
import { BatchScheduler } from '../../src/modules/conversations/writer/batch-scheduler.js'
import { guestShare, shareOf, systemShare, type Share } from '../../src/platform/fairness/share.js'
import { WritingAccounts } from '../../src/platform/fairness/writing-accounts.js'
import { PATIENCE_MS } from '../support/until.js'
import { WriteQueue, type QueuedWrite } from '../../src/modules/conversations/writer/write-queue.js'

let queue: WriteQueue<QueuedWrite>
/** The writes of each transaction that has begun. */
let batches: QueuedWrite[][]
/** Ends the earliest transaction that is under way. */
let commits: (() => void)[]
let scheduler: BatchScheduler<QueuedWrite>
let writing: WritingAccounts
let made = 0

const BOT = shareOf(['center', 'customer'], 'bot')
const COLLEAGUE = shareOf(['center', 'customer'], 'agent')
const OTHER_CUSTOMER = shareOf(['center', 'other'], 'agent')
const OTHER_CENTER = shareOf(['center 2'], 'agent')

beforeEach(() => {
  queue = new WriteQueue()
  batches = []
  commits = []
  // Longer than any test takes: who has written counts as writing until its end.
  writing = new WritingAccounts(PATIENCE_MS)
  const options: BatchOptions<QueuedWrite> = {
    queue,
    onFree: () => scheduler.pump(),
    run: (batch, onDecided) => {
      batches.push(batch)
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

function add(share: Share, count: number, cost = 1): void {
  for (let added = 0; added < count; added++) {
    queue.add({ ids: [`${made++}`], share, bytes: 1, cost, bulkhead: 'shared', since: 0 })
    writing.note(share)
  }
}

/** Lets everything be committed that has come. */
async function finish(): Promise<void> {
  while (commits.length > 0 || queue.size > 0) {
    commits.shift()?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
}

const costOf = (batch: readonly QueuedWrite[]): number => batch.reduce((sum, { cost }) => sum + cost, 0)
const has = (share: Share) => (batch: readonly QueuedWrite[]) => batch.some((write) => write.share === share)

describe('writes of several accounts', () => {
  it('share transactions while none writes more than its share', async () => {
    add(BOT, 6)
    for (const share of [COLLEAGUE, OTHER_CUSTOMER, OTHER_CENTER]) add(share, 2)
    scheduler.pump()
    for (const share of [BOT, COLLEAGUE, OTHER_CUSTOMER, OTHER_CENTER]) expect(has(share)(batches[0]!)).toBe(true)
    await finish()
  })

  it.each([
    ['a colleague', COLLEAGUE],
    ['another customer', OTHER_CUSTOMER],
    ['another contact center', OTHER_CENTER],
  ])('have bounded transactions apart from %s for a caller with many of them', async (_, quiet) => {
    add(BOT, 200)
    add(quiet, 4)
    scheduler.pump()
    await finish()
    const [greedy, others] = [batches.filter(has(BOT)), batches.filter(has(quiet))]
    // The last ones are no more than its share.
    expect(greedy.slice(0, -2).filter(has(quiet))).toEqual([])
    expect(Math.max(...greedy.map(costOf))).toBeLessThanOrEqual(64)
    expect(greedy.slice(0, 3).map(costOf)).toEqual([48, 48, 48])
    expect(batches[0]).toBe(others[0])
    expect(others[0]).toHaveLength(4)
  })

  it('are apart by what they cost, not by their number', async () => {
    add(BOT, 3, 9)
    add(COLLEAGUE, 4)
    scheduler.pump()
    expect(batches.map((batch) => [...new Set(batch.map(({ share }) => share))])).toEqual([[COLLEAGUE], [BOT]])
    await finish()
  })

  it("keep a quiet customer's callers apart from one of them that is busy, and from another busy customer", async () => {
    add(BOT, 200)
    add(COLLEAGUE, 2)
    const crowd = Array.from({ length: 30 }, (_, index) => shareOf(['center', 'crowd'], `agent ${index}`))
    for (const share of crowd) add(share, 1)
    scheduler.pump()
    expect(batches[0]!.map(({ share }) => share)).toEqual([COLLEAGUE, COLLEAGUE])
    await finish()
  })

  it('keep agents apart from a crowd of guests of the same customer', async () => {
    for (let index = 0; index < 60; index++) add(guestShare(['center', 'customer'], `guest ${index}`), 1)
    add(COLLEAGUE, 1)
    scheduler.pump()
    expect(batches[0]!.map(({ share }) => share)).toEqual([COLLEAGUE])
    expect(batches[1]).toHaveLength(48)
    await finish()
  })

  it('of the system make nobody busy, and are apart only when there are very many', async () => {
    const jobs = systemShare(['center', 'customer'], 'matcher')
    add(BOT, 40)
    add(jobs, 40)
    scheduler.pump()
    expect(has(BOT)(batches[0]!) && has(jobs)(batches[0]!)).toBe(true)
    await finish()
    batches = []
    add(jobs, 200)
    add(COLLEAGUE, 1)
    scheduler.pump()
    expect(batches[0]!.map(({ share }) => share)).toEqual([COLLEAGUE])
    await finish()
  })

  it('have large batches for one that writes alone, two at a time', async () => {
    add(BOT, 200)
    scheduler.pump()
    expect(batches.map(({ length }) => length)).toEqual([64, 64])
    await finish()
  })

  it('of several that are busy run one after the other, each by itself, in equal parts of the cost', async () => {
    const [cheap, dear] = [shareOf(['center', 'cheap'], 'bot'), shareOf(['center', 'dear'], 'bot')]
    add(cheap, 400)
    add(dear, 100, 8)
    add(OTHER_CENTER, 1)
    scheduler.pump()
    await finish()
    const apart = batches.filter((batch) => has(cheap)(batch) || has(dear)(batch))
    for (const batch of apart.slice(0, 12)) expect(has(cheap)(batch) && has(dear)(batch)).toBe(false)
    const first = apart.slice(0, 12).flat()
    const [ofCheap, ofDear] = [cheap, dear].map((share) => costOf(first.filter((write) => write.share === share)))
    expect(Math.abs(ofCheap! - ofDear!)).toBeLessThanOrEqual(2 * 48)
  })

  it('that cost more than a batch run alone, and others pass by in their own lane', async () => {
    add(BOT, 3, 85)
    add(COLLEAGUE, 3)
    scheduler.pump()
    expect(batches.map(costOf)).toEqual([3, 85])
    await finish()
    expect(batches.map(costOf)).toEqual([3, 85, 85, 85])
  })
})
