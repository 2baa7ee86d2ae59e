import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { connectAndCut, GAUGES, settle } from '../../bench/leaks.js'
import { readGauge } from '../../bench/stalled.js'
import { startDesk, type Desk } from '../conversations/desk.js'

const CONNECTS = 120

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => desk.close())

/** `bench -- --only leaks` does it 20,000 times and looks at the heap. */
test(`${CONNECTS} sockets with ten silent subscriptions each leave nothing when they are cut`, async () => {
  const conversations = await Promise.all(Array.from({ length: 20 }, async () => (await desk.create()).id))
  const tokens = await Promise.all([desk.ann, desk.ben].map((agent) => desk.tokenFor(agent)))
  const turns = Array.from({ length: CONNECTS }, (_each, turn) => turn).values()
  const work = async (): Promise<void> => {
    for (const turn of turns) await connectAndCut(desk.url, tokens, conversations, turn)
  }
  await Promise.all(Array.from({ length: 12 }, work))
  await settle(desk.url)
  expect(await Promise.all(GAUGES.map((name) => readGauge(desk.url, `switchboard_${name}`)))).toEqual([0, 0, 0, 0])
  const rows = await desk.server.database.query(
    'select subscription_id from queue_subscriber union all select subscription_id from conversation_viewer',
  )
  expect(rows).toEqual([])
}, 120_000)
