import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startOffice, type Office } from './office-fixture.js'

const DAY_MS = 86_400_000
const DECLINE = 'mutation ($offer: ID!) { declineOffer(offer: $offer) { id } }'

let office: Office
let ann: MadeUser
let ben: MadeUser
let channel: string

beforeAll(async () => {
  office = await startOffice({ ROUTING_TRACE_DAYS: '30' })
  ann = await office.makeUser({ organization: office.admin.organization })
  ben = await office.makeUser({ organization: office.admin.organization })
  channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann, ben])
  await office.ready(ann)
  await office.ready(ben)
})
afterAll(async () => {
  await office.disconnect()
  await office.close()
})

const offersOf = (id: string): Promise<{ outcome: string }[]> =>
  office.server.database.query('select outcome from offer where conversation_id = $1 order by made_at', [id])

/** Offered to one, who declines, then to the other, who accepts it. */
async function declinedThenAccepted(): Promise<string> {
  const id = await office.wait(channel)
  const first = (await office.offered(id)).offer!
  const [refuser, taker] = first.userId === ann.id ? [ann, ben] : [ben, ann]
  await office.run(refuser, DECLINE, { offer: first.id })
  await office.offered(id, taker)
  await office.command(taker, id, '/accept')
  return id
}

it('holds an offer in a row of a few hundred bytes, however many members the channel has', async () => {
  const others = await Promise.all(
    Array.from({ length: 60 }, () => office.makeUser({ organization: office.admin.organization })),
  )
  const carla = await office.makeUser({ organization: office.admin.organization })
  const large = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [carla, ...others])
  await office.ready(carla)
  const id = await office.wait(large)
  await office.offered(id, carla)
  const [row] = await office.server.database.query<{ bytes: number }>(
    'select pg_column_size(o.*)::int as bytes from offer o where conversation_id = $1',
    [id],
  )
  expect(row!.bytes).toBeLessThan(500)
  expect((await office.stateOf(id)).routingTrace[0]!.candidates).toHaveLength(61)
})

it('what an offer was decided on is kept once for its queueing, with the decision, and goes with it', async () => {
  const id = await declinedThenAccepted()
  const { routingTrace } = await office.stateOf(id)
  expect(routingTrace[0]!.candidates.map(({ outcome }) => outcome).toSorted()).toEqual(['CHOSEN', 'DECLINED'])
  const [{ decisions, members }] = (await office.server.database.query<{ decisions: number; members: number }>(
    `select count(*)::int as decisions, max(jsonb_array_length(candidates)) as members from routing_decision
     where conversation_id = $1`,
    [id],
  )) as [{ decisions: number; members: number }]
  expect({ decisions, members }).toEqual({ decisions: 1, members: 2 })

  const waiting = await office.wait(channel)
  const { offer } = await office.offered(waiting)
  await office.run(offer!.userId === ann.id ? ann : ben, DECLINE, { offer: offer!.id })
  office.clock.advance(31 * DAY_MS)
  await office.server.maintenance.run()
  // The last agent is still preferred when the consumer returns.
  expect(await offersOf(id)).toEqual([{ outcome: 'accepted' }])
  expect(await office.server.database.query('select 1 from routing_decision where conversation_id = $1', [id])).toEqual(
    [],
  )
  // Whoever declined what still waits is not asked again.
  expect((await offersOf(waiting))[0]).toEqual({ outcome: 'declined' })
})
