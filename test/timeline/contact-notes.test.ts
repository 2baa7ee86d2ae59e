import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { tablesWith } from '../privacy/tables-with.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'

const ADD = `mutation ($contact: ID!, $text: String!, $key: String) {
  addContactNote(contact: $contact, text: $text, idempotencyKey: $key) {
    id contactId authorId authorName text version author { displayName } } }`
const UPDATE = `mutation ($id: ID!, $patch: UpdateContactNoteInput!, $contact: ID) {
  updateContactNote(id: $id, patch: $patch, contact: $contact) { id text version } }`
const DELETE = 'mutation ($id: ID!, $contact: ID) { deleteContactNote(id: $id, contact: $contact) }'
const LIST = 'query ($contact: ID!) { contactNotes(contact: $contact) { totalCount nodes { id text authorName } } }'
const ONE = 'query ($id: ID!) { contactNote(id: $id) { id text version authorName author { displayName } } }'
const WATCH = `subscription ($contact: ID!, $after: String) { contactChanges(contact: $contact, after: $after) {
  __typename ... on StreamEvent { cursor } ... on ContactChangesSnapshot { resync } ... on ContactChanged { contactId noteId change } } }`
const ERASE = 'mutation ($id: ID!) { deleteContact(id: $id) }'

interface Note {
  id: string
  contactId: string
  authorId: string
  authorName: string
  text: string
  version: number
  author: { displayName: string } | null
}
interface Heard {
  __typename: string
  cursor: string
  contactId?: string
  noteId?: string | null
  change?: string
  resync?: boolean
}

describe('notes of contacts', () => {
  let fixture: ConversationFixture
  let beside: TestServer
  let hooks: Hooks
  const clients: Client[] = []
  beforeAll(async () => {
    fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    beside = await startTestServer({}, { beside: fixture })
    hooks = createHooks(fixture)
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.dispose()))
    await hooks?.close()
    await beside?.close()
    await fixture?.close()
  })

  const makeContact = async (name = 'Konstantina'): Promise<string> =>
    (await fixture.rest(fixture.bot, 'POST', '/v2/contacts', { profile: { name } })).body.id as string
  const add = (contact: string, text: string, as: MadeUser | string = fixture.ann, key?: string) =>
    fixture.run<Note>(as, ADD, { contact, text, key })
  const added = async (contact: string, text: string, as: MadeUser = fixture.ann): Promise<Note> => {
    const { value, message } = await add(contact, text, as)
    if (message) throw new Error(message)
    return value
  }
  const textsOf = async (contact: string, as: MadeUser | string = fixture.ben): Promise<string[]> =>
    (await fixture.run<{ nodes: Note[] }>(as, LIST, { contact })).value.nodes.map(({ text }) => text)
  const rows = (text: string, values: unknown[]) => fixture.server.database.query<Record<string, unknown>>(text, values)
  const hear = async (
    contact: string,
    {
      node = beside as Pick<TestServer, 'url'>,
      after,
      as = fixture.ben,
    }: { node?: Pick<TestServer, 'url'>; after?: string; as?: MadeUser } = {},
  ): Promise<LiveSubscription<Heard>> => {
    const client = liveClient(node.url, await fixture.tokenFor(as))
    clients.push(client)
    return subscribe<Heard>(client, 'contactChanges', WATCH, { contact, after })
  }

  it('are written by one agent, and read by the others, newest first', async () => {
    const contact = await makeContact()
    const first = await added(contact, '  Crane 2 is out until Thursday.\n')
    expect(first).toMatchObject({
      ...{ contactId: contact, text: 'Crane 2 is out until Thursday.', version: 1 },
      ...{ authorId: fixture.ann.id, authorName: 'Ann', author: { displayName: 'Ann' } },
    })
    await added(contact, 'Prefers to be called.', fixture.ben)
    expect(await textsOf(contact)).toEqual(['Prefers to be called.', 'Crane 2 is out until Thursday.'])
  })

  it('are refused when blank, too long, or of nobody', async () => {
    const contact = await makeContact()
    expect(await add(contact, ' \n ')).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'text' } })
    expect(await add(contact, 'x'.repeat(5_001))).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'text' } })
    expect((await added(contact, 'x'.repeat(5_000))).text.length).toBe(5_000)
    expect(await add(fixture.ann.id, 'hm')).toMatchObject({ code: 'NOT_FOUND', details: { field: 'contact' } })
    expect(await add('nonsense', 'hm')).toMatchObject({ code: 'NOT_FOUND', details: { reason: 'MALFORMED_ID' } })
  })

  it('are added once, however often one repeats it', async () => {
    const contact = await makeContact()
    const both = await Promise.all([
      add(contact, 'Once', fixture.ann, 'a-key'),
      add(contact, 'Once', fixture.ann, 'a-key'),
    ])
    expect(new Set(both.map(({ value }) => value.id)).size).toBe(1)
    expect(await textsOf(contact)).toEqual(['Once'])
  })

  it('are at most 1,000 of a contact', async () => {
    const contact = await makeContact()
    const { id } = await added(contact, 'The first')
    await rows(
      `insert into contact_note select (jsonb_populate_record(n, jsonb_build_object('id', gen_random_uuid()))).*
       from contact_note n, generate_series(1, 998) where n.id = $1`,
      [id],
    )
    const both = await Promise.all([add(contact, 'One of'), add(contact, 'the two')])
    expect(both.map(({ code }) => code ?? 'ok').toSorted()).toEqual(['UNPROCESSABLE', 'ok'])
    expect(both.find(({ code }) => code)!.details).toMatchObject({ reason: 'TOO_MANY' })
  })

  it('are changed by their authors, and by administrators, whom the audit log names', async () => {
    const contact = await makeContact()
    const { id } = await added(contact, 'Call her Tina')
    const change = (as: MadeUser, text: string) => fixture.run<Note>(as, UPDATE, { id, patch: { text } })
    expect(await change(fixture.ben, 'No')).toMatchObject({ code: 'FORBIDDEN' })
    expect((await change(fixture.ann, 'Call her Dina')).value).toMatchObject({ text: 'Call her Dina', version: 2 })
    // The same text changes nothing.
    expect((await change(fixture.ann, 'Call her Dina')).value).toMatchObject({ version: 2 })
    expect((await change(fixture.admin, 'Call her Ms Dina')).value).toMatchObject({ version: 3 })
    expect(await fixture.run(fixture.ben, DELETE, { id })).toMatchObject({ code: 'FORBIDDEN' })
    expect((await fixture.run(fixture.admin, DELETE, { id })).value).toBe(id)
    expect(await textsOf(contact)).toEqual([])
    const entries = await rows(
      `select action, actor, object, details::text from audit_entry where object ->> 'id' = $1 order by at, id`,
      [id],
    )
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['updateContactNote', { kind: 'user', id: fixture.admin.id }],
      ['deleteContactNote', { kind: 'user', id: fixture.admin.id }],
    ])
    // The log outlives what it names: it has no words of it.
    expect(JSON.stringify(entries)).not.toContain('Dina')
  })

  it('are not changed by two at once: the second is told what is there', async () => {
    const contact = await makeContact()
    const { id, version } = await added(contact, 'A draft')
    const edits = ['one', 'two'].map((text) =>
      fixture.run<Note>(fixture.ann, UPDATE, { id, patch: { text, ifVersion: version } }),
    )
    const answers = await Promise.all(edits)
    const refused = answers.find(({ code }) => code)!
    expect(refused).toMatchObject({ code: 'PRECONDITION_FAILED', details: { reason: 'OTHER_VERSION', version: 2 } })
    expect(answers.filter(({ code }) => !code).length).toBe(1)
    const tagged = await fixture.rest(
      fixture.ann,
      'PATCH',
      `/v2/contacts/${contact}/notes/${id}`,
      { text: 'three' },
      { 'if-match': '"1"' },
    )
    expect(tagged.status).toBe(412)
  })

  it('are out of sight of consumers, viewers and other customers, and in sight of the centre above', async () => {
    const { value: session } = await fixture.run<{
      tokens: { token: string }
      contactId: string
      conversationId: string
    }>(
      null,
      'mutation ($service: ID!) { startGuestSession(service: $service) { tokens { token } contactId conversationId } }',
      { service: (await fixture.rest(fixture.admin, 'POST', '/v2/services', { type: 'web', params: {} })).body.id },
    )
    const note = await added(session.contactId, 'Secret')
    const guest = session.tokens.token
    for (const [text, variables] of [
      [LIST, { contact: session.contactId }],
      [ONE, { id: note.id }],
      [ADD, { contact: session.contactId, text: 'Mine' }],
      [UPDATE, { id: note.id, patch: { text: 'Mine' } }],
      [DELETE, { id: note.id }],
      ['query ($contact: ID!) { contactTimeline(contact: $contact) { totalCount } }', { contact: session.contactId }],
    ] as const) {
      const outcome = await fixture.run<unknown>(guest, text, variables)
      expect([outcome.code, outcome.value ?? null]).toEqual(['FORBIDDEN', null])
    }
    const ofOwn = await fixture.run<{ contact: { timeline: unknown } }>(
      guest,
      'query ($id: ID!) { conversation(id: $id) { contact { timeline { totalCount } } } }',
      { id: session.conversationId },
    )
    expect([ofOwn.code, ofOwn.value]).toEqual([undefined, { contact: { timeline: null } }])
    const byNode = await fixture.run<unknown>(
      guest,
      'query ($id: ID!) { node(id: $id) { ... on ContactNote { text } } }',
      { id: note.id },
    )
    expect([byNode.code, byNode.value ?? null]).toEqual(['NOT_FOUND', null])
    const viewer = await fixture.makeAgent({ role: 'viewer' })
    expect(await fixture.run(viewer, LIST, { contact: session.contactId })).toMatchObject({ code: 'FORBIDDEN' })

    const customer = await fixture.makeOrganization({ parent: fixture.organization, name: 'Customer' })
    const rival = await fixture.makeOrganization({ parent: fixture.organization, name: 'Rival' })
    const [theirs, strange] = [
      await fixture.makeAgent({ organization: customer }),
      await fixture.makeAgent({ organization: rival }),
    ]
    const { body } = await fixture.rest(fixture.admin, 'POST', '/v2/contacts', {
      organization: customer.id,
      profile: { name: 'C' },
    })
    const id = body.id as string
    const below = await added(id, 'From the centre')
    expect(await textsOf(id, theirs)).toEqual(['From the centre'])
    await added(id, 'From the customer', theirs)
    expect(await textsOf(id)).toEqual(['From the customer', 'From the centre'])
    for (const [text, variables] of [
      [LIST, { contact: id }],
      [ONE, { id: below.id }],
      [ADD, { contact: id, text: 'Mine' }],
      [UPDATE, { id: below.id, patch: { text: 'Mine' } }],
      [DELETE, { id: below.id }],
    ] as const)
      expect(await fixture.run(strange, text, variables)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await textsOf(session.contactId, theirs).catch(() => null)).toBeNull()
  })

  it('are found under their own contact only', async () => {
    const [one, other] = [await makeContact(), await makeContact()]
    const { id } = await added(one, 'Of one')
    expect(await fixture.run(fixture.ann, UPDATE, { id, contact: other, patch: { text: 'x' } })).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await fixture.rest(fixture.ann, 'DELETE', `/v2/contacts/${other}/notes/${id}`)).status).toBe(404)
    expect((await fixture.rest(fixture.ann, 'GET', `/v2/contacts/${other}/notes/${id}`)).status).toBe(404)
    expect((await fixture.rest(fixture.ann, 'DELETE', `/v2/contacts/${one}/notes/${id}`)).status).toBe(204)
  })

  it('stay when their author is deleted, with the name', async () => {
    const contact = await makeContact()
    const author = await fixture.makeAgent({ displayName: 'Dora' })
    const { id } = await added(contact, 'From Dora', author)
    const removed = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: author.id })
    expect(removed.message).toBeUndefined()
    const { value } = await fixture.run<Note>(fixture.ann, ONE, { id })
    expect(value).toMatchObject({ text: 'From Dora', authorName: 'Dora', author: null })
  })

  describe('live', () => {
    it('are told of on another node, what was added, changed and deleted, and after a reconnection what was missed', async () => {
      const [contact, stranger] = [await makeContact(), await makeContact()]
      const live = await hear(contact)
      expect(await live.next()).toMatchObject({ __typename: 'ContactChangesSnapshot', resync: false })
      await added(stranger, 'Of another')
      const { id } = await added(contact, 'New')
      const first = await live.next()
      expect(first).toMatchObject({ contactId: contact, noteId: id, change: 'CREATED' })
      live.stop()
      await fixture.run(fixture.ann, UPDATE, { id, patch: { text: 'Newer' } })
      await fixture.run(
        fixture.bot,
        'mutation ($id: ID!) { updateContact(id: $id, patch: { meta: { tier: "gold" } }) { id } }',
        { id: contact },
      )
      await fixture.run(fixture.ann, DELETE, { id })
      const again = await hear(contact, { node: fixture, after: first.cursor })
      expect(await again.next()).toMatchObject({ noteId: id, change: 'UPDATED' })
      expect(await again.next()).toMatchObject({ contactId: contact, noteId: null, change: 'UPDATED' })
      expect(await again.next()).toMatchObject({ noteId: id, change: 'DELETED' })
    })

    it('are told of a contact that was merged meanwhile', async () => {
      const [one, other] = await Promise.all([fixture.inStatus('QUEUED'), fixture.inStatus('QUEUED')])
      const live = await hear(one.contactId)
      await live.next()
      expect((await fixture.command(fixture.ann, one.id, `/import ${other.id}`)).code).toBeUndefined()
      // It begins anew when it learns of the merge.
      await live.next(({ __typename }) => __typename === 'ContactChangesSnapshot')
      const { id } = await added(other.contactId, 'Of the other')
      expect(await live.next(({ noteId }) => noteId === id)).toMatchObject({ contactId: other.contactId })
    })

    it('is refused to guests, and of contacts out of sight', async () => {
      const rival = await fixture.makeOrganization({ name: 'Elsewhere' })
      const strange = await fixture.makeAgent({ organization: rival })
      await expect((await hear(await makeContact(), { as: strange })).next()).rejects.toThrow('NOT_FOUND')
    })
  })

  describe('erasure', () => {
    it('leaves nothing of them: no row, no answer, no body of a webhook', async () => {
      const word = 'zqnotedword'
      const hook = await hooks.register(fixture.admin, { events: ['contactNote.*'] })
      const failing = await hooks.register(fixture.admin, { events: ['contactNote.*'] }, (receiver) => {
        receiver.answer = ({ body }) => ({ status: 500, body })
      })
      await hooks.reach(fixture.admin, failing.id, 'active')
      const contact = await makeContact()
      const { value } = await add(contact, `She said ${word}`, fixture.ann, 'erased-key')
      await until(async () => (await hooks.service(fixture.admin, hook.id)).webhook?.pending === 0)
      expect(hook.receiver.received.map(({ json }) => json)).toMatchObject([
        {
          event: 'contactNote.create',
          data: { contactNote: { id: value.id, text: `She said ${word}`, contact, author: fixture.ann.id } },
        },
      ])
      await until(
        () => Promise.resolve(failing.receiver.received.length),
        (count) => count > 0,
      )
      expect((await fixture.run(fixture.admin, ERASE, { id: contact })).value).toBe(contact)
      const holding = (): Promise<string[]> => tablesWith(fixture.server.database, word)
      await until(holding, (found) => found.length === 0)
      expect(await holding()).toEqual([])
    })

    it('leaves nothing of a note that was deleted before, in webhooks that have not delivered it', async () => {
      const word = 'zqretractedword'
      const failing = await hooks.register(fixture.admin, { events: ['contactNote.*'] }, (receiver) => {
        receiver.answer = ({ body }) => ({ status: 500, body })
      })
      await hooks.reach(fixture.admin, failing.id, 'active')
      const contact = await makeContact()
      const note = await added(contact, `Not so: ${word}`)
      await until(
        () => Promise.resolve(failing.receiver.received.length),
        (count) => count > 0,
      )
      const kept = () =>
        rows(
          'select 1 from webhook_event where body like $1 union all select 1 from webhook_attempt where response::text like $1',
          [`%${word}%`],
        )
      expect((await until(kept, (found) => found.length > 0)).length).toBeGreaterThan(0)
      expect((await fixture.run(fixture.ann, DELETE, { id: note.id })).value).toBe(note.id)
      expect((await fixture.run(fixture.admin, ERASE, { id: contact })).value).toBe(contact)
      await until(kept, (found) => found.length === 0)
    })

    it('and a note at the same time leave none behind', async () => {
      const contacts = await Promise.all(Array.from({ length: 12 }, () => makeContact('Racer')))
      const outcomes = await Promise.all(
        contacts.map(async (contact) => {
          const [note, erased] = await Promise.all([
            add(contact, 'In time?'),
            fixture.run(fixture.admin, ERASE, { id: contact }),
          ])
          return [note.code ?? 'ok', erased.code ?? 'ok']
        }),
      )
      expect(outcomes.every(([note, erased]) => ['ok', 'NOT_FOUND'].includes(note!) && erased === 'ok')).toBe(true)
      expect(await rows('select id from contact_note where contact_id = any($1::uuid[])', [contacts])).toEqual([])
    })
  })
})
