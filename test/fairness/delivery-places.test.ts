import { beforeEach, describe, expect, it } from '@jest/globals'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FairQueue } from '../../src/platform/fairness/fair-queue.js'
import { LeftPlace } from '../../src/platform/fairness/left-place.js'
import { systemShare, type Share } from '../../src/platform/fairness/share.js'
import { openDeliveryPlaces } from '../../src/platform/fairness/shares.js'
import { WritingAccounts } from '../../src/platform/fairness/writing-accounts.js'
import { Metrics } from '../../src/platform/metrics.js'
import { PATIENCE_MS } from '../support/until.js'

const CONNECTIONS = 8
const DELIVERIES = systemShare(['one', 'one'], 'webhooks')
const COLLEAGUE: Share = ['one', 'one', 'user:colleague']
const OTHER: Share = ['other', 'other', 'user:other']

let writing: WritingAccounts
let places: FairQueue
let running: number
/** The most that ran at once. */
let most: number

beforeEach(() => {
  // Who has written counts as writing until the end of the test.
  writing = new WritingAccounts(PATIENCE_MS)
  places = openDeliveryPlaces(CONNECTIONS, new Metrics(), writing)
  running = 0
  most = 0
})

async function record(): Promise<void> {
  running += 1
  most = Math.max(most, running)
  // All that may run at once have begun by then.
  await nextTurn()
  running -= 1
}

const deliveries = (count: number): Promise<void[]> =>
  Promise.all(Array.from({ length: count }, () => places.run(DELIVERIES, record)))

describe('deliveries that read and record', () => {
  it('leave two connections to others while nobody writes', async () => {
    await deliveries(20)
    expect(most).toBe(CONNECTIONS - 2)
  })

  it.each<[string, Share]>([
    ['another contact center', OTHER],
    ['an agent of the same customer', COLLEAGUE],
  ])('take a quarter of the connections while %s writes', async (_, writer) => {
    writing.note(writer)
    // Their own messages, which answers of bots are.
    writing.note(DELIVERIES)
    await deliveries(20)
    expect(most).toBe(CONNECTIONS / 4)
  })

  it.each<[string, Share, number]>([
    ['rest before more of theirs begins, when another customer writes', OTHER, CONNECTIONS / 4],
    ['go on at once, when only a colleague writes', COLLEAGUE, CONNECTIONS / 4 + 1],
  ])('%s', async (_, writer, most) => {
    writing.note(writer)
    let begun = 0
    const work = async (): Promise<void> => {
      begun += 1
      await sleep(20)
    }
    const all = Array.from({ length: CONNECTIONS / 4 + 1 }, () => places.run(DELIVERIES, work))
    await all[0]
    // Before any pause ends.
    await nextTurn()
    expect(begun).toBe(most)
    await Promise.all(all)
  })

  it('leave their places to others while they rest', async () => {
    writing.note(OTHER)
    const all = Array.from({ length: CONNECTIONS }, () => places.run(DELIVERIES, () => sleep(20)))
    await Promise.all(all.slice(0, CONNECTIONS / 4))
    expect(places.running).toBe(0)
    const [left] = await Promise.all([
      places.run(systemShare(['other', 'other'], 'webhooks'), () => places.waiting),
      ...all,
    ])
    expect(left).toBeGreaterThan(0)
  })

  it('hold none while they wait for a receiver', async () => {
    writing.note(COLLEAGUE)
    const answered = Promise.withResolvers<void>()
    const waiting = Array.from({ length: 20 }, () => {
      const place = new LeftPlace(places, DELIVERIES)
      return place.run(() => place.outside(() => answered.promise))
    })
    await deliveries(20)
    expect(places.running).toBe(0)
    answered.resolve()
    await Promise.all(waiting)
  })
})
