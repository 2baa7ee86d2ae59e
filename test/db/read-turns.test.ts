import { beforeEach, describe, expect, it } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ReadTurns } from '../../src/platform/db/read-turns.js'
import { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import { openLongReads, readLimits } from '../../src/platform/fairness/shares.js'
import type { Share } from '../../src/platform/fairness/share.js'
import { WritingAccounts } from '../../src/platform/fairness/writing-accounts.js'
import { Metrics } from '../../src/platform/metrics.js'
import { PATIENCE_MS } from '../support/until.js'

const CONNECTIONS = 8
/** Longer than a read that counts as short. */
const LONG_MS = 80
const SHARE: Share = ['one', 'one', 'user:one']
const OTHER: Share = ['other', 'other', 'user:other']

let writing: WritingAccounts
let all: FairQueue
let long: FairQueue
let turns: ReadTurns
/** Time for which the process had nothing to do: only here it passes. */
let idleMs: number
let running: number
/** The most that ran at once. */
let most: number

beforeEach(() => {
  // Who has written counts as writing until the end of the test.
  writing = new WritingAccounts(PATIENCE_MS)
  idleMs = 0
  all = new FairQueue({ name: 'reads', limits: readLimits(CONNECTIONS) })
  long = openLongReads(CONNECTIONS, new Metrics(), writing)
  turns = new ReadTurns(all, long, () => idleMs)
  running = 0
  most = 0
})

async function search(): Promise<void> {
  running += 1
  most = Math.max(most, running)
  // All that may run at once have begun by then.
  await nextTurn()
  idleMs += LONG_MS
  running -= 1
}

const searches = (count: number): Promise<void[]> =>
  Promise.all(Array.from({ length: count }, () => turns.runShaped(SHARE, 'search', search)))

describe('reads that take long', () => {
  it('run one at a time while another tenant writes, also those that waited before that was known', async () => {
    writing.note(OTHER)
    await searches(4)
    expect(most).toBe(3)
    most = 0
    await searches(4)
    expect(most).toBe(1)
  })

  it('run at once as before while no other tenant writes', async () => {
    writing.note(SHARE)
    await searches(6)
    most = 0
    await searches(6)
    expect(most).toBe(3)
  })

  it.each<[string, Share]>([
    ['customer', ['one', 'another', 'user:other']],
    ['colleague', ['one', 'one', 'user:colleague']],
  ])('run one at a time while another %s writes', async (_, writer) => {
    writing.note(writer)
    writing.note(SHARE)
    await searches(4)
    most = 0
    await searches(4)
    expect(most).toBe(1)
  })

  it('do not delay reads of ours, nor those that were short, nor colleagues', async () => {
    writing.note(OTHER)
    await turns.runShaped(SHARE, 'a page', async () => undefined)
    await searches(1)
    const done: string[] = []
    const slow = searches(3).then(() => done.push('searches'))
    await Promise.all([
      turns.run(SHARE, async () => done.push('ours')),
      turns.runShaped(SHARE, 'a page', async () => done.push('short before')),
      turns.runShaped(['one', 'one', 'user:two'], 'search', async () => done.push('colleague')),
    ])
    await slow
    expect(done).toEqual(['ours', 'short before', 'colleague', 'searches'])
  })

  it('include what the caller reads in other words meanwhile', async () => {
    writing.note(OTHER)
    await searches(1)
    await Promise.all(['one', 'two', 'three'].map((text) => turns.runShaped(SHARE, text, search)))
    expect(most).toBe(1)
  })

  it('are no longer told apart once they are fast again', async () => {
    writing.note(OTHER)
    await searches(1)
    await turns.runShaped(SHARE, 'search', async () => undefined)
    await searches(3)
    expect(most).toBe(3)
  })

  it('are not those for which a busy process had no time', async () => {
    writing.note(OTHER)
    const own = new ReadTurns(all, long)
    const busy = async (): Promise<void> => {
      const end = performance.now() + LONG_MS
      while (performance.now() < end);
    }
    await own.runShaped(SHARE, 'search', busy)
    await Promise.all(Array.from({ length: 3 }, () => own.runShaped(SHARE, 'search', search)))
    expect(most).toBe(3)
  })

  it('are all served when many of several tenants come', async () => {
    writing.note(OTHER)
    await searches(1)
    let served = 0
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        turns.runShaped([index % 2 ? 'one' : 'two', 'customer', 'user:one'], 'search', async () => {
          await nextTurn()
          served += 1
        }),
      ),
    )
    expect(served).toBe(12)
  })
})
