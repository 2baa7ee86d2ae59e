import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  startConversationFixture,
  until,
  type ConversationFixture,
  type Shown,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { letNextComeDue } from '../support/next-job.js'
import { uploadWords } from '../support/upload-image.js'
import { filesWith } from './files-with.js'
import { tablesWith } from './tables-with.js'

const store = mkdtempSync(join(tmpdir(), 'left-in-others-'))

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture({ DATA_DIR: store, PUBLIC_URL: 'https://desk.example' })
})
afterAll(() => fixture?.close())

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)

async function must<T = unknown>(query: string, variables: Record<string, unknown>, as: MadeUser = fixture.admin) {
  const { value, message } = await fixture.run<T>(as, query, variables)
  expect(message).toBeUndefined()
  return value
}
const deleteContact = (id: string) => must('mutation ($id: ID!) { deleteContact(id: $id) }', { id })
const deleteConversation = (id: string) => must('mutation ($id: ID!) { deleteConversation(id: $id) }', { id })
const merge = (id: string, origin: string) =>
  must(
    'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }',
    { id, origin },
    fixture.ann,
  )

/** A conversation that agents are done with. */
async function closed(input: Record<string, unknown> = {}): Promise<Shown> {
  const shown = await fixture.create(input)
  if (shown.status !== 'CLOSED') {
    await fixture.send(fixture.ann, shown.id, { role: 'AGENT', text: 'bye' })
    await fixture.command(fixture.ann, shown.id, '/leave')
  }
  return shown
}

/** Tables with a row that contains the word, and files that have it. */
const placesOf = async (word: string): Promise<string[]> => [
  ...(await tablesWith(fixture.server.database, word)),
  ...(await filesWith(store, [word])),
]

const ERASING = `select 1 from job where kind in ('privacy.erase', 'conversation.deleted')`

/** Waits until everything of the deleted is erased, also what is looked at again later. */
async function erased(): Promise<void> {
  await until(async () => {
    await letNextComeDue(fixture, 'privacy.erase')
    return (await sql(ERASING)).length === 0
  })
}

describe('copies of a conversation that was deleted before its contact', () => {
  it('go with the contact, also where a merge of a merge brought them and the contact between is gone', async () => {
    const word = 'zq-kingfisher'
    const first = await closed({ messages: [{ role: 'CONTACT', text: `I am ${word}` }] })
    const meta = { fileId: await uploadWords(fixture, fixture.ann, word) }
    await fixture.send(fixture.ann, first.id, { role: 'AGENT', text: `dear ${word}`, meta })
    await fixture.command(fixture.ann, first.id, '/leave')
    const [second, third] = [await closed(), await closed({ messages: [{ role: 'CONTACT', text: 'zq-stays' }] })]
    await merge(second.id, first.id)
    await merge(third.id, second.id)
    await deleteConversation(first.id)
    await deleteContact(second.contactId)
    await erased()
    // As the merging agents decided.
    expect((await fixture.show(third.id)).messages.edges.map(({ node }) => node.text)).toContain(`I am ${word}`)
    await deleteContact(first.contactId)
    await erased()
    await until(
      () => placesOf(word),
      (places) => places.length === 0,
    )
    expect((await fixture.show(third.id)).messages.edges.map(({ node }) => node.text)).toContain('zq-stays')
  })

  it('go with the contact where both conversations were its own', async () => {
    const word = 'zq-nightjar'
    const first = await closed({ messages: [{ role: 'CONTACT', text: `I am ${word}` }] })
    const second = await closed({ contact: { id: first.contactId } })
    const theirs = await closed()
    await merge(second.id, first.id)
    await merge(theirs.id, second.id)
    await deleteConversation(first.id)
    await deleteConversation(second.id)
    await deleteContact(first.contactId)
    await erased()
    const left = await until(
      () => placesOf(word),
      (places) => places.length === 0,
    )
    expect(left).toEqual([])
  })
})

describe('a card that suggests merges', () => {
  const matched = async (of: Shown, identifiers: object): Promise<void> => {
    const patch = { profile: { name: 'Visitor', ...identifiers } }
    const query = 'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }'
    await fixture.run(fixture.bot, query, { id: of.contactId, patch })
  }
  const cardOf = async (id: string) =>
    (await fixture.show(id)).messages.edges.map(({ node }) => node).find(({ type }) => type === 'CARD')

  it('goes with the contact that it names, also if its conversation was deleted before', async () => {
    const word = 'zq-lapwing'
    const contact = { profile: { name: 'Known', email: 'known-lapwing@example.com' } }
    const known = await closed({ name: `Talk of ${word}`, contact })
    const visitor = await closed()
    await matched(visitor, { email: 'known-lapwing@example.com' })
    await until(() => cardOf(visitor.id))
    await deleteConversation(known.id)
    await deleteContact(known.contactId)
    await erased()
    expect(await cardOf(visitor.id)).toBeUndefined()
    await until(
      () => placesOf(word),
      (places) => places.length === 0,
    )
  })

  it('goes with each of the contacts that it names, not only with the first', async () => {
    const { id: service } = await must<{ id: string }>(
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'web', params: {} } },
    )
    const telephone = '+31687650001'
    const known = await closed({ name: 'Talk of zq-dunlin', contact: { profile: { email: 'dunlin@example.com' } } })
    const other = await closed({ name: 'Talk of zq-dunlin too', contact: { profile: { telephone } } })
    const { value: session } = await fixture.run<{ conversationId: string }>(
      null,
      `mutation ($service: ID!, $profile: GuestProfileInput) {
        startGuestSession(service: $service, profile: $profile) { conversationId } }`,
      { service, profile: { email: 'dunlin@example.com', telephone } },
    )
    const card = await until(() => cardOf(session.conversationId))
    const { _origin: first, _origins: all } = card.meta as { _origin: string; _origins: string[] }
    expect(all.toSorted()).toEqual([known.id, other.id].toSorted())
    const last = [known, other].find(({ id }) => id !== first)!
    await deleteContact(last.contactId)
    await erased()
    expect(await cardOf(session.conversationId)).toBeUndefined()
    await deleteContact([known, other].find(({ id }) => id === first)!.contactId)
    await erased()
    expect(await placesOf('Talk of zq-')).toEqual([])
  })
})

describe('facts of decisions', () => {
  it('that hold a member of the metadata of a deleted message go with it; those of the next message stay', async () => {
    const conditions = { all: [{ fact: 'message', path: '.meta.order', operator: 'match', value: 'zq' }] }
    await fixture.makeWorkflow([
      { conditions, event: { type: 'notify', params: { name: 'orders', channels: [fixture.channel] } } },
    ])
    const ask = (order: string): object => ({ role: 'CONTACT', text: 'where is it?', meta: { order } })
    const { id } = await fixture.create({ messages: [ask('zq-bittern')] })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'on its way' })
    await fixture.command(fixture.ann, id, '/leave')
    expect((await fixture.send(fixture.bot, id, ask('zq-stork'))).code).toBeUndefined()
    const factsOf = async (): Promise<string> =>
      JSON.stringify(await sql('select facts from routing_decision where conversation_id = $1 order by id', [id]))
    expect(await factsOf()).toMatch(/zq-bittern.*zq-stork/)
    const [first] = (await fixture.show(id)).messages.edges
    await must('mutation ($id: ID!) { deleteMessage(id: $id) }', { id: first!.node.id })
    await until(
      () => placesOf('zq-bittern'),
      (places) => places.length === 0,
    )
    await until(
      () => sql(`select 1 from job where kind = 'message.deleted'`),
      (jobs) => jobs.length === 0,
    )
    expect(await factsOf()).toContain('zq-stork')
  })
})
