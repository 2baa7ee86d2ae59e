import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { recordStatements } from '../support/record-statements.js'
import { until } from '../support/until.js'

const ENTRY = `key kind at contactId conversationId intoId touchpoint channelIds userIds isByContact fields noteId ratingId
  form { name values } note { text } rating { score } conversation { id } users { displayName } channels { name }`
const TIMELINE = `query ($contact: ID!, $first: Int, $after: String, $before: String, $last: Int, $kinds: [TimelineKind!]) {
  contactTimeline(contact: $contact, first: $first, after: $after, before: $before, last: $last, kinds: $kinds) {
    edges { cursor node { ${ENTRY} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`

interface Entry {
  key: string
  kind: string
  at: string
  contactId: string
  conversationId: string | null
  intoId: string | null
  touchpoint: string | null
  channelIds: string[]
  userIds: string[]
  isByContact: boolean
  fields: string[]
  noteId: string | null
  form: { name: string; values: object } | null
  note: { text: string } | null
  rating: { score: number } | null
  conversation: { id: string } | null
  users: { displayName: string }[]
}
interface Page {
  edges: { cursor: string; node: Entry }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
  totalCount: number
}

describe('the timeline of a contact', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture({ GRAPHQL_COST_PER_MINUTE: '100000000' })
  })
  afterAll(() => fixture?.close())

  const ask = (contact: string, more: object = {}, as: MadeUser | string = fixture.ben) =>
    fixture.run<Page>(as, TIMELINE, { contact, ...more })
  const read = async (contact: string, more: object = {}, as: MadeUser | string = fixture.ben): Promise<Page> => {
    const { value, code, message } = await ask(contact, more, as)
    if (code) throw new Error(`${code}: ${message}`)
    return value
  }
  const entriesOf = async (contact: string, more: object = {}, as?: MadeUser): Promise<Entry[]> =>
    (await read(contact, more, as)).edges.map(({ node }) => node)
  const kindsOf = async (contact: string, more: object = {}): Promise<string[]> =>
    (await entriesOf(contact, more)).map(({ kind }) => kind)
  const note = (contact: string, text: string) =>
    fixture.run(fixture.ann, 'mutation ($c: ID!, $t: String!) { addContactNote(contact: $c, text: $t) { id } }', {
      c: contact,
      t: text,
    })
  const update = (contact: string, patch: object, as = fixture.bot) =>
    fixture.run(
      as,
      'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }',
      { id: contact, patch },
    )
  const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    fixture.server.database.query(text, values) as Promise<T[]>
  /** Makes conversations of a contact, each a second later than the one before, some of which were closed and reopened. */
  async function makeMany(count: number): Promise<string> {
    const { contactId, id } = await fixture.inStatus('CLOSED')
    const columns = await columnsOf('conversation')
    await sql(
      `with made as (
        insert into conversation (${columns.join(', ')}) select ${columns.map((name) => `r.${name}`).join(', ')}
        from conversation c, generate_series(1, $2) n, jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
          'slug', gen_random_uuid()::text, 'created_at', c.created_at - n * interval '1 hour',
          'closed_at', c.closed_at - n * interval '1 hour')) r where c.id = $1
        returning id, org1, created_at)
      insert into milestone (conversation_id, nth, kind, at, org1, user_id, channels)
      select made.id, nth, kind, made.created_at + nth * interval '1 second', made.org1, $3, array[$4::uuid]
      from made, (values (1, 'created'), (2, 'queued'), (3, 'accepted'), (4, 'closed'), (5, 'queued'), (6, 'accepted')) m(nth, kind)`,
      [id, count, fixture.ann.id, fixture.channel],
    )
    return contactId
  }
  async function columnsOf(table: string): Promise<string[]> {
    const rows = await sql<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    )
    return rows.map(({ name }) => name)
  }

  it('tells of conversations, who had them and in whose queue they were, newest first', async () => {
    const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(fixture.ann, id, '/accept')
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'hi' })
    await fixture.command(fixture.ann, id, '/leave')
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'again' })
    await fixture.command(fixture.ben, id, '/accept')
    const entries = await entriesOf(contactId)
    expect(entries.map(({ kind, users }) => [kind, users.map(({ displayName }) => displayName)])).toEqual([
      ['REOPENED', ['Ben']],
      ['CLOSED', ['Ann']],
      ['BEGUN', ['Ann']],
    ])
    for (const entry of entries)
      expect(entry).toMatchObject({
        contactId,
        conversationId: id,
        touchpoint: 'WEB',
        channelIds: [fixture.channel],
        conversation: { id },
      })
    expect(new Set(entries.map((entry) => entry.key)).size).toBe(3)
  })

  it('tells of a closing at once, while it can be undone, and not of one that was', async () => {
    const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(fixture.ann, id, '/accept')
    const close = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
    expect((await fixture.run(fixture.ann, close, { id })).code).toBeUndefined()
    const [closed] = await entriesOf(contactId)
    expect(closed).toMatchObject({ kind: 'CLOSED', userIds: [fixture.ann.id], channelIds: [fixture.channel] })
    await fixture.run(fixture.ann, 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }', { id })
    expect(await kindsOf(contactId)).toEqual(['BEGUN'])
  })

  it('keeps the name of a closing when the conversation goes on', async () => {
    const { id, contactId } = await fixture.inStatus('CLOSED')
    const [before] = await entriesOf(contactId, { kinds: ['CLOSED'] })
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'again' })
    const after = await entriesOf(contactId, { kinds: ['CLOSED'] })
    expect(after).toMatchObject([{ key: before!.key, at: before!.at }])
  })

  it('tells of notes, of changed fields by their names alone, of forms and of ratings', async () => {
    const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await note(contactId, 'Shelf B4')
    await update(
      contactId,
      { profile: { name: 'Zqsecret', email: 'zqsecret@example.com' }, meta: { tier: 'zqgold' } },
      fixture.admin,
    )
    await update(
      contactId,
      { profile: { name: 'Zqsecret', email: 'zqsecret@example.com', worksFor: 'Zqfirm' } },
      fixture.admin,
    )
    await update(
      contactId,
      { profile: { name: 'Zqsecret', email: 'zqsecret@example.com', worksFor: 'Zqfirm' } },
      fixture.admin,
    )
    await update(contactId, { status: 'BLOCKED' })
    const form = (
      await fixture.rest(fixture.admin, 'POST', '/v2/forms', {
        name: 'Your boat',
        isStatic: true,
        fields: [{ key: 'boat' }],
      })
    ).body.id as string
    await fixture.send(fixture.ann, id, { type: 'FIELD', role: 'AGENT', text: '.boat Meltemi', meta: { form } })
    await fixture.command(fixture.ann, id, '/send')
    await sql(
      `insert into rating (id, organization_id, org1, created_at, updated_at, conversation_id, case_conversation_id, case_at, contact_id,
         channel_id, channels, user_id, scale, asked_at, expires_at, score, rated_at)
       select gen_random_uuid(), organization_id, org1, now(), now(), id, id, created_at, contact_id, $2, array[$2::uuid], $3, 'five', created_at,
         created_at + interval '1 day', 5, now() + interval '1 hour' from conversation where id = $1`,
      [id, fixture.channel, fixture.ann.id],
    )
    const entries = await entriesOf(contactId)
    expect(entries[0]).toMatchObject({ kind: 'RATING', rating: { score: 5 }, isByContact: true, conversationId: id })
    const byKind = (kind: string): Entry[] => entries.filter((entry) => entry.kind === kind)
    expect(byKind('FORM')).toMatchObject([
      { form: { name: 'Your boat', values: { boat: 'Meltemi' } }, conversationId: id },
    ])
    expect(byKind('NOTE')).toMatchObject([{ note: { text: 'Shelf B4' }, userIds: [fixture.ann.id], contactId }])
    // What one user changes within minutes is one entry.
    expect(byKind('CHANGE')).toMatchObject([
      { fields: ['status'], userIds: [fixture.bot.id] },
      {
        fields: ['meta.tier', 'profile.email', 'profile.name', 'profile.worksFor'],
        userIds: [fixture.admin.id],
        isByContact: false,
      },
    ])
    expect(JSON.stringify(byKind('CHANGE'))).not.toContain('zq')
    expect(await sql('select 1 from contact_change where contact_change::text ilike $1', ['%zq%'])).toEqual([])
  })

  it('says whether the contact, an agent by a form, or a command changed it', async () => {
    const service = (await fixture.rest(fixture.admin, 'POST', '/v2/services', { type: 'web', params: {} })).body.id
    const { value: session } = await fixture.run<{
      tokens: { token: string }
      contactId: string
      conversationId: string
    }>(
      null,
      'mutation ($service: ID!) { startGuestSession(service: $service) { tokens { token } contactId conversationId } }',
      { service },
    )
    const { contactId, conversationId } = session
    const said = await fixture.run(session.tokens.token, 'mutation { identifyGuest(profile: { name: "Bo" }) }')
    expect(said.code).toBeUndefined()
    await fixture.send(fixture.ann, conversationId, {
      type: 'FIELD',
      role: 'AGENT',
      text: '.x Firm',
      meta: { key: 'worksFor' },
    })
    await until(
      () => entriesOf(contactId, { kinds: ['CHANGE'] }),
      (found) => found.length === 2,
    )
    await fixture.command(fixture.ben, conversationId, '/block')
    expect(await entriesOf(contactId, { kinds: ['CHANGE'] })).toMatchObject([
      { fields: ['status'], userIds: [fixture.ben.id], isByContact: false },
      { fields: ['profile.worksFor'], userIds: [fixture.ann.id], isByContact: false },
      { fields: ['profile.name'], userIds: [], isByContact: true },
    ])
  })

  it('is one with that of a contact that was merged: its notes and conversations go along', async () => {
    const [one, other, third] = await Promise.all([1, 2, 3].map(() => fixture.inStatus('QUEUED')))
    await note(other!.contactId, 'Of the other')
    const merging = fixture.command(fixture.ann, one!.id, `/import ${other!.id}`)
    // A note that is written while they are merged.
    await Promise.all([merging, note(other!.contactId, 'Meanwhile'), note(one!.contactId, 'Of the one')])
    expect((await merging).code).toBeUndefined()
    await fixture.command(fixture.ben, third!.id, `/import ${one!.id}`)
    const all = await Promise.all([one!, other!, third!].map(({ contactId }) => entriesOf(contactId)))
    expect(all[1]).toEqual(all[0])
    expect(all[2]).toEqual(all[0])
    const [entries] = all
    const notes = entries!.filter(({ kind }) => kind === 'NOTE').map((entry) => entry.note!.text)
    expect(notes.toSorted()).toEqual(['Meanwhile', 'Of the one', 'Of the other'])
    expect(entries!.filter(({ kind }) => kind === 'MERGE')).toMatchObject([
      { conversationId: one!.id, intoId: third!.id, userIds: [fixture.ben.id], contactId: one!.contactId },
      { conversationId: other!.id, intoId: one!.id, userIds: [fixture.ann.id], contactId: other!.contactId },
    ])
    expect(entries!.filter(({ kind }) => kind === 'BEGUN').length).toBe(3)
    const { value } = await fixture.run<{ totalCount: number }>(
      fixture.ben,
      'query ($c: ID!) { contactNotes(contact: $c) { totalCount } }',
      { c: third!.contactId },
    )
    expect(value.totalCount).toBe(3)
    // Erasing one takes what was noted of it, and leaves the others theirs.
    for (const { id } of [third!]) await fixture.command(fixture.ben, id, '/accept')
    expect(
      (await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: other!.contactId }))
        .code,
    ).toBeUndefined()
    const left = await entriesOf(third!.contactId, { kinds: ['NOTE', 'MERGE'] })
    expect(left.filter(({ kind }) => kind === 'NOTE').map((entry) => entry.note!.text)).toEqual(['Of the one'])
    expect(left.filter(({ kind }) => kind === 'MERGE').length).toBe(1)
  })

  it('shows what the caller may see: nothing of another customer, and of conversations elsewhere nothing', async () => {
    const rival = await fixture.makeOrganization({ parent: fixture.organization, name: 'Rival' })
    const strange = await fixture.makeAgent({ organization: rival })
    const { contactId } = await fixture.inStatus('QUEUED')
    expect(await ask(contactId, {}, strange)).toMatchObject({ code: 'NOT_FOUND' })
    const viewer = await fixture.makeAgent({ role: 'viewer' })
    expect(await ask(contactId, {}, viewer)).toMatchObject({ code: 'FORBIDDEN' })
    const customer = await fixture.makeOrganization({ parent: fixture.organization, name: 'Customer' })
    const theirs = await fixture.makeAgent({ organization: customer })
    const { body } = await fixture.rest(fixture.admin, 'POST', '/v2/contacts', {
      organization: customer.id,
      profile: { name: 'C' },
    })
    const contact = body.id as string
    await note(contact, 'From the centre')
    const { id } = await fixture
      .create({ contact: undefined, contactId: contact, organization: customer.id })
      .catch(() => ({ id: null }))
    expect((await entriesOf(contact, { kinds: ['NOTE'] }, theirs))[0]).toMatchObject({
      note: { text: 'From the centre' },
    })
    // A conversation that stands elsewhere, as data of another release could.
    if (id)
      await sql('update conversation set organization_id = $2, org2 = null where id = $1', [
        id,
        fixture.organization.id,
      ])
    expect(await entriesOf(contact, { kinds: ['BEGUN'] }, theirs)).toEqual([])
  })

  it('pages backward in time without a gap or a repeat, and forward for what came since', async () => {
    const contact = await makeMany(40)
    const whole: Entry[] = []
    let after: string | null = null
    do {
      const page: Page = await read(contact, { first: 17, after })
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null)
      whole.push(...page.edges.map(({ node }) => node))
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
    } while (after)
    const { totalCount, pageInfo } = await read(contact, { first: 50 })
    expect(whole.length).toBe(totalCount)
    expect(new Set(whole.map(({ key }) => key)).size).toBe(totalCount)
    // 41 begun and closed, of which 40 were closed and reopened before.
    expect(totalCount).toBe(41 * 2 + 40 * 2)
    const times = whole.map(({ at }) => new Date(at).getTime())
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    const third = await read(contact, { first: 30 })
    const back = await read(contact, { last: 4, before: third.edges[20]!.cursor })
    expect(back.edges.map(({ node }) => node.key)).toEqual(whole.slice(16, 20).map(({ key }) => key))
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    expect((await read(contact, { last: 3 })).edges.map(({ node }) => node.key)).toEqual(
      whole.slice(-3).map(({ key }) => key),
    )
    await note(contact, 'Since')
    const since = await read(contact, { before: pageInfo.startCursor })
    expect(since.edges.map(({ node }) => node.kind)).toEqual(['NOTE'])
    expect(await kindsOf(contact, { kinds: [] })).toEqual([])
  })

  it('refuses lengths and cursors that are none', async () => {
    const { contactId } = await fixture.inStatus('QUEUED')
    for (const [more, field] of [
      [{ first: 0 }, 'first'],
      [{ first: 51 }, 'first'],
      [{ last: 51 }, 'last'],
      [{ first: 5, last: 5 }, 'last'],
      [{ after: 'x' }, 'after'],
      [{ before: Buffer.from('["1","note:a\'b"]').toString('base64url') }, 'before'],
      [{ after: Buffer.from('["99999999999999999999","note:a"]').toString('base64url') }, 'after'],
    ] as const)
      expect(await ask(contactId, more)).toMatchObject({ code: 'BAD_USER_INPUT', details: { field } })
    expect(
      (await read(contactId, { after: Buffer.from('["99999999999999999","note:a"]').toString('base64url') })).edges
        .length,
    ).toBeGreaterThan(0)
  })

  it('reads a contact of 1,000 conversations by indexes, with few statements', async () => {
    const contact = await makeMany(1_000)
    // What the jobs of the server read at the same moment is recorded too: the read alone is the shortest of several.
    const reads: string[][] = []
    for (let n = 0; n < 5; n++) {
      const recorded = recordStatements()
      await read(contact, { first: 50 })
      recorded.stop()
      reads.push(recorded.statements)
    }
    const statement = reads[0]!.find((text) => text.startsWith('with own as'))!
    // The page, its number of entries, and who had the conversations of the page.
    const counts = reads.map((statements) => statements.filter((text) => text.includes(' milestone ')).length)
    expect(Math.min(...counts)).toBe(3)
    // Others' conversations, so that reading all of them would be the wrong way.
    await makeMany(6_000)
    await sql('analyze milestone, conversation, contact_note, contact_change, contact_merge, rating')
    const plan = await sql<Record<string, string>>(`explain ${statement}`, [
      [contact],
      fixture.organization.id,
      fixture.organization.id,
    ])
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toContain('milestone_closed')
    expect(text).not.toMatch(/Seq Scan on (milestone|conversation)/)
    expect(text).toMatch(/conversation_contact/)
  })
})
