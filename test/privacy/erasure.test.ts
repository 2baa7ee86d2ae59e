import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PERSONAL_DATA } from '../../src/modules/privacy/personal-data.js'
import { EVENT_TYPES, redactEvent } from '../../src/modules/privacy/redact-event.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { PNG, uploadWords } from '../support/upload-image.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { rawMail } from '../touchpoints/email/mails.js'
import { APP, startGraph, type Graph } from '../touchpoints/messenger/graph.js'
import { ACCOUNT, startTwilio, type Twilio } from '../touchpoints/sms/twilio.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { filesWith } from './files-with.js'

const MAIL_SECRET = 'an inbound secret of the test'
const PUBLIC_URL = 'https://chat.example'
const store = mkdtempSync(join(tmpdir(), 'erasure-'))

let fixture: ConversationFixture
let hooks: Hooks
let twilio: Twilio
let graph: Graph
beforeAll(async () => {
  fixture = await startConversationFixture({
    DATA_DIR: store,
    PUBLIC_URL,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    TRUST_PROXY: 'true',
  })
  hooks = createHooks(fixture)
  twilio = await startTwilio()
  graph = await startGraph()
})
afterAll(async () => {
  await hooks.close()
  await fixture.close()
  await twilio.close()
  await graph.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const must = async <T>(as: Parameters<ConversationFixture['run']>[0], query: string, variables: object): Promise<T> => {
  const { value, message } = await fixture.run<T>(as, query, variables as Record<string, unknown>)
  if (message) throw new Error(message)
  return value
}
const makeService = async (type: string, params: object): Promise<string> => {
  const input = { type, params }
  return (
    await must<{ id: string }>(
      fixture.admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input },
    )
  ).id
}
const remove = (id: string) => fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id })

/** Tables with a row that holds one of the words, and how many. */
async function rowsWith(words: readonly string[]): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(
      `select t::text as row from ${name} t where exists (select 1 from unnest($1::text[]) w where t::text ilike '%' || w || '%')`,
      [words],
    )
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}

/** Every name that a consumer gives somewhere has this in it, and each place another ending. */
const MARK = 'zqcanary'

describe('deleting a contact', () => {
  it('leaves nothing that the contact sent by any touchpoint, in any row or file', async () => {
    const { admin, ann, ben } = fixture
    const hook = await hooks.register(admin)
    hook.receiver.answer = ({ body }) => ({ status: 200, body: JSON.stringify({ echo: body }) })
    // One that fails, whose deliveries wait.
    const failing = await hooks.register(admin, {}, (receiver) => {
      receiver.answer = ({ body }) => ({ status: 500, body })
    })
    await hooks.reach(admin, failing.id, 'active')

    // The web.
    const web = await makeService('web', {})
    const session = await must<{ tokens: { token: string }; contactId: string; conversationId: string }>(
      null,
      `mutation ($service: ID!, $profile: GuestProfileInput) { startGuestSession(service: $service, profile: $profile) {
        tokens { token } contactId conversationId } }`,
      { service: web, profile: { name: `Webb ${MARK}a`, email: `${MARK}b@example.com` } },
    )
    const { token: guest } = session.tokens
    const picture = await uploadWords(fixture, guest, `the bytes of ${MARK}d`, `${MARK}c.txt`)
    const say = (message: object, key?: string) => fixture.send(guest, session.conversationId, message, key)
    await say({ text: `hello ${MARK}e`, meta: { title: `page ${MARK}f`, url: `https://x.example/${MARK}g` } }, 'key-1')
    await say({ text: `see ${MARK}h`, meta: { fileId: picture } })
    await say({
      type: 'POSTBACK',
      text: `${MARK}i`,
      actions: [{ type: 'reply', text: `${MARK}j`, payload: `${MARK}i` }],
    })
    await fixture.command(ann, session.conversationId, '/follow')
    await fixture.command(ann, session.conversationId, '/assign', { meta: { users: [ben.id] } })
    await fixture.command(ann, session.conversationId, `/set @name Talk with ${MARK}k`)
    await fixture.command(ann, session.conversationId, `/set customer ${MARK}l`)
    const contract = await uploadWords(fixture, ann, `a contract with ${MARK}n`, `${MARK}m.txt`)
    await fixture.send(
      ann,
      session.conversationId,
      { role: 'AGENT', text: `dear ${MARK}o`, meta: { fileId: contract } },
      'key-2',
    )
    await fixture.send(ann, session.conversationId, { role: 'AGENT', text: `later ${MARK}p`, delay: 3_600_000 })
    await must(
      admin,
      'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }',
      {
        id: session.contactId,
        patch: {
          meta: { note: `${MARK}q` },
          profile: { name: `Webb ${MARK}r`, email: `${MARK}b@example.com`, telephone: '+31612345678' },
        },
      },
    )

    // A merge into another contact's conversation.
    const other = await fixture.create({ messages: [{ role: 'CONTACT', text: 'mine stays' }] })
    const merged = await fixture.create({
      contact: { id: session.contactId },
      messages: [{ role: 'CONTACT', text: `merged ${MARK}s` }],
    })
    await must(
      ann,
      'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }',
      {
        id: other.id,
        origin: merged.id,
      },
    )
    await fixture.command(ben, other.id, '/follow')

    // Email, SMS, messenger.
    const mail = await makeService('email', { address: 'support@boats.example', inboundSecret: MAIL_SECRET })
    const written = await fetch(`${fixture.url}/inbound/email/${mail}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': MAIL_SECRET },
      body: rawMail({
        from: `"${MARK}t" <${MARK}u@example.com>`,
        to: 'support@boats.example',
        subject: `${MARK}v`,
        text: `mail ${MARK}w`,
        messageId: `${MARK}x@example.com`,
        headers: { Cc: `"${MARK}I" <${MARK}J@example.com>`, 'Reply-To': `${MARK}K@example.com` },
        attachments: [
          { name: `${MARK}y.png`, type: 'image/png', content: Buffer.concat([PNG, Buffer.from(`attached ${MARK}z`)]) },
        ],
      }),
    })
    expect(written.status).toBe(200)
    // The answer names others, who are erased with the conversation: at once, and while it waits.
    const { conversation: mailed } = (await written.json()) as { conversation: string }
    const head = (end: string): object => ({
      cc: [`${MARK}L${end}@example.com`],
      bcc: [`${MARK}M${end}@example.com`],
      subject: `${MARK}N`,
      replyTo: `${MARK}O@example.com`,
    })
    await fixture.send(ann, mailed, { role: 'AGENT', text: 'to all', mail: head('1') })
    await fixture.send(ann, mailed, { role: 'AGENT', text: 'to all, later', delay: 3_600_000, mail: head('2') })
    const sms = await makeService('sms', { ...ACCOUNT, from: '+31 97 0102 5300', apiUrl: twilio.url })
    const text = (body: string, sid: string) =>
      twilio.call(
        `${fixture.url}/inbound/sms/${sms}`,
        {
          MessageSid: sid,
          AccountSid: ACCOUNT.accountSid,
          From: '+31687654321',
          To: '+3197010253',
          Body: body,
          NumMedia: '0',
        },
        { signedUrl: `${PUBLIC_URL}/inbound/sms/${sms}` },
      )
    await text(`text ${MARK}A`, `SM${MARK}B`)
    await text('STOP', `SM${MARK}C`)
    const messenger = await makeService('messenger', { ...APP, apiUrl: graph.url })
    graph.people.set(`${MARK}D`, { first_name: `${MARK}E`, last_name: `${MARK}F` })
    await graph.call(`${fixture.url}/inbound/messenger/${messenger}`, {
      object: 'page',
      entry: [
        {
          id: APP.pageId,
          time: Date.now(),
          messaging: [
            {
              sender: { id: `${MARK}D` },
              recipient: { id: APP.pageId },
              timestamp: Date.now(),
              message: { mid: `${MARK}G`, text: `messenger ${MARK}H` },
            },
          ],
        },
      ],
    })
    await until(
      () => sql('select 1 from contact_handle where address = $1', [`${MARK}D`]),
      (rows) => rows.length === 1,
    )
    const WORDS = [MARK, '31612345678', '31687654321']
    const holders = await sql<{ id: string }>(
      `select id from contact where profile::text ilike '%' || $1 || '%' or telephone = '+31687654321'
       or id in (select contact_id from contact_handle where address like $1 || '%')`,
      [MARK],
    )
    expect(holders).toHaveLength(4)
    await hook.receiver.next(({ body }) => body.includes(`${MARK}H`))
    expect(Object.keys(await rowsWith(WORDS)).length).toBeGreaterThan(8)
    expect((await filesWith(store, WORDS)).length).toBeGreaterThan(0)

    for (const { id } of holders) {
      const open = await sql<{ id: string }>(
        `select id from conversation where contact_id = $1 and status in ('queued', 'active')`,
        [id],
      )
      for (const conversation of open) {
        await fixture.send(ann, conversation.id, { role: 'AGENT', text: 'bye' })
        await fixture.command(ann, conversation.id, '/leave')
      }
      expect(await remove(id)).toEqual({ value: id, details: {} })
    }
    const left = async () =>
      sql(
        `select kind, run_at, attempts, last_error, now() from job where kind in ('privacy.erase', 'attachment.remove')`,
      )
    fixture.clock.advance(130_000)
    await until(left, (jobs) => jobs.length === 0)
    // The keys of jobs that are done are swept every few seconds.
    await until(
      () => rowsWith(WORDS),
      (found) => Object.keys(found).length === 0,
    )
    expect(await filesWith(store, WORDS)).toEqual([])

    // What is another's stays, as does what an address was known for.
    expect((await fixture.show(other.id)).messages.edges.map(({ node }) => node.text)).toContain('mine stays')
    expect(await text('Hello again', `SM${MARK}B`)).toMatchObject({ status: 200 })
    expect(await sql('select 1 from message where text = $1', ['Hello again'])).toEqual([])
    expect(await sql('select optedOut from (select count(*)::int as optedOut from opt_out) o')).toEqual([
      { optedout: 1 },
    ])
    expect(
      await fixture.send(
        ann,
        session.conversationId,
        { role: 'AGENT', text: `dear ${MARK}o`, meta: { fileId: contract } },
        'key-2',
      ),
    ).toMatchObject({ code: 'UNPROCESSABLE' })
  })

  it('leaves no words of a rating, also where they were told', async () => {
    const { admin, ann } = fixture
    const hook = await hooks.register(admin, { events: ['rating.update'] })
    const channel = await fixture.makeChannel('Rated', [ann])
    const survey = 'mutation ($id: ID!) { updateChannel(id: $id, patch: { survey: {} }) { id } }'
    await must(admin, survey, { id: channel })
    const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(admin, id, '/notify', { meta: { channels: [channel] } })
    await fixture.command(ann, id, '/accept')
    await fixture.send(ann, id, { role: 'AGENT', text: 'hi' })
    await must(ann, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', { id })
    fixture.clock.advance(60_000)
    const [rating] = await until(
      () => sql<{ id: string }>('select id from rating where conversation_id = $1', [id]),
      (rows) => rows.length === 1,
    )
    const guest = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    const { token } = await must<{ token: string }>(admin, guest, { id })
    const answer = `mutation ($id: ID!) { answerSurvey(rating: $id, score: 5, comment: "thanks ${MARK}R") { id } }`
    await must(token, answer, { id: rating!.id })
    const told = await hook.receiver.next()
    expect(told.json.data.rating).toMatchObject({ id: rating!.id, score: 5, comment: `thanks ${MARK}R` })
    expect(await remove(contactId)).toMatchObject({ value: contactId })
    fixture.clock.advance(130_000)
    await until(
      () => rowsWith([`${MARK}R`]),
      (found) => Object.keys(found).length === 0,
    )
    expect(await sql('select score from rating where id = $1', [rating!.id])).toEqual([{ score: 5 }])
  })

  interface Heard {
    __typename: string
    entries?: { conversation: string }[]
    conversation?: string
  }

  it('emits events of its conversations to inboxes and webhooks', async () => {
    const hook = await hooks.register(fixture.admin)
    const { id, contactId } = await fixture.inStatus('CLOSED')
    await fixture.command(fixture.admin, id, '/assign', { meta: { users: [fixture.ben.id] } })
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const inbox: LiveSubscription<Heard> = subscribe<Heard>(
      client,
      'inbox',
      `subscription { inbox { __typename
      ... on InboxSnapshot { entries { conversation } } ... on InboxEntryRemoved { conversation } } }`,
    )
    expect((await inbox.next()).entries!.map(({ conversation }) => conversation)).toContain(id)
    expect(await remove(contactId)).toMatchObject({ value: contactId })
    await inbox.next(({ __typename, conversation }) => __typename === 'InboxEntryRemoved' && conversation === id)
    const told = async (): Promise<unknown[]> =>
      hook.receiver.received.map(({ json }) => [json.event, json.data.conversation?.id ?? json.data.contact?.id])
    await until(told, (events) => {
      const written = JSON.stringify(events)
      return (
        written.includes(`["conversation.delete","${id}"]`) && written.includes(`["contact.delete","${contactId}"]`)
      )
    })
    await client.dispose()
  })

  it('tells webhooks who deleted it, also those that hear of it after the erasure', async () => {
    const late = Promise.withResolvers<void>()
    const hook = await hooks.register(fixture.admin)
    hook.receiver.answer = ({ json }) => (json.event === 'contact.create' ? { after: late.promise } : {})
    const { contactId } = await fixture.inStatus('CLOSED')
    const isOf = (event: string) => (received: { json: { event: string; data: { contact?: { id: string } } } }) =>
      received.json.event === event && received.json.data.contact?.id === contactId
    await hook.receiver.next(isOf('contact.create'))
    expect(await remove(contactId)).toMatchObject({ value: contactId })
    await until(
      // The second look is due later.
      () =>
        sql(
          `select 1 from job where kind = 'privacy.erase' and payload ->> 'contact' = $1
           and not payload ? 'isAgain' and coalesce(key, '') not like '%:again'`,
          [contactId],
        ),
      (jobs) => jobs.length === 0,
    )
    expect(hook.receiver.received.filter(isOf('contact.delete'))).toEqual([])
    late.resolve()
    const { json } = await hook.receiver.next(isOf('contact.delete'))
    expect(json.data.contact.profile).toEqual({})
    expect(json.activity.summary).toMatch(/^User .+ deleted a contact$/)
    expect(json.activity.actor).toMatchObject({ type: 'Person', id: `urn:uuid:${fixture.admin.id}` })
  })
})

describe('the places of personal data', () => {
  it('are declared: every table', async () => {
    const tables = await sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    )
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(PERSONAL_DATA).toSorted())
  })

  it('go with their contact where they say so', async () => {
    const rows = await sql<{ name: string }>(
      `with recursive gone as (
         select 'contact'::regclass::oid as id
         union select f.conrelid from pg_constraint f join gone g on f.confrelid = g.id
         where f.contype = 'f' and f.confdeltype = 'c'
       ) select id::regclass::text as name from gone order by 1`,
    )
    const cascade = Object.keys(PERSONAL_DATA).filter((table) => PERSONAL_DATA[table] === 'cascade')
    expect(rows.map(({ name }) => name)).toEqual(cascade.toSorted())
  })

  it('are declared: every type of event', async () => {
    const types = await sql<{ type: string }>('select distinct type from event')
    expect(types.filter(({ type }) => !(type in EVENT_TYPES))).toEqual([])
  })

  it('leave no text in an event of an undeclared type', () => {
    expect(
      redactEvent('call.recorded', { id: 'x', transcript: 'hello', parts: [1], at: 3, caller: { name: 'Eve' } }),
    ).toEqual({
      id: 'x',
      transcript: '',
      parts: [],
      at: 0,
      caller: {},
    })
  })
})
