import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { newContact, texts, until } from '../conversations/conversation-fixture.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import { streamsOf } from '../conversations/streams-fixture.js'
import { letNextComeDue } from '../support/next-job.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { erasureDone } from './erasure-done.js'
import { tablesWith } from './tables-with.js'

let office: Office
let beside: TestServer
let hooks: Hooks
let outside: pg.Client
beforeAll(async () => {
  office = await startOffice({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 50 })
  beside = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: office, pace: 50 })
  hooks = createHooks(office)
  outside = new pg.Client({ connectionString: office.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await hooks?.close()
  await beside?.close()
  await office?.close()
})

interface Begun {
  id: string
  status: string
  contactId: string
  reason: string
  conversations: number
  messages: number
  notes: number
  finishedAt: string | null
}

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => office.server.database.query(text, values)
const ERASURE = 'id status contactId reason conversations messages notes finishedAt'
const erase = (id: string, as = office.admin) =>
  office.run<Begun>(as, `mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { ${ERASURE} } }`, { id })
const erasureOf = async (id: string): Promise<Begun> =>
  (await office.run<Begun>(office.admin, `query ($id: ID!) { contactErasure(id: $id) { ${ERASURE} } }`, { id })).value

const done = async (id: string): Promise<Begun> => {
  await erasureDone(office, id)
  return erasureOf(id)
}

const placesOf = (word: string): Promise<string[]> => tablesWith(office.server.database, word)

const isGone = (word: string) =>
  until(
    () => placesOf(word),
    (found) => found.length === 0,
  )
const eventsOf = (stream: string, type: string) =>
  sql<{ data: Record<string, unknown> }>('select data from event where stream = $1 and type = $2 order by number', [
    stream,
    type,
  ])
const holdUp = async (conversation: string): Promise<void> => {
  await outside.query('begin')
  await outside.query('select from conversation where id = $1 for no key update', [conversation])
}
const letGo = () => outside.query('commit')

describe('erasing a contact whose conversations are open', () => {
  it('withdraws what is offered, waits, is written and will be sent, and leaves none of its words', async () => {
    const word = 'zqopen'
    const hook = await hooks.register(office.admin)
    const agent = await office.makeUser({ organization: office.admin.organization })
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [agent])
    await office.ready(agent)
    const contact = { profile: { name: `Olga ${word}`, email: `${word}@example.com` } }
    const said = { role: 'CONTACT', text: `hello ${word}` }
    const { id: offered, contactId } = await office.create({ contact, messages: [said] })
    await office.command(office.admin, offered, '/notify', { meta: { channels: [channel] } })
    const { offer } = await office.offered(offered, agent)
    const other = (text: string) =>
      office.create({ contact: { id: contactId }, messages: [{ role: 'CONTACT', text }] }).then(({ id }) => id)
    const active = await other(`second ${word}`)
    await office.command(office.ann, active, '/accept')
    await office.send(office.ann, active, { role: 'AGENT', text: `later ${word}`, delay: 3_600_000 })
    const streamed = await other(`third ${word}`)
    const streams = streamsOf(office)
    const { value: stream } = await streams.begin(office.bot, streamed)
    await streams.append(office.bot, stream.id, 0, `dear ${word}`)
    const theirs = await office.create({ messages: [{ role: 'CONTACT', text: 'mine stays' }] })
    const merged = await other(`merged ${word}`)
    const merge = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
    expect((await office.run(office.ann, merge, { id: theirs.id, origin: merged })).code).toBeUndefined()
    const note = 'mutation ($id: ID!, $text: String!) { addContactNote(contact: $id, text: $text) { id } }'
    await office.run(office.ann, note, { id: contactId, text: `known ${word}` })
    const guest = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    const { token } = (await office.run<{ token: string }>(office.admin, guest, { id: active })).value
    await until(async () => hook.receiver.received.some(({ body }) => body.includes(`third ${word}`)))

    const { value: begun } = await erase(contactId)
    expect(begun).toMatchObject({ contactId, reason: 'REQUESTED', finishedAt: null })
    const ended = await done(begun.id)
    expect(ended).toMatchObject({ status: 'DONE', conversations: 4, notes: 1 })
    expect(ended.messages).toBeGreaterThanOrEqual(4)
    expect(ended.finishedAt).not.toBeNull()
    await isGone(word)

    const withdrawn = (await eventsOf(`user:${agent.id}`, 'offer.ended')).map(({ data }) => [data.offer, data.outcome])
    expect(withdrawn).toContainEqual([offer!.id, 'withdrawn'])
    const left = (await eventsOf(`channel:${channel}`, 'queue.removed')).map(({ data }) => data)
    expect(left).toContainEqual({ channel, conversation: offered, reason: 'deleted' })
    expect((await streams.append(office.bot, stream.id, 5, 'more')).code).toBe('NOT_FOUND')
    expect((await office.send(token, active, { text: 'hello?' })).code).toBe('UNAUTHENTICATED')
    expect((await erase(contactId)).code).toBe('NOT_FOUND')
    const stays = (await office.show(theirs.id)).messages.edges.map(({ node }) => node.text)
    expect(stays).toContain('mine stays')
    expect(stays.filter((text) => text?.includes('merged'))).toEqual([])
    const told = await until(
      () => hook.receiver.received.filter(({ json }) => json.event === 'contact.erased'),
      (all) => all.length > 0,
    )
    expect(told.map(({ json }) => json.data.contact)).toMatchObject([{ id: contactId, erasure: begun.id }])
  })

  it('makes its addresses a new contact’s at once, and ends what it is signed in to', async () => {
    const email = 'zqagain@example.com'
    const profile = { name: 'Zqagain', email }
    const { id, contactId } = await office.create({
      contact: { profile },
      messages: [{ role: 'CONTACT', text: 'hello' }],
    })
    const guest = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    const { token } = (await office.run<{ token: string }>(office.admin, guest, { id })).value
    const ask = { query: 'query ($id: ID!) { conversation(id: $id) { id } }', variables: { id } }
    const askThere = () => beside.gql(token, ask.query, ask.variables)
    expect((await askThere()).errors).toBeUndefined()
    await holdUp(id)
    const { value: begun } = await erase(contactId)
    expect(begun.status).toBe('WITHDRAWING')
    // The erasure waits for the conversation; the rest is done.
    const shown = await office.run<{ profile: { name: string | null } }>(
      office.admin,
      'query ($id: ID!) { contact(id: $id) { profile { name email } } }',
      { id: contactId },
    )
    expect(shown.value).toEqual({ profile: { name: null, email: null } })
    await until(async () => (await askThere()).errors?.[0]?.extensions.code === 'UNAUTHENTICATED')
    const again = await office.create({ contact: { profile }, messages: [{ role: 'CONTACT', text: 'me again' }] })
    expect(again.contactId).not.toBe(contactId)
    const known = await office.tryCreate({ contact: { id: contactId } })
    expect(known.code).toBe('NOT_FOUND')
    const change = `mutation ($id: ID!) { updateContact(id: $id, patch: { profile: { name: "back" } }) { id } }`
    expect((await office.run(office.admin, change, { id: contactId })).code).toBe('NOT_FOUND')
    // Asked for twice, it is the same.
    expect((await erase(contactId)).value.id).toBe(begun.id)
    await letGo()
    await done(begun.id)
    expect(await sql('select 1 from contact where id = $1', [contactId])).toEqual([])
    expect(texts(await office.show(again.id))).toEqual(['me again'])
    expect(await sql('select 1 from erasure where contact_id = $1', [contactId])).toHaveLength(1)
  })

  it('takes conversations with it that begin meanwhile', async () => {
    const { id, contactId } = await office.create({ contact: newContact('zqlate'), messages: [] })
    await holdUp(id)
    const { value: begun } = await erase(contactId)
    // As of one who looked the contact up before.
    const [{ columns }] = (await sql<{ columns: string }>(
      `select string_agg(column_name, ', ') as columns from information_schema.columns
       where table_name = 'conversation' and is_generated = 'NEVER'`,
    )) as [{ columns: string }]
    const [late] = await sql<{ id: string }>(
      `insert into conversation (${columns}) select ${columns.replace(/^id,|, id,/, (all) => all.replace('id', 'gen_random_uuid()')).replace(', slug', ', gen_random_uuid()::text')}
       from conversation where id = $1 returning id`,
      [id],
    )
    await letGo()
    expect(await done(begun.id)).toMatchObject({ conversations: 2 })
    expect(await eventsOf(`conversation:${late!.id}`, 'conversation.removed')).toHaveLength(1)
  })
})

describe('the list of erasures', () => {
  it('has a line of each, also of deleted contacts, for administrators of the organization alone', async () => {
    const { contactId } = await office.inStatus('CLOSED')
    expect(
      (await office.run(office.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contactId })).code,
    ).toBeUndefined()
    const first = await office.rest(office.admin, 'GET', '/v2/erasures?limit=1')
    const { erasure } = JSON.parse(first.body)
    const rest = await office.rest(office.admin, 'GET', `/v2/erasures?after=${erasure}`)
    const lines = String(rest.body)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toEqual({
      erasure: expect.any(String),
      contact: contactId,
      organization: office.admin.organization.id,
      reason: 'other',
      at: expect.any(String),
    })
    const elsewhere = await office.makeUser({
      organization: await office.makeOrganization({ name: 'Elsewhere' }),
      role: 'admin',
    })
    expect(
      (await office.run(elsewhere, 'query ($id: ID!) { contactErasure(id: $id) { id } }', { id: erasure })).code,
    ).toBe('NOT_FOUND')
    const none = await office.rest(elsewhere, 'GET', '/v2/erasures')
    expect(none.body).toEqual('')
    expect((await office.rest(office.ann, 'GET', '/v2/erasures')).status).toBe(403)
    const theirs = await office.create()
    expect((await erase(theirs.contactId, elsewhere)).code).toBe('NOT_FOUND')
    expect((await erase(theirs.contactId, office.ann)).code).toBe('FORBIDDEN')
    const wrong = await office.rest(office.admin, 'POST', `/v2/contacts/${theirs.contactId}/erasure`, {
      reason: 'Jo asked',
    })
    expect(wrong).toMatchObject({ status: 400, body: { field: 'reason', reason: 'INVALID_VALUE' } })
    for (const query of ['limit=0', 'after=x', 'since=yesterday'])
      expect((await office.rest(office.admin, 'GET', `/v2/erasures?${query}`)).status).toBe(400)
  })

  it('is audited', async () => {
    const { contactId } = await office.create()
    const made = await office.rest(office.admin, 'POST', `/v2/contacts/${contactId}/erasure`, { reason: 'unlawful' })
    expect(made).toMatchObject({ status: 201, body: { contact: contactId, reason: 'unlawful' } })
    const entries = await sql('select action, object from audit_entry where action = $1 and object ->> $2 = $3', [
      'eraseContact',
      'id',
      contactId,
    ])
    expect(entries).toEqual([{ action: 'eraseContact', object: { type: 'contact', id: contactId } }])
  })
})

/** Sessions of the database that are ended in the middle of what they do. */
const KILLS = 50

describe('an erasure', () => {
  it('is done once, whatever stops it: its database sessions are ended again and again, and another node goes on', async () => {
    const word = 'zqkilled'
    const { contactId } = await office.create({
      contact: { profile: { name: `Kim ${word}`, email: `${word}@example.com` } },
      messages: [{ role: 'CONTACT', text: `first ${word}` }],
    })
    for (let nth = 0; nth < 30; nth += 1)
      await office.create({ contact: { id: contactId }, messages: [{ role: 'CONTACT', text: `${nth} ${word}` }] })
    const { value: begun } = await erase(contactId)
    let kills = 0
    await until(
      async () => {
        if (kills < KILLS) {
          const killed = await outside.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
          )
          kills += killed.rowCount ?? 0
        }
        await letNextComeDue(office, 'contact.erase').catch(() => undefined)
        return (await outside.query('select 1 from contact where id = $1', [contactId])).rowCount
      },
      (left) => left === 0,
    )
    expect(kills).toBeGreaterThan(0)
    // By SQL: the clock has gone past the sign-ins of the test.
    const [row] = await until(
      async () => {
        await letNextComeDue(office, 'privacy.erase').catch(() => undefined)
        const rows = await outside.query('select status, conversations from erasure where id = $1', [begun.id])
        return rows.rows as { status: string; conversations: number }[]
      },
      ([found]) => found!.status === 'done',
    )
    expect(row).toMatchObject({ conversations: 31 })
    await isGone(word)
    const removed = await eventsOf(`organization:${office.admin.organization.id}`, 'contact.deleted')
    expect(removed.filter(({ data }) => data.id === contactId)).toHaveLength(1)
  })
})
