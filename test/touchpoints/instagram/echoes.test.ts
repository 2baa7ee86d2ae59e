import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Said } from '../provider-fixture.js'
import { startInstagramFixture, type InstagramFixture } from './instagram-fixture.js'

let fixture: InstagramFixture
beforeAll(async () => {
  fixture = await startInstagramFixture()
})
afterAll(() => fixture.close())

const answer = async (conversation: string, message: object): Promise<string> =>
  fixture.answer(conversation, message, await fixture.app.tokenFor(fixture.agent))
const shownOf = (conversation: string) => fixture.shownOf(conversation)
const unnamed = () => fixture.unnamed()

describe('what is written with the app', () => {
  const echo = (person: string, message: object) => ({
    ...fixture.to(person),
    message: { mid: fixture.mid(), is_echo: true, ...message },
  })

  it("is an agent's message without a user, sent already, once, which ends the consumer's wait", async () => {
    const { app, begun, processed, sentTo, tell } = fixture
    const { person, conversation } = await begun()
    const event = echo(person, { text: 'From my telephone' })
    await Promise.all(Array.from({ length: 5 }, () => tell(event)))
    await processed()
    expect(await shownOf(conversation)).toEqual([
      { role: 'CONTACT', text: 'Hello', userId: null },
      { role: 'AGENT', text: 'From my telephone', userId: null },
    ])
    const [state] = await app.server.database.query(
      `select awaiting_reply as awaiting, (select status from delivery d where d.conversation_id = c.id) as delivery
       from conversation c where id = $1`,
      [conversation],
    )
    expect(state).toEqual({ awaiting: false, delivery: 'sent' })
    expect(sentTo(person)).toEqual([])
    const stranger = fixture.person()
    await tell(echo(stranger, { text: 'Hello' }), echo(person, { is_deleted: true }))
    await processed()
    expect(await fixture.contactOf(stranger)).toBeUndefined()
    expect(await unnamed()).toContain('an unsend by the account')
  })

  it('proves a send whose outcome is not known, and is not another message', async () => {
    const { api, becomes, begun, delivery, processed, sentTo, tell } = fixture
    const { person, conversation } = await begun()
    api.takeAndSay('cut')
    const message = await answer(conversation, { text: 'Maybe' })
    await becomes(message, 'maybeSent')
    // Something else is written with the app at that moment.
    await tell(echo(person, { text: 'By the way' }))
    await processed()
    expect((await delivery(message)).status).toBe('maybeSent')
    const [taken] = sentTo(person)
    await tell(echo(person, { text: 'Maybe', mid: taken!.mid }))
    expect(await becomes(message, 'sent')).toMatchObject({ provider_id: taken!.mid, reason: null })
    await processed()
    expect((await shownOf(conversation)).map(({ text }) => text)).toEqual(['Hello', 'Maybe', 'By the way'])
    expect(sentTo(person)).toHaveLength(1)
  })

  it('may come before the answer to the send, and after the message was deleted', async () => {
    const { api, ask, becomes, begun, processed, sentTo, tell } = fixture
    const { person, conversation } = await begun()
    api.receipts.push(async ({ mid, message }) => void (await tell(echo(person, { mid, text: message.text }))))
    const early = await answer(conversation, { text: 'Early' })
    await becomes(early, 'sent')
    await processed()
    const deleted = await answer(conversation, { text: 'Deleted' })
    await becomes(deleted, 'sent')
    await ask('mutation ($id: ID!) { deleteMessage(id: $id) }', { id: deleted })
    await tell(echo(person, { mid: sentTo(person).at(-1)!.mid, text: 'Deleted' }))
    await processed()
    expect((await shownOf(conversation)).map(({ text }) => text)).toEqual(['Hello', 'Early'])
  })

  it('proves the last part of a message, or a picture, by its kind', async () => {
    const { api, becomes, begun, saidBy, sentTo, tell } = fixture
    const { person, conversation } = await begun()
    api.receipts.push(async () => api.takeAndSay('cut'))
    const long = 'word '.repeat(300).trim()
    // The first part is taken, and of the second nothing is known.
    api.faults.push({ status: 200, body: JSON.stringify({ recipient_id: person, message_id: `first-${person}` }) })
    const message = await answer(conversation, { text: long })
    await becomes(message, 'maybeSent')
    const [second] = sentTo(person)
    await tell(echo(person, { mid: `first-${person}`, text: 'Known already' }))
    await tell(echo(person, { mid: second!.mid, text: second!.message.text }))
    expect(await becomes(message, 'sent')).toMatchObject({ provider_id: second!.mid })
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 5)])
    api.files.set('/cdn/i.png', { type: 'image/png', bytes: png })
    const given = [{ type: 'image', payload: { url: `${api.url}/cdn/i.png` } }]
    await tell({ ...fixture.from(person), message: { mid: fixture.mid(), attachments: given } })
    const [, { meta }] = (await saidBy(person, 2)) as [Said, Said]
    api.takeAndSay('cut')
    const picture = await answer(conversation, { meta: { fileId: meta!.fileId } })
    await becomes(picture, 'maybeSent')
    const attachments = [{ type: 'image', payload: { url: 'https://cdn.example/other.png' } }]
    await tell(echo(person, { mid: sentTo(person).at(-1)!.mid, attachments }))
    await becomes(picture, 'sent')
    expect((await shownOf(conversation)).map(({ text }) => text)).toEqual(['Hello', long, null, null])
  })

  it('is another message than one of the same words whose outcome was not known a while ago', async () => {
    const { api, app, becomes, begun, delivery, processed, tell } = fixture
    const { person, conversation } = await begun()
    api.takeAndSay('cut')
    const message = await answer(conversation, { text: 'OK' })
    await becomes(message, 'maybeSent')
    const next = await answer(conversation, { text: 'Are you there?' })
    const { provider_id: seen } = await becomes(next, 'sent')
    await tell({ ...fixture.from(person), read: { mid: seen } })
    await becomes(next, 'read')
    app.clock.advance(11 * 60_000)
    await tell(echo(person, { text: 'OK' }))
    await processed()
    expect((await delivery(message)).status).toBe('maybeSent')
    expect((await shownOf(conversation)).map(({ text }) => text)).toEqual(['Hello', 'OK', 'Are you there?', 'OK'])
  })
})
