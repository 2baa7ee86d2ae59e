import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { settleOlderWrites } from '../../src/conversations/clocks/settle-older-writes.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

interface Row {
  id: string
  urgency: number
  riskAt: Date | null
}
const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query<T>(text, values)
const rows = (): Promise<Row[]> => sql('select id, urgency, risk_at as "riskAt" from conversation order by id')
const settle = (): Promise<void> => fixture.server.database.sqlTransaction((tx) => settleOlderWrites(tx))

it('derives urgency and risk as writes do, where a node of an older release left them', async () => {
  await fixture.run(
    fixture.admin,
    'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }',
    {
      input: {
        name: 'Standard',
        targets: [
          { clock: 'QUEUE', minutes: 10, warnMinutes: 5 },
          { clock: 'RESOLUTION', minutes: 90 },
        ],
      },
    },
  )
  const wait = async (): Promise<string> =>
    (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id
  const [late, answered, closed, fresh] = [await wait(), await wait(), await wait(), await wait()]
  await fixture.command(fixture.ann, answered, '/accept')
  await fixture.send(fixture.ann, answered, { role: 'AGENT', text: 'Hi' })
  await fixture.command(fixture.ann, closed, '/accept')
  await fixture.send(fixture.ann, closed, { role: 'AGENT', text: 'Bye' })
  await fixture.command(fixture.ann, closed, '/leave')
  await sql(`update conversation set needs = '{"urgency": 3}' where id = $1`, [late])
  fixture.clock.advance(15 * 60_000)
  await fixture.send(fixture.bot, late, { role: 'CONTACT', text: 'Anybody?' })
  // What is due is told, by jobs.
  const due = () => sql(`select 1 from job where kind = 'clock.due' and run_at <= $1`, [fixture.clock.now()])
  await until(due, ({ length }) => length === 0, 30_000)
  const written = await rows()
  const of = (id: string): Row => written.find((row) => row.id === id)!
  expect([of(late).urgency, of(fresh).riskAt === null, of(answered).riskAt, of(closed).riskAt]).toEqual([
    5,
    false,
    null,
    null,
  ])
  await settle()
  expect(await rows()).toEqual(written)
  await sql(`update conversation set risk_at = now(), urgency = 0`)
  await sql(`update conversation set risk_at = null where id = $1`, [fresh])
  await settle()
  expect(await rows()).toEqual(written)
})
