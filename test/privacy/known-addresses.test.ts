import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../support/until.js'
import { startProviderFixture, type ProviderFixture } from '../touchpoints/provider-fixture.js'
import { ACCOUNT, startTwilio, type Twilio } from '../touchpoints/sms/twilio.js'
import { BOT, startBotApi, updateOf, type BotApi } from '../touchpoints/telegram/bot-api.js'

/*
 * What an address is known for without its contact: it stays, and the address does not.
 */

let fixture: ProviderFixture
let bots: BotApi
let twilio: Twilio
beforeAll(async () => {
  fixture = await startProviderFixture()
  bots = await startBotApi()
  twilio = await startTwilio()
})
afterAll(async () => {
  await fixture?.app.close()
  await bots?.close()
  await twilio?.close()
})

const sql = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  fixture.app.server.database.query<T & object>(text, values)
const must = async (query: string, variables: object, as = fixture.admin): Promise<void> => {
  const { errors } = await fixture.app.gql(as, query, variables as Record<string, unknown>)
  expect(errors).toBeUndefined()
}

async function deleteContact(contact: string, conversation: string): Promise<void> {
  const id = { id: conversation }
  await must('mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', id, fixture.agent)
  await must('mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', id, fixture.agent)
  await must('mutation ($id: ID!) { deleteContact(id: $id) }', { id: contact })
}

const firstOf = (service: string) =>
  until(async () => {
    const [said] = await fixture.receivedBy(service)
    return said
  })

describe('a message that was ignored', () => {
  const PERSON = 7_654_321_098
  const update = (message: number, text: string): object =>
    updateOf({
      message: {
        message_id: message,
        date: 1,
        from: { id: PERSON, is_bot: false, first_name: 'Zoë' },
        chat: { id: PERSON, type: 'private' },
        text,
      },
    })

  it('does not name its sender, is known when it is repeated, and outlives its contact', async () => {
    const service = await fixture.makeService('telegram', { ...BOT, apiUrl: bots.url })
    const { url } = fixture.hook('telegram', service)
    await bots.call(url, update(1, 'hello'))
    const { contact_id: contact, conversation_id: conversation } = await firstOf(service)
    await must('mutation ($id: ID!) { updateContact(id: $id, patch: { status: BLOCKED }) { id } }', { id: contact })
    const ignored = () =>
      sql('select provider_id from inbound_message where service_id = $1 and message_id is null', [service])
    const again = update(2, 'I am ignored')
    await bots.call(url, again)
    await until(ignored, (rows) => rows.length === 1)
    await must('mutation ($id: ID!) { updateContact(id: $id, patch: { status: ACTIVE }) { id } }', { id: contact })
    // Another update with the same message, as after a lost answer.
    await bots.call(url, update(2, 'I am ignored'))
    await bots.call(url, update(3, 'I am heard'))
    await until(async () => (await fixture.receivedBy(service)).some(({ text }) => text === 'I am heard'))
    expect((await fixture.receivedBy(service)).map(({ text }) => text)).toEqual(['hello', 'I am heard'])
    await deleteContact(contact, conversation)
    await until(
      () => sql(`select 1 from job where kind = 'privacy.erase' and key not like '%:again'`),
      (jobs) => jobs.length === 0,
    )
    expect(await sql('select 1 from inbound_message where provider_id like $1', [`%${PERSON}%`])).toEqual([])
    expect(await sql('select 1 from inbound_message where service_id = $1', [service])).toHaveLength(3)
    for (const message of [1, 2, 3]) await bots.call(url, update(message, 'again'))
    await bots.call(url, update(4, 'I am new'))
    await until(async () => (await fixture.receivedBy(service)).some(({ text }) => text === 'I am new'))
    expect((await fixture.receivedBy(service)).map(({ text }) => text)).toEqual(['I am new'])
  })
})

describe('a request to stop messages', () => {
  const NUMBER = '+31687654399'
  let count = 0

  it('does not show the number, and still counts once the contact has another and is deleted', async () => {
    const service = await fixture.makeService('sms', { ...ACCOUNT, from: '+3197010253', apiUrl: twilio.url })
    const { url, publicUrl } = fixture.hook('sms', service)
    const text = async (Body: string): Promise<void> => {
      const { accountSid: AccountSid } = ACCOUNT
      const MessageSid = `SM${String(++count).padStart(32, '0')}`
      const params = { MessageSid, AccountSid, From: NUMBER, To: '+3197010253', Body, NumMedia: '0' }
      expect(await twilio.call(url, params, { signedUrl: publicUrl })).toMatchObject({ status: 200 })
    }
    const optOuts = () => sql<{ address: string }>('select address from opt_out where service_id = $1', [service])
    await text('Hello')
    const { contact_id: contact, conversation_id: conversation } = await firstOf(service)
    await text('STOP')
    await until(optOuts, (rows) => rows.length === 1)
    const patch = { profile: { name: 'Carl', telephone: '+31687650000' } }
    const change = 'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }'
    await must(change, { id: contact, patch })
    await deleteContact(contact, conversation)
    expect(await sql(`select 1 from opt_out where address like '%687654399%'`)).toEqual([])
    await text('Stop')
    expect(await optOuts()).toHaveLength(1)
    await text('START')
    expect(await optOuts()).toEqual([])
  })
})
