import { beforeEach, describe, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadTurns } from '../../src/db/read-turns.js'
import { FairQueue } from '../../src/fairness/fair-queue.js'
import { openLongReads, readLimits } from '../../src/fairness/shares.js'
import { WritingTenants } from '../../src/fairness/writing-tenants.js'
import { Metrics } from '../../src/metrics.js'

const CONNECTIONS = 8
const LONG_MS = 80
const SHARE = { tenant: 'one', caller: 'user:one' }

let writing: WritingTenants
let turns: ReadTurns
let running: number
/** The most that ran at once. */
let most: number

beforeEach(() => {
  writing = new WritingTenants()
  const all = new FairQueue({ name: 'reads', limits: readLimits(CONNECTIONS) })
  turns = new ReadTurns(all, openLongReads(CONNECTIONS, new Metrics(), writing))
  running = 0
  most = 0
})

async function search(): Promise<void> {
  running += 1
  most = Math.max(most, running)
  await sleep(LONG_MS)
  running -= 1
}

const searches = (count: number): Promise<void[]> =>
  Promise.all(Array.from({ length: count }, () => turns.runShaped(SHARE, 'search', search)))

describe('reads that take long', () => {
  it('run one at a time while another tenant writes, also those that waited before that was known', async () => {
    writing.wrote('other')
    await searches(4)
    expect(most).toBe(3)
    most = 0
    await searches(4)
    expect(most).toBe(1)
  })

  it('run at once as before while no other tenant writes', async () => {
    writing.wrote(SHARE.tenant)
    await searches(6)
    most = 0
    await searches(6)
    expect(most).toBe(3)
  })

  it('do not delay reads of ours, nor those that were short, nor colleagues', async () => {
    writing.wrote('other')
    await turns.runShaped(SHARE, 'a page', async () => undefined)
    await searches(1)
    const done: string[] = []
    const slow = searches(3).then(() => done.push('searches'))
    await Promise.all([
      turns.run(SHARE, async () => done.push('ours')),
      turns.runShaped(SHARE, 'a page', async () => done.push('short before')),
      turns.runShaped({ ...SHARE, caller: 'user:two' }, 'search', async () => done.push('colleague')),
    ])
    await slow
    expect(done).toEqual(['ours', 'short before', 'colleague', 'searches'])
  })

  it('include what the caller reads in other words meanwhile', async () => {
    writing.wrote('other')
    await searches(1)
    await Promise.all(['one', 'two', 'three'].map((text) => turns.runShaped(SHARE, text, search)))
    expect(most).toBe(1)
  })

  it('are no longer told apart once they are fast again', async () => {
    writing.wrote('other')
    await searches(1)
    await turns.runShaped(SHARE, 'search', async () => undefined)
    await searches(3)
    expect(most).toBe(3)
  })

  it('are not those for which a busy process had no time', async () => {
    writing.wrote('other')
    const busy = async (): Promise<void> => {
      const end = performance.now() + LONG_MS
      while (performance.now() < end);
    }
    await turns.runShaped(SHARE, 'search', busy)
    await searches(3)
    expect(most).toBe(3)
  })

  it('are all served when many of several tenants come', async () => {
    writing.wrote('other')
    await searches(1)
    let served = 0
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        turns.runShaped({ tenant: index % 2 ? 'one' : 'two', caller: 'user:one' }, 'search', async () => {
          await sleep(5)
          served += 1
        }),
      ),
    )
    expect(served).toBe(12)
  })
})
