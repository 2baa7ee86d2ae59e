import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pruneMerges } from '../../src/modules/conversations/state/merged-conversation.js'
import type { ConversationWriter } from '../../src/modules/conversations/writer/conversation-writer.js'
import { SharedReads } from '../../src/modules/conversations/state/shared-reads.js'
import type { WritingChange } from '../../src/modules/conversations/state/writing-change.js'
import type { Context } from '../../src/platform/context.js'
import { reading } from '../../src/platform/db/sql.js'
import { recordStatements } from '../support/record-statements.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { rule, startConversationFixture, type ConversationFixture } from './conversation-fixture.js'
import { until } from '../support/until.js'

let fixture: ConversationFixture
let other: TestServer
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
})
afterAll(async () => {
  await other?.close()
  await fixture?.close()
})

const SEND = `mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }`
const message = { role: 'CONTACT', text: 'hello' }
const closed = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push((await fixture.inStatus('CLOSED')).id)
  return ids
}
const ruleOf = async (id: string): Promise<string | undefined> =>
  (await fixture.show(id)).routingTrace[0]!.entries.find(({ outcome }) => outcome === 'FIRED')?.rule?.name

describe('messages in one batch', () => {
  it('share the reads that their routing needs', async () => {
    const count = 12
    await fixture.makeWorkflow([rule({ name: 'all', channels: [fixture.channel] })])
    const ids = await closed(count)
    await fixture.send(fixture.bot, ids.pop()!, message)
    const recorded = recordStatements()
    try {
      await Promise.all(ids.map((id) => fixture.send(fixture.bot, id, message)))
    } finally {
      recorded.stop()
    }
    const begun = recorded.statements.filter((text) => text.includes('pg_current_xact_id()::text as xid')).length
    const reads = (part: string): number => recorded.statements.filter((text) => text.includes(part)).length
    for (const shared of [
      'from workflow w',
      'country, industry, locale, tags, commands from organization',
      'from channel where id = any',
    ]) {
      expect(reads(shared)).toBeGreaterThan(0)
      // The channels are looked up and locked.
      expect(reads(shared)).toBeLessThanOrEqual(begun * (shared.includes('channel') ? 2 : 1))
    }
    expect(begun).toBeLessThan(ids.length)
    for (const id of ids) expect(await ruleOf(id)).toBe('all')
  })

  it("share the check of their sender's permission, when they are due at the same time", async () => {
    const ids: string[] = []
    for (let made = 0; made < 12; made++) ids.push((await fixture.create()).id)
    const sql = <T>(text: string): Promise<T[]> => fixture.server.database.query<T>(text, [ids])
    for (const id of ids) {
      const { code } = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'later', delay: 60_000 })
      expect(code).toBeUndefined()
    }
    // One that is alone in its request has nothing to be in order with, and needs no partition.
    const jobs = await sql<{ key: string | null }>(
      `select key from job where payload ->> 'conversation' = any($1::text[]) and kind = 'message.process'`,
    )
    expect(jobs).toEqual(ids.map(() => ({ key: null })))
    const recorded = recordStatements()
    try {
      fixture.clock.advance(61_000)
      fixture.server.jobs.wake()
      const sent = () => sql(`select from message where conversation_id = any($1::uuid[]) and text = 'later'`)
      await until(async () => (await sent()).length === ids.length)
    } finally {
      recorded.stop()
    }
    const of = (part: string): number => recorded.statements.filter((text) => text.includes(part)).length
    expect(of('select 1 from app_user u where u.id = $1 and u.organization_id')).toBeGreaterThan(0)
    expect(of('select 1 from app_user u where u.id = $1 and u.organization_id')).toBeLessThan(ids.length)
  })

  it('see every change of the rules that was acknowledged before they were sent, on any node', async () => {
    const workflow = await fixture.makeWorkflow([
      rule({ name: 'turn 0', channels: [fixture.channel] }, { priority: 5 }),
    ])
    const ids = await closed(12)
    const nodes = [fixture, other]
    for (let turn = 1; turn <= 4; turn++) {
      const rules = [rule({ name: `turn ${turn}`, channels: [fixture.channel], isLastRule: true }, { priority: 5 })]
      const patch = await nodes[turn % 2]!.gql(
        fixture.admin,
        'mutation ($id: ID!, $patch: UpdateWorkflowInput!) { updateWorkflow(id: $id, patch: $patch) { id } }',
        { id: workflow, patch: { rules } },
      )
      expect(patch.errors).toBeUndefined()
      const sent = ids.splice(0, 3)
      const answers = await Promise.all(
        sent.map((id, index) => nodes[index % 2]!.gql(fixture.bot, SEND, { id, message })),
      )
      expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
      for (const id of sent) expect(await ruleOf(id)).toBe(`turn ${turn}`)
    }
  })

  it('are accepted or refused individually', async () => {
    const [good, also] = await closed(2)
    const archived = (await fixture.inStatus('ARCHIVED')).id
    const answers = await Promise.all(
      [good!, archived, also!].map((id) => fixture.gql(fixture.bot, SEND, { id, message })),
    )
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([undefined, 'UNPROCESSABLE', undefined])
    expect((await fixture.show(good!)).status).toBe('QUEUED')
    expect((await fixture.show(also!)).status).toBe('QUEUED')
  })
})

describe('conversations created in one batch', () => {
  const CREATE = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id contactId } }`
  const create = (server: TestServer, profile: object, more: object = {}) =>
    server.gql<{ createConversation: { id: string; contactId: string } }>(fixture.bot, CREATE, {
      input: { touchpoint: 'WEB', contact: { profile }, messages: [message], ...more },
    })
  const contactsOf = (email: string) =>
    fixture.server.database.query<{ id: string; conversations: number }>(
      `select c.id, (select count(*)::int from conversation v where v.contact_id = c.id) as conversations
       from contact c where c.email = $1`,
      [email],
    )

  it('share their reads, and insert their contacts together', async () => {
    const count = 12
    await create(fixture, { email: 'first-of-many@example.com' })
    const recorded = recordStatements()
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => create(fixture, { email: `many-${index}@example.com` })),
    ).finally(() => recorded.stop())
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
    const begun = recorded.statements.filter((text) => text.includes('pg_current_xact_id()::text as xid')).length
    expect(begun).toBeLessThan(count)
    for (const shared of ['insert into contact ', 't.is_static', 'from workflow w', 'array_agg(id order by id)'])
      expect(recorded.statements.filter((text) => text.includes(shared)).length).toBeLessThanOrEqual(begun)
    for (const { data } of answers) expect((await fixture.show(data!.createConversation.id)).status).toBe('QUEUED')
  })

  // [4.7 create rule 1 known]
  it('have one contact per identifier, on any node', async () => {
    const nodes = [fixture, other]
    const email = 'raced@example.com'
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(nodes[index % 2]!, index % 3 === 0 ? { email, telephone: '+31612340000' } : { email }),
      ),
    )
    const winners = answers.filter(({ errors }) => errors === undefined)
    expect(winners).toHaveLength(1)
    const { id, contactId } = winners[0]!.data!.createConversation
    for (const { errors } of answers) {
      if (!errors) continue
      const { code, contact, conversation } = errors[0]!.extensions
      expect({ code, contact, conversation }).toEqual({ code: 'UNPROCESSABLE', contact: contactId, conversation: id })
    }
    expect(await contactsOf(email)).toEqual([{ id: contactId, conversations: 1 }])
  })

  it('leave nothing behind if one is refused', async () => {
    const answers = await Promise.all([
      create(fixture, { email: 'kept@example.com' }),
      create(fixture, { email: 'dropped@example.com' }, { category: 'no such category' }),
      create(fixture, { email: 'also-kept@example.com' }),
    ])
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([undefined, 'UNPROCESSABLE', undefined])
    expect(await contactsOf('dropped@example.com')).toEqual([])
    // Its identifier is free.
    expect((await create(fixture, { email: 'dropped@example.com' })).errors).toBeUndefined()
  })

  it('send to the contact and block it within the request that creates it', async () => {
    const answer = await create(
      fixture,
      { email: 'blocked-at-once@example.com' },
      {
        messages: [
          { role: 'AGENT', text: 'Hello' },
          { type: 'COMMAND', text: '/block' },
        ],
      },
    )
    expect(answer.errors).toBeUndefined()
    const { id, contactId } = answer.data!.createConversation
    expect((await fixture.show(id)).status).toBe('CLOSED')
    const [contact] = await fixture.server.database.query<{ status: string }>(
      'select status from contact where id = $1',
      [contactId],
    )
    expect(contact!.status).toBe('blocked')
  })
})

describe('SharedReads', () => {
  it('reads once per key, also for concurrent readers', async () => {
    const shared = new SharedReads({ query: () => Promise.reject(new Error('not used')) })
    let reads = 0
    const read = async (): Promise<number> => ++reads
    expect(await Promise.all([shared.once('a', read), shared.once('a', read), shared.once('b', read)])).toEqual([
      1, 1, 2,
    ])
  })
})

describe('statements of an operation', () => {
  /** Checked by the compiler, never called: which operations may write by statements of their own. */
  const compiled = (writer: ConversationWriter, ctx: Context): void => {
    const erase = 'delete from conversation'
    const byItself = (change: WritingChange) => change.sql.query(erase)
    void writer.runExclusive(ctx, 'id', byItself)
    void writer.runWriting(ctx, 'id', byItself, { tries: 1 })
    void writer.run(ctx, 'id', (change) => change.sql.query(reading('select 1')))
    // @ts-expect-error an operation in a shared batch is refused without a trace: it must not have written
    void writer.run(ctx, 'id', byItself)
    // @ts-expect-error its connection takes only statements that `reading` has checked
    void writer.run(ctx, 'id', (change) => change.sql.query(erase))
    // @ts-expect-error and is not accepted by functions that write
    void writer.run(ctx, 'id', (change) => pruneMerges(change.sql))
    // @ts-expect-error it has no last statements
    void writer.run(ctx, 'id', (change) => change.afterWrites(erase, []))
  }

  it.each([
    'delete from message',
    'with gone as (delete from message returning 1) select 1 from gone',
    'select 1 from channel for share',
    'select 1 from message for no key update',
    "select nextval('stream')",
  ])('are no reads if they write or lock: %s', (text) => {
    expect(compiled).toBeDefined()
    expect(() => reading(text)).toThrow('not a statement that only reads')
    expect(reading('select updated_at, is_deleted from merge_suggestion')).toContain('select')
  })
})
