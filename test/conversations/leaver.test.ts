import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { rule, until } from './conversation-fixture.js'
import { startOffice, type Office } from './office-fixture.js'

const DECLINE = 'mutation ($offer: ID!) { declineOffer(offer: $offer) { id } }'

let office: Office
let ann: MadeUser
let ben: MadeUser
let channel: string

beforeAll(async () => {
  office = await startOffice()
  ann = await office.makeUser({ organization: office.admin.organization })
  ben = await office.makeUser({ organization: office.admin.organization })
  channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300, preferLastSeconds: 300 }, [ann, ben])
  // Where it is queued again.
  await office.makeWorkflow([rule({ channels: [channel] })])
  await office.ready(ann, 20)
})
afterAll(async () => {
  await office.disconnect()
  await office.close()
})

async function acceptedByAnn(): Promise<string> {
  await office.setAvailability(ben, 'AWAY')
  const id = await office.wait(channel)
  await office.offered(id, ann)
  await office.command(ann, id, '/accept')
  await office.consumerSays(id, 'Are you there?')
  return id
}

it('what an agent leaves unanswered is offered back when nobody else is there', async () => {
  const id = await acceptedByAnn()
  await office.command(ann, id, '/leave')
  expect((await office.offered(id)).offer!.userId).toBe(ann.id)
})

it('is offered to the others first, though the channel prefers the last agent, and back once they all declined it', async () => {
  const id = await acceptedByAnn()
  await office.ready(ben, 20)
  await office.command(ann, id, '/leave')
  const { offer } = await office.offered(id)
  expect(offer!.userId).toBe(ben.id)
  await office.run(ben, DECLINE, { offer: offer!.id })
  expect((await office.offered(id)).offer).not.toBeNull()
})

it.each([
  ['/notify', () => ({ meta: { channels: [channel] } })],
  ['/enqueue', () => ({})],
])('is so when it is queued once more while it waits, by %s', async (command, more) => {
  const id = await acceptedByAnn()
  await office.ready(ben, 20)
  await office.command(ann, id, '/leave')
  const { offer } = await office.offered(id, ben)
  expect(await office.command(office.admin, id, command, more())).not.toHaveProperty('code')
  await until(async () => (await office.stateOf(id)).offer?.id !== offer!.id)
  expect((await office.offered(id)).offer!.userId).toBe(ben.id)
  await office.command(ben, id, '/accept')
  await office.command(ben, id, '/leave')
})
