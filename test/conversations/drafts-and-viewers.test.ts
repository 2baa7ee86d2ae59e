import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { recordStatements } from '../support/record-statements.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
const clients: Client[] = []
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(async () => {
  for (const client of clients) await client.dispose()
  await fixture.close()
})

const SAVE =
  'mutation ($c: ID!, $text: String!, $note: Boolean) { saveDraft(conversation: $c, text: $text, isBackchannel: $note) { text } }'
const DRAFTS = '{ drafts { conversation text isBackchannel } }'
const WATCH = `subscription ($id: ID!, $viewers: Boolean) { conversation(id: $id, viewers: $viewers) { __typename
  ... on ConversationSnapshot { startCursor messages { position } }
  ... on ViewersChanged { viewers { userId user { displayName } } }
  ... on TypingChanged { user typing isBackchannel } } }`
const TYPE = 'mutation ($id: ID!, $note: Boolean) { setTyping(conversation: $id, typing: true, isBackchannel: $note) }'

interface Heard {
  __typename: string
  draft?: { text: string } | null
  viewers?: { userId: string; user: { displayName: string } }[]
  isBackchannel?: boolean
  startCursor?: string | null
  messages?: { position: number }[]
}

async function clientOf(who: MadeUser | string): Promise<Client> {
  const client = liveClient(fixture.url, typeof who === 'string' ? who : await fixture.tokenFor(who))
  clients.push(client)
  return client
}

describe('drafts', () => {
  it('follow the user to another browser, and are visible to nobody else', async () => {
    const { id } = await fixture.create()
    const inbox = 'subscription { inbox { __typename ... on DraftChanged { conversation draft { text } } } }'
    const [own, others] = [
      subscribe<Heard>(await clientOf(fixture.ann), 'inbox', inbox),
      subscribe<Heard>(await clientOf(fixture.ben), 'inbox', inbox),
    ]
    await Promise.all([own.next(), others.next()])
    await fixture.run(fixture.ann, SAVE, { c: id, text: 'half a sen', note: true })
    expect((await own.next(({ __typename }) => __typename === 'DraftChanged')).draft).toEqual({ text: 'half a sen' })
    expect((await fixture.run<unknown>(fixture.ann, DRAFTS)).value).toMatchObject([
      { conversation: id, text: 'half a sen', isBackchannel: true },
    ])
    expect((await fixture.run(fixture.ben, DRAFTS)).value).toEqual([])
    await fixture.run(fixture.ann, SAVE, { c: id, text: '' })
    expect((await own.next(({ __typename }) => __typename === 'DraftChanged')).draft).toBeNull()
    expect((await fixture.run(fixture.ann, DRAFTS)).value).toEqual([])
    expect(others.events.map(({ __typename }) => __typename)).toEqual(['InboxSnapshot'])
    const kept = await fixture.server.database.query("select data from event where type = 'draft.changed'")
    expect(JSON.stringify(kept)).not.toContain('half a sen')
  })

  it('have recipients as they were typed, which stay until they are cleared', async () => {
    const { id } = await fixture.create()
    const save = `mutation ($c: ID!, $text: String!, $mail: DraftMailInput) {
      saveDraft(conversation: $c, text: $text, mail: $mail) { text mail { to cc bcc subject } } }`
    const saved = async (variables: object) => (await fixture.run(fixture.ann, save, { c: id, ...variables })).value
    const mail = { to: '', cc: 'half@boa', bcc: '', subject: 'Us' }
    // Before there is a text.
    expect(await saved({ text: '', mail: { cc: 'half@boa', subject: 'Us' } })).toEqual({ text: '', mail })
    expect(await saved({ text: 'a text' })).toEqual({ text: 'a text', mail })
    // A program that knows of no recipients has emptied the text.
    expect(await saved({ text: '' })).toEqual({ text: '', mail })
    expect(await saved({ text: 'a text' })).toEqual({ text: 'a text', mail })
    expect(await saved({ text: 'a text', mail: { cc: ' ' } })).toEqual({ text: 'a text', mail: null })
    expect(await saved({ text: '', mail })).toEqual({ text: '', mail })
    expect(await saved({ text: '', mail: null })).toBeNull()
    expect(await saved({ text: 'a text' })).toEqual({ text: 'a text', mail: null })
    expect(await saved({ text: '' })).toBeNull()
    expect((await fixture.run(fixture.ann, DRAFTS)).value).toEqual([])
    expect(await fixture.run(fixture.ann, save, { c: id, text: '', mail: { cc: 'x'.repeat(20_001) } })).toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it('are refused if they are too long, or for conversations that the user does not see', async () => {
    const { id } = await fixture.create()
    expect((await fixture.run(fixture.ann, SAVE, { c: id, text: 'x'.repeat(100_001) })).code).toBe('BAD_USER_INPUT')
    const foreign = await fixture.makeUser({ organization: await fixture.makeOrganization({ name: 'Elsewhere' }) })
    expect((await fixture.run(foreign, SAVE, { c: id, text: 'x' })).code).toBe('NOT_FOUND')
  })
})

describe('the drafts of a user', () => {
  const saveAs = (who: MadeUser, c: string, text: string) => fixture.run(who, SAVE, { c, text })

  it('are limited in number, even with concurrent saves', async () => {
    const cora = await fixture.makeAgent()
    const made: string[] = []
    for (let count = 0; count < 202; count += 1) made.push((await fixture.create()).id)
    const others = made.splice(199)
    for (const id of made) expect((await saveAs(cora, id, 'x')).code).toBeUndefined()
    const [first] = made
    const saved = await Promise.all(others.map((id) => saveAs(cora, id, 'x')))
    expect(saved.map(({ code }) => code).toSorted()).toEqual(['UNPROCESSABLE', 'UNPROCESSABLE', undefined])
    const refused = saved.find(({ code }) => code !== undefined)!
    expect([refused.details.field, refused.message]).toEqual(['text', expect.stringMatching(/^text: .* 200 /)])
    // One that is there may be changed, and one that is forgotten makes room.
    expect((await saveAs(cora, first!, 'xy')).code).toBeUndefined()
    await saveAs(cora, first!, '')
    const left = others[saved.findIndex(({ code }) => code !== undefined)]!
    expect((await saveAs(cora, left, 'x')).code).toBeUndefined()
  })

  it('are limited in bytes, not in characters', async () => {
    const dora = await fixture.makeAgent()
    const conversations = await Promise.all(Array.from({ length: 4 }, () => fixture.create()))
    const long = '\u20ac'.repeat(100_000)
    const codes: (string | undefined)[] = []
    for (const { id } of conversations) codes.push((await saveAs(dora, id, long)).code)
    expect(codes).toEqual([undefined, undefined, undefined, 'UNPROCESSABLE'])
    const { message } = await saveAs(dora, conversations[3]!.id, long)
    expect(message).toMatch(/^text: with "\u20ac+.* 1200000 bytes; at most 1048576 /)
  })
})

describe('viewers of a conversation', () => {
  it('are read for a whole page of conversations with one statement', async () => {
    await Promise.all(Array.from({ length: 5 }, () => fixture.create()))
    const page = '{ conversations(first: 5) { edges { node { viewers { userId } again: viewers { userId } } } } }'
    const recorded = recordStatements()
    const { code } = await fixture.run(fixture.bot, page)
    recorded.stop()
    expect(code).toBeUndefined()
    expect(recorded.statements.filter((text) => text.includes('conversation_viewer'))).toHaveLength(1)
  })

  it('are published as colleagues come and go, but not to the consumer', async () => {
    const { id } = await fixture.create()
    const guest = await fixture.run<{ token: string }>(
      fixture.bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const ann = subscribe<Heard>(await clientOf(fixture.ann), 'conversation', WATCH, { id, viewers: true })
    const consumer = subscribe<Heard>(await clientOf(guest.value.token), 'conversation', WATCH, { id, viewers: true })
    await Promise.all([ann.next(), consumer.next()])
    const ben = subscribe<Heard>(await clientOf(fixture.ben), 'conversation', WATCH, { id })
    await ben.next()
    const names = (event: Heard): string[] => event.viewers?.map(({ user }) => user.displayName) ?? []
    const both = await ann.next((event) => names(event).length === 2)
    expect(both.viewers!.map(({ userId }) => userId).toSorted()).toEqual([fixture.ann.id, fixture.ben.id].toSorted())
    const viewers = '{ conversation(id: "%") { viewers { userId } } }'.replace('%', id)
    expect((await fixture.run<{ viewers: object[] }>(fixture.bot, viewers)).value.viewers).toHaveLength(2)
    expect((await fixture.run<{ viewers: object[] }>(guest.value.token, viewers)).value.viewers).toEqual([])
    ben.stop()
    await ann.next((event) => event.__typename === 'ViewersChanged' && event.viewers!.length === 1)

    // A note that is being written is no news for the consumer; a reply is.
    await fixture.run(fixture.ann, TYPE, { id, note: true })
    await ann.next((event) => event.isBackchannel === true)
    await fixture.run(fixture.ann, TYPE, { id })
    await consumer.next((event) => event.__typename === 'TypingChanged')
    expect(consumer.events.map(({ __typename }) => __typename)).toEqual(['ConversationSnapshot', 'TypingChanged'])
    expect(ben.events.map(({ __typename }) => __typename)).toEqual(['ConversationSnapshot'])
  })
})

describe('the snapshot of a conversation', () => {
  it('has a cursor to earlier messages', async () => {
    const { id } = await fixture.create()
    for (let count = 0; count < 60; count++) await fixture.send(fixture.ann, id, { role: 'AGENT', text: `${count}` })
    const watching = subscribe<Heard>(await clientOf(fixture.ben), 'conversation', WATCH, { id })
    const { startCursor, messages } = await watching.next()
    expect(messages).toHaveLength(50)
    const earlier = await fixture.run<{ messages: { edges: { node: { position: number } }[] } }>(
      fixture.ann,
      'query ($id: ID!, $before: String) { conversation(id: $id) { messages(last: 20, before: $before) { edges { node { position } } } } }',
      { id, before: startCursor },
    )
    expect(earlier.value.messages.edges.at(-1)!.node.position).toBe(messages![0]!.position - 1)
    const short = await fixture.create()
    const other = subscribe<Heard>(await clientOf(fixture.ben), 'conversation', WATCH, { id: short.id })
    expect((await other.next()).startCursor).toBeNull()
  })
})
