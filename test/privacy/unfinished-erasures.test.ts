import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  must,
  newContact,
  startConversationFixture,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { letNextComeDue } from '../support/next-job.js'
import { tellStatistics } from '../support/statistics.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 50 })
})
afterAll(() => fixture.close())

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const ERASURES = '{ erasures { subject subjectId attempts isFailing requestedAt nextAttemptAt } }'
const erasuresFor = async (as: MadeUser): Promise<Record<string, unknown>[]> =>
  (await fixture.run<Record<string, unknown>[]>(as, ERASURES)).value

/** A contact with a conversation that was created and written to with idempotency keys. */
async function consumer(key: string): Promise<{ contact: string; conversation: string }> {
  const { value } = await fixture.tryCreate(
    { contact: newContact(`Zq ${key}`), messages: [{ role: 'CONTACT', text: `said ${key}` }] },
    fixture.bot,
    key,
  )
  await fixture.send(fixture.bot, value.id, { role: 'CONTACT', text: `more ${key}` }, `${key} more`)
  await fixture.send(fixture.ann, value.id, { role: 'AGENT', text: 'hi' })
  await fixture.command(fixture.ann, value.id, '/leave')
  const [row] = await sql<{ contact: string }>('select contact_id as contact from conversation where id = $1', [
    value.id,
  ])
  return { contact: row!.contact, conversation: value.id }
}

const remove = async (id: string): Promise<void> => {
  const { code } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id })
  expect(code).toBeUndefined()
}
const answersOf = (key: string): Promise<{ response: unknown }[]> =>
  sql('select response from idempotency_key where key like $1 order by key', [`${key}%`])
const isErased = async (key: string): Promise<boolean> =>
  (await answersOf(key)).every(({ response }) => response === null) &&
  (await sql(`select 1 from event where data::text like '%said ' || $1 || '%' limit 1`, [key])).length === 0

const letTheNextComeDue = (): Promise<void> => letNextComeDue(fixture, 'privacy.erase')

interface Scans {
  rows: number
  byAbout: number
}

/** Rows of answers that sequential scans have read, and scans of the index that erasures use. */
const readScans = async (): Promise<Scans> =>
  (
    await sql<Scans>(
      `select (select seq_tup_read from pg_stat_user_tables where relname = 'idempotency_key')::int as rows,
         (select idx_scan from pg_stat_user_indexes where indexrelname = 'idempotency_key_about')::int as "byAbout"`,
    )
  )[0]!

test('an erasure reads the answers that are of what is erased, however many others are stored', async () => {
  const { contact } = await consumer('indexed')
  await sql(
    `insert into idempotency_key (caller, key, request_hash, response, created_at, about)
     select 'user:' || n % 7, 'other ' || n, 'h', jsonb_build_object('answer', jsonb_build_object('id', gen_random_uuid(),
       'text', repeat('x', 200))), now(), gen_random_uuid() from generate_series(1, 50000) n`,
  )
  await sql('analyze idempotency_key')
  await tellStatistics(fixture.server.database)
  const before = await readScans()
  await remove(contact)
  await until(() => isErased('indexed'))
  // The counts of a scan of the index and of the table arrive together.
  const after = await until(async () => {
    await tellStatistics(fixture.server.database)
    const scans = await readScans()
    return scans.byAbout > before.byAbout && scans
  })
  expect(after.rows - before.rows).toBe(0)
  const [{ kept }] = (await sql(
    `select count(*)::int as kept from idempotency_key where key like 'other %' and response is not null`,
  )) as [{ kept: number }]
  expect(kept).toBe(50_000)
})

test('an erasure that fails is not given up: its other steps are done, and administrators and operators see it', async () => {
  const { contact, conversation } = await consumer('failing')
  const elsewhere = await fixture.makeUser({
    organization: await fixture.makeOrganization({ name: 'Elsewhere' }),
    role: 'admin',
  })
  // That of the test before may be at its end.
  await until(
    () => erasuresFor(fixture.admin),
    (undone) => undone.length === 0,
  )
  await sql(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no' ; end $$`)
  const partitions = await sql<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass`,
  )
  for (const { name } of partitions)
    await sql(`create trigger refuse before update on ${name} for each row execute function refuse()`)
  await remove(contact)
  // The answers are erased although the events before them are not.
  await until(async () => (await answersOf('failing')).every(({ response }) => response === null))
  const [seen] = await until(async () => {
    const all = await erasuresFor(fixture.admin)
    return all[0]?.isFailing === true && all
  })
  expect(seen).toMatchObject({ subject: 'CONTACT', subjectId: contact, isFailing: true })
  expect(Number(seen!.attempts)).toBeGreaterThan(0)
  expect(await erasuresFor(elsewhere)).toEqual([])
  expect((await fixture.run(fixture.ann, ERASURES)).code).toBe('FORBIDDEN')
  const metrics = async (): Promise<string> => (await fetch(`${fixture.url}/metrics`)).text()
  await until(async () => /^switchboard_erasures_failing 1$/m.test(await metrics()))
  // As after days.
  await sql(`update job set failures = 500, attempts = 500 where kind = 'privacy.erase' and failures > 0`)
  await letTheNextComeDue()
  await until(async () => {
    const [{ attempts } = { attempts: 0 }] = await sql<{ attempts: number }>(
      `select attempts from job where kind = 'privacy.erase' and payload ->> 'contact' = $1 and run_at < 'infinity'
       order by attempts desc limit 1`,
      [contact],
    )
    return attempts > 500
  })
  await sql(`create or replace function refuse() returns trigger language plpgsql as $$ begin return new; end $$`)
  // An attempt that had begun before may still fail, and is tried again after its pause.
  await until(async () => {
    await letTheNextComeDue()
    return isErased('failing')
  })
  await until(async () => {
    await letTheNextComeDue()
    return (await erasuresFor(fixture.admin)).length === 0
  })
  await until(async () => /^switchboard_erasures_undone 0$/m.test(await metrics()))
  expect(await sql('select 1 from conversation where id = $1', [conversation])).toEqual([])
})

test('what a step that failed would have let go is erased once that is done, by the attempt that does it', async () => {
  const [{ contact, conversation }, theirs] = [await consumer('copied'), await consumer('theirs')]
  const uploaded = await uploadImage(fixture, await fixture.tokenFor(fixture.ann), { name: 'egret.png' })
  const { id: file } = (await uploaded.json()) as { id: string }
  await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'see zq-egret', meta: { fileId: file } })
  await fixture.command(fixture.ann, conversation, '/leave')
  const merge = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
  const merged = await fixture.run(fixture.ann, merge, { id: theirs.conversation, origin: conversation })
  expect(merged.code).toBeUndefined()
  await sql(`create function keep() returns trigger language plpgsql as $$ begin raise exception 'no' ; end $$`)
  await sql(
    `create trigger keep before delete on message for each row when (old.origin_id is not null) execute function keep()`,
  )
  await remove(contact)
  const attempted = (jobs: { isTried: boolean }[]): boolean => jobs.length === 2 && jobs.every(({ isTried }) => isTried)
  // Both looks have come so far, and nothing looks again.
  await until(async () => {
    await letTheNextComeDue()
    return attempted(
      await sql(
        `select payload -> 'done' ? 'viewers' and failures > 0 as "isTried" from job where kind = 'privacy.erase' and payload ->> 'contact' = $1`,
        [contact],
      ),
    )
  })
  await sql('drop function keep cascade')
  await until(async () => {
    await letTheNextComeDue()
    return (await sql(`select 1 from job where kind = 'privacy.erase'`)).length === 0
  })
  expect(await sql('select 1 from attachment where id = $1', [file])).toEqual([])
  expect(await sql(`select 1 from event where data::text like '%zq-egret%'`)).toEqual([])
  expect((await fixture.show(theirs.conversation)).messages.edges.map(({ node }) => node.text)).toContain('said theirs')
})

test('a file that somebody proposes to send to others is kept until that is decided, and goes if it is not sent', async () => {
  const [{ contact, conversation }, theirs] = [await consumer('shared'), await consumer('others')]
  const upload = async (name: string): Promise<string> => {
    const uploaded = await uploadImage(fixture, await fixture.tokenFor(fixture.ann), { name })
    return ((await uploaded.json()) as { id: string }).id
  }
  const files = [await upload('proposed.png'), await upload('own.png')]
  for (const fileId of files)
    await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'see', meta: { fileId } })
  await fixture.command(fixture.ann, conversation, '/leave')
  const run = <T>(as: MadeUser, query: string, variables: object): Promise<T> =>
    must(fixture.run<T>(as, query, variables as Record<string, unknown>))
  const propose = async (fileId: string): Promise<{ id: string; hash: string }> => {
    const read = 'query ($id: ID!) { conversation(id: $id) { mark } }'
    const { mark } = await run<{ mark: string }>(fixture.bot, read, { id: theirs.conversation })
    return run(
      fixture.bot,
      'mutation ($id: ID!, $message: MessageInput!) { propose(conversation: $id, message: $message) { id hash } }',
      { id: theirs.conversation, message: { role: 'AGENT', text: 'see', meta: { fileId }, mark } },
    )
  }
  const kept = async (): Promise<string[]> =>
    (await sql<{ id: string }>('select id from attachment where id = any($1::uuid[])', [files])).map(({ id }) => id)
  const rejected = await propose(files[0]!)
  await remove(contact)
  const waits = () =>
    sql<{ failures: number; lastError: string | null }>(
      // One that runs counts as failed until it ends.
      `select failures - (leased_by is not null)::int as failures, last_error as "lastError" from job
       where kind = 'privacy.erase' and payload ->> 'contact' = $1`,
      [contact],
    )
  // Both looks wait for what becomes of it, which is no failure.
  await until(async () => {
    await letTheNextComeDue()
    const jobs = await waits()
    return jobs.length === 2 && jobs.every(({ lastError }) => /1 attachments/.test(lastError ?? ''))
  })
  expect((await waits()).map(({ failures }) => failures)).toEqual([0, 0])
  expect(await kept()).toEqual([files[0]])
  // Administrators see that it waits.
  const shown = await erasuresFor(fixture.admin)
  expect(shown.filter(({ subjectId }) => subjectId === contact)).toMatchObject([
    { isFailing: false },
    { isFailing: false },
  ])
  await run(fixture.ann, 'mutation ($id: ID!) { rejectProposal(proposal: $id) { id } }', { id: rejected.id })
  await until(async () => {
    await letTheNextComeDue()
    return (await waits()).length === 0
  })
  expect(await kept()).toEqual([])
})

test('a job of a deleted message or conversation fails alone: others of the organization go on', async () => {
  const [bad, good] = [await consumer('bad'), await consumer('good')]
  await sql(
    `insert into job (id, kind, key, run_at, payload, created_at) values
    (gen_random_uuid(), 'conversation.deleted', $1, now(), '{"deleted": "no id"}', now())`,
    [`erase:${bad.conversation}`],
  )
  for (const { conversation } of [bad, good]) {
    const { code } = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', {
      id: conversation,
    })
    expect(code).toBeUndefined()
  }
  await until(() => isErased('good'))
  await sql(`delete from job where payload ->> 'deleted' = 'no id'`)
})
