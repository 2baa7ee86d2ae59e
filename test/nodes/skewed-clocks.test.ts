import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { skewedClock } from '../../bench/chaos/skewed-clock.js'
import { openSmsWorld, type SmsServer, type SmsWorld } from '../touchpoints/sms-servers.js'
import { until } from '../support/until.js'

/** Three nodes of one database, of which one has a right clock, one is 20 s ahead and one 300 ms behind. */
let world: SmsWorld
let right: SmsServer
let ahead: SmsServer
let behind: SmsServer
beforeAll(async () => {
  world = await openSmsWorld()
  right = await world.start()
  ahead = await world.start(skewedClock(20_000))
  behind = await world.start(skewedClock(-300))
})
afterAll(() => world.close())

const settled = (id: string, count: number) =>
  until(async () => {
    const now = await right.deliveriesOf(id)
    return now.length === count && now.every(({ status }) => !['QUEUED', 'SENDING'].includes(status)) && now
  })

describe('nodes whose clocks differ', () => {
  it("do not steal each other's leases: a slow send to a provider happens once, with a known outcome", async () => {
    const ids = await Promise.all([1, 2, 3].map((nth) => right.open(`+3161234520${nth}`)))
    // Each of the others looks for work several times meanwhile.
    world.provider.delayMs = 2_000
    try {
      await Promise.all(ids.map((id, nth) => [right, ahead, behind][nth]!.say(id, `slow ${nth}`)))
      for (const id of ids) expect(await settled(id, 1)).toMatchObject([{ status: 'SENT', attempts: 1 }])
      expect(world.texts.toSorted()).toEqual(['slow 0', 'slow 1', 'slow 2'])
    } finally {
      world.provider.delayMs = 0
    }
  })

  it('wait for delayed work for the correct time, whichever node set it', async () => {
    // By its own clock, the one that is ahead would have it 20 s too late or too early.
    const given = [
      ['soon', 2_000],
      ['later', 7_000],
      ['last', 12_000],
    ] as const
    const nodes = [right, ahead, behind]
    const said = given.flatMap(([text, delay]) => nodes.map((node) => ({ node, text, delay })))
    const ids: string[] = []
    for (const nth of said.keys()) ids.push(await right.open(`+31612346${String(nth).padStart(3, '0')}`))
    // At once: the time that saying it takes is none between them.
    await Promise.all(said.map(({ node, text, delay }, nth) => node.say(ids[nth]!, text, { delay })))
    for (const id of ids) await settled(id, 1)
    const order = world.texts.filter((text) => given.some(([name]) => name === text))
    expect(order).toEqual(given.flatMap(([text]) => [text, text, text]))
  })

  it('deliver messages to a consumer in the order in which they were accepted', async () => {
    const id = await right.open('+31612345400')
    const texts = Array.from({ length: 24 }, (_each, nth) => `told ${nth}`)
    // A provider that is slow at first, so that all wait for each other.
    world.provider.delayMs = 300
    for (const [nth, text] of texts.entries()) await [right, behind, ahead][nth % 3]!.say(id, text)
    world.provider.delayMs = 0
    await settled(id, texts.length)
    expect(world.texts.filter((text) => text.startsWith('told'))).toEqual(texts)
  })

  it('report it: a metric of each node has its skew', async () => {
    // What a node measures contains half of the time of its question to PostgreSQL: it asks again and again.
    for (const [node, seconds] of [
      [right, 0],
      [ahead, 20],
      [behind, -0.3],
    ] as const) {
      const isClose = (skew: number): boolean => Math.abs(skew - seconds) < 0.25
      expect(await until(() => node.metric('switchboard_clock_skew_seconds'), isClose)).toBeCloseTo(seconds, 0)
    }
  })
})
