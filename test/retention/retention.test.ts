import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { texts, until } from '../conversations/conversation-fixture.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import { filesBelow } from '../privacy/exports.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { uploadImage } from '../support/upload-image.js'
import { DAY_MS, makePlace, type Place, type Run } from './retention-fixture.js'

let office: Office
let beside: TestServer
let outside: pg.Client
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'retention-'))
  office = await startOffice({ DATA_DIR: dataDir, GRAPHQL_COST_PER_MINUTE: '1000000000' }, { pace: 50 })
  // A second node, which takes its part of the jobs.
  beside = await startTestServer(
    { DATA_DIR: dataDir, GRAPHQL_COST_PER_MINUTE: '1000000000' },
    { beside: office, pace: 50 },
  )
  outside = new pg.Client({ connectionString: office.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await beside?.close()
  await office?.close()
  await rm(dataDir, { recursive: true })
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => office.server.database.query(text, values)
const HOLD = `mutation ($input: CreateHoldInput!) { createHold(input: $input) { id name } }`
const hold = async (place: Place, input: object): Promise<{ id: string; name: string }> =>
  (await place.run<{ id: string; name: string }>(HOLD, { input: { name: 'Case 7', reason: 'A court', ...input } }))
    .value
const release = (place: Place, id: string) => place.run('mutation ($id: ID!) { releaseHold(id: $id) { id } }', { id })
/** Lets the records that are made from now on be no newcomers: their ids tell the real time. */
const passNotice = (): void => office.clock.advance(8 * DAY_MS)

describe('what came here lately', () => {
  it('is announced, and goes once a week is over, however old its messages are', async () => {
    const place = await makePlace(office)
    const { id } = await place.old(400)
    expect(await place.preview({ days: 30 })).toMatchObject({ due: 0, waiting: 1, total: 1, needsConfirmation: true })
    const policy = await place.create({ days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 0 })
    expect(await place.isThere('conversation', id)).toBe(true)
    office.clock.advance(7 * DAY_MS)
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
    expect(await place.isThere('conversation', id)).toBe(false)
  })
})

describe('a retention policy', () => {
  beforeAll(passNotice)

  it('is made once of a subject, begins a day later, and is audited', async () => {
    const place = await makePlace(office)
    const made = await place.create({ days: 365 })
    expect(made).toMatchObject({ subject: 'CONVERSATIONS', days: 365, endsAt: null, createdById: place.admin.id })
    const leftMs = Date.parse(made.startsAt) - office.clock.now().getTime()
    expect(leftMs).toBeGreaterThan(DAY_MS - 60_000)
    expect(await place.tryCreate({ subject: 'CONVERSATIONS', days: 30 })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'RETENTION_EXISTS', policy: made.id },
    })
    await place.create({ subject: 'CONTACTS', days: 365 })
    const entries = await sql<{ action: string }>(`select action from audit_entry where object ->> 'id' = $1`, [
      made.id,
    ])
    expect(entries.map(({ action }) => action)).toEqual(['createRetentionPolicy'])
    const elsewhere = await makePlace(office)
    const fetch = 'query ($id: ID!) { retentionPolicy(id: $id) { id } }'
    expect((await elsewhere.run(fetch, { id: made.id })).code).toBe('NOT_FOUND')
    expect((await elsewhere.update(made.id, { days: 1 })).code).toBe('NOT_FOUND')
    expect(
      await elsewhere.tryCreate({ subject: 'CONTACTS', days: 9, organization: place.organization.id }),
    ).toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'organization' },
    })
    const asBot = await office.run(await office.tokenFor(place.bot), fetch, { id: made.id })
    expect(asBot.code).toBe('FORBIDDEN')
  })

  it('refuses terms that are none, times that are too soon, and subjects that there are not', async () => {
    const place = await makePlace(office)
    const at = (ms: number): string => new Date(office.clock.now().getTime() + ms).toISOString()
    for (const days of [0, -1, 3_651]) {
      const refused = { code: 'BAD_USER_INPUT', details: { field: 'days' } }
      expect(await place.tryCreate({ subject: 'CONTACTS', days })).toMatchObject(refused)
      expect(await place.tryPreview({ days })).toMatchObject(refused)
    }
    for (const startsAt of [at(0), at(DAY_MS / 2), at(-DAY_MS), at(400 * DAY_MS)])
      expect(await place.tryCreate({ subject: 'CONTACTS', days: 30, startsAt })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'startsAt' },
      })
    expect((await place.tryCreate({ subject: 'MESSAGES', days: 30 })).code).toBe('BAD_USER_INPUT')
    const { id, startsAt } = await place.create({ days: 30 })
    expect((await place.update(id, { days: null })).details).toMatchObject({ field: 'days' })
    expect((await place.update(id, { startsAt: at(1) })).details).toMatchObject({ field: 'startsAt' })
    expect((await place.update(id, { startsAt, days: 30 })).value).toMatchObject({ version: 1 })
    expect((await place.update(id, { days: 40, ifVersion: 7 })).code).toBe('PRECONDITION_FAILED')
  })

  it('must be confirmed where it would erase more than half at once, and when it is shortened so', async () => {
    const place = await makePlace(office)
    await place.old(90)
    await place.old(60)
    await place.old(10)
    const refused = { code: 'UNPROCESSABLE', details: { reason: 'CONFIRMATION_NEEDED', due: 2, total: 3 } }
    expect(await place.tryCreate({ subject: 'CONVERSATIONS', days: 30 })).toMatchObject(refused)
    const made = await place.tryCreate({ subject: 'CONVERSATIONS', days: 75 })
    expect(made.code).toBeUndefined()
    expect(await place.update(made.value.id, { days: 30 })).toMatchObject(refused)
    expect((await place.update(made.value.id, { days: 80 })).value).toMatchObject({ days: 80 })
    expect((await place.update(made.value.id, { days: 30, confirmed: true })).value).toMatchObject({ days: 30 })
  })

  it('is previewed with a sample that names the holds, and counts nothing of others', async () => {
    const place = await makePlace(office)
    const [kept, gone] = [await place.old(50), await place.old(40)]
    await place.old(10)
    await place.old(90, {}).then(({ id }) => place.age(id, 90, 'active'))
    await (await makePlace(office)).old(90)
    await hold(place, { conversations: [kept.id] })
    const preview = await place.preview({ days: 30 })
    expect(preview).toMatchObject({ due: 2, waiting: 0, total: 4, isMore: false, needsConfirmation: false })
    const holdsOf = new Map(preview.sample.map(({ id, holds }) => [id, holds.map(({ name }) => name)]))
    expect(holdsOf).toEqual(
      new Map([
        [kept.id, ['Case 7']],
        [gone.id, []],
      ]),
    )
  })
})

describe('a run', () => {
  beforeAll(passNotice)

  it('erases what is over, on its day, with its words and files, and leaves what is open, recent or a contact', async () => {
    const place = await makePlace(office)
    const word = `zq${crypto.randomUUID().slice(0, 8)}`
    const image = await uploadImage(office, await office.tokenFor(place.bot), { name: 'egret.png' })
    const file = ((await image.json()) as { id: string }).id
    const over = await place.old(31, { messages: [{ role: 'CONTACT', text: word }] })
    const sent = { role: 'BOT', text: 'egret.png', meta: { fileId: file } }
    expect((await office.send(await office.tokenFor(place.bot), over.id, sent)).code).toBeUndefined()
    await place.age(over.id, 31)
    const recent = await place.old(28)
    const open = await place.old(90)
    await place.age(open.id, 90, 'queued')
    const counted = (): Promise<unknown[]> =>
      sql('select to_jsonb(m) from milestone m where org1 = $1', [place.organization.id])
    const reports = await counted()
    const policy = await place.create({ days: 30 })
    office.clock.advance(DAY_MS / 2)
    expect(await place.runsOf(policy.id)).toEqual([])
    expect(await place.ran(policy.id)).toMatchObject({
      status: 'DONE',
      days: 30,
      erased: 1,
      held: 0,
      failed: 0,
      kept: [],
    })
    expect(await place.isThere('conversation', over.id)).toBe(false)
    expect(await place.isThere('conversation', recent.id)).toBe(true)
    expect(await place.isThere('conversation', open.id)).toBe(true)
    expect(await place.isThere('contact', over.contactId)).toBe(true)
    await until(async () => !(await place.isThere('attachment', file)))
    await until(async () => !(await filesBelow(dataDir)).some((path) => path.endsWith(file)))
    await until(
      () => sql('select 1 from event where data::text like $1', [`%${word}%`]),
      (rows) => rows.length === 0,
    )
    const events = await sql<{ type: string }>(
      `select type from event where stream = $1 order by number desc limit 1`,
      [`conversation:${over.id}`],
    )
    expect(events).toEqual([{ type: 'conversation.removed' }])
    expect(reports).not.toEqual([])
    expect(await counted()).toEqual(expect.arrayContaining(reports))
    const entries = await sql<{ action: string; actor: object; details: { erased: number } }>(
      `select action, actor, details from audit_entry where object ->> 'id' = $1 and action like 'retentionRun%' order by id`,
      [policy.id],
    )
    expect(entries).toMatchObject([
      { action: 'retentionRunBegun', actor: { kind: 'system' } },
      { action: 'retentionRunDone', actor: { kind: 'system' }, details: { erased: 1 } },
    ])
  })

  it('leaves what a hold keeps, names it, and erases it after the release', async () => {
    const place = await makePlace(office)
    const [kept, gone] = [await place.old(50), await place.old(40)]
    const made = await hold(place, { contacts: [kept.contactId] })
    const policy = await place.create({ days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({
      erased: 1,
      held: 1,
      kept: [{ id: kept.id, holds: [{ id: made.id, name: 'Case 7' }] }],
    })
    expect(await place.isThere('conversation', kept.id)).toBe(true)
    expect(await place.isThere('conversation', gone.id)).toBe(false)
    await release(place, made.id)
    expect(await place.ran(policy.id)).toMatchObject({ erased: 1, held: 0 })
    expect(await place.isThere('conversation', kept.id)).toBe(false)
  })

  it('erases the others where one cannot be erased, which the next run does', async () => {
    const place = await makePlace(office)
    const all = [await place.old(43), await place.old(42), await place.old(41)]
    const [first, stuck, last] = all.map(({ id }) => id) as [string, string, string]
    await sql(
      `create function cannot_go() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`,
    )
    await sql(
      `create trigger stuck before delete on conversation for each row when (old.id = '${stuck}') execute function cannot_go()`,
    )
    const policy = await place.create({ days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 2, failed: 1 })
    for (const id of [first, last]) expect(await place.isThere('conversation', id)).toBe(false)
    expect(await place.isThere('conversation', stuck)).toBe(true)
    await sql('drop function cannot_go cascade')
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1, failed: 0 })
    expect(await place.isThere('conversation', stuck)).toBe(false)
  })

  it('leaves organizations that have a policy of their own, and for a day those that had one', async () => {
    const center = await makePlace(office)
    const below = await makePlace(office, center.organization)
    const { id } = await below.old(40)
    const own = await below.create({ days: 3_650 })
    const policy = await center.create({ days: 30 })
    expect(await center.ran(policy.id)).toMatchObject({ erased: 0 })
    const ended = await below.end(own.id)
    expect(Date.parse(ended.endsAt!)).toBeGreaterThan(office.clock.now().getTime() + DAY_MS / 2)
    expect(await below.end(own.id)).toEqual(ended)
    expect(await below.update(own.id, { days: 9 })).toMatchObject({ details: { reason: 'RETENTION_ENDED' } })
    expect(await center.preview({ days: 30 })).toMatchObject({ due: 0 })
    expect(await below.isThere('conversation', id)).toBe(true)
    office.clock.advance(2 * DAY_MS)
    expect(await center.ran(policy.id)).toMatchObject({ erased: 1 })
    expect(await below.isThere('conversation', id)).toBe(false)
    expect(await below.runsOf(own.id)).not.toContainEqual(expect.objectContaining({ erased: 1 }))
  })

  it('leaves what was merged into a conversation that is not over', async () => {
    const place = await makePlace(office)
    const [origin, middle, target] = [await place.old(50), await place.old(40), await place.old(40)]
    await place.age(target.id, 40, 'active')
    const merged = 'insert into conversation_merge (origin_id, target_id, created_at) values ($1, $2, now())'
    await sql(merged, [origin.id, middle.id])
    await sql(merged, [middle.id, target.id])
    const policy = await place.create({ days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ erased: 0 })
    await place.age(target.id, 40)
    expect(await place.ran(policy.id)).toMatchObject({ erased: 3 })
  })

  it('ends before the next record when its policy is changed, and leaves what is spoken in again', async () => {
    const place = await makePlace(office)
    const all = [await place.old(53), await place.old(52), await place.old(51)]
    const [first, second, third] = all.map(({ id }) => id) as [string, string, string]
    const policy = await place.create({ days: 30 })
    await outside.query('begin')
    await outside.query('select from conversation where id = $1 for no key update', [first])
    const ran = place.ran(policy.id)
    const last = async (): Promise<Run | undefined> => (await place.runsOf(policy.id)).at(-1)
    await until(last, (run) => run?.status === 'RUNNING')
    await place.age(second, 50, 'active')
    expect((await place.update(policy.id, { days: 45 })).value).toMatchObject({ days: 45, version: 2 })
    await outside.query('commit')
    // The changed one runs at once, since it is longer.
    await ran
    const newest = async (): Promise<Run | undefined> => (await place.runsOf(policy.id))[0]
    expect(await until(newest, (run) => run?.days === 45 && run.status === 'DONE')).toMatchObject({ erased: 2 })
    expect(await last()).toMatchObject({ status: 'STOPPED', days: 30, erased: 0 })
    const entries = await sql<{ action: string }>(`select action from audit_entry where object ->> 'id' = $1`, [
      policy.id,
    ])
    expect(entries.map(({ action }) => action)).toContain('retentionRunStopped')
    expect(await place.isThere('conversation', second)).toBe(true)
    expect(await place.isThere('conversation', third)).toBe(false)
  })

  it('begins a day later when the term becomes shorter', async () => {
    const place = await makePlace(office)
    const policy = await place.create({ days: 300 })
    await place.ran(policy.id)
    const { id } = await place.old(100)
    const now = office.clock.now().getTime()
    const { value } = await place.update(policy.id, { days: 30, confirmed: true })
    expect(Date.parse(value.startsAt)).toBeGreaterThanOrEqual(now + DAY_MS)
    expect(await place.isThere('conversation', id)).toBe(true)
    expect(await place.ran(policy.id)).toMatchObject({ days: 30, erased: 1 })
    expect(office.clock.now().getTime()).toBeGreaterThanOrEqual(now + DAY_MS)
  })

  it('erases many in slices, each once, on two nodes', async () => {
    const place = await makePlace(office)
    const [{ id: sample }] = [await place.old(40)]
    await sql(
      `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, last_message_at)
       select gen_random_uuid_at(n), organization_id, org1, created_at, updated_at, type, name, slug || n, 'closed', created_at
       from conversation, generate_series(1, 430) n where id = $1`.replace(
        'gen_random_uuid_at(n)',
        `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
      ),
      [sample],
    )
    const policy = await place.create({ days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 431, failed: 0 })
    expect(await sql('select 1 from conversation where organization_id = $1', [place.organization.id])).toEqual([])
  })
})

describe('files', () => {
  beforeAll(passNotice)

  it('go from conversations that are over, and stay where they are used or are the organization’s own', async () => {
    const place = await makePlace(office)
    const token = await office.tokenFor(place.bot)
    const upload = async (): Promise<string> =>
      ((await (await uploadImage(office, token, { name: 'egret.png' })).json()) as { id: string }).id
    const [gone, used, unsent, tagged] = [await upload(), await upload(), await upload(), await upload()]
    const over = await place.old(40)
    const open = await place.old(40)
    const send = async (conversation: string, file: string): Promise<void> => {
      const message = { role: 'BOT', text: 'egret.png', meta: { fileId: file } }
      expect((await office.send(token, conversation, message)).code).toBeUndefined()
    }
    for (const file of [gone, used, tagged]) await send(over.id, file)
    await send(open.id, used)
    await place.age(over.id, 40)
    await place.age(open.id, 40, 'active')
    await sql(`update attachment set created_at = created_at - interval '40 days' where id = any($1)`, [
      [gone, used, unsent, tagged],
    ])
    await sql(`update attachment set tags = '{shared}' where id = $1`, [tagged])
    office.clock.advance(31 * DAY_MS)
    const policy = await place.create({ subject: 'ATTACHMENTS', days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
    expect(await place.isThere('attachment', gone)).toBe(false)
    for (const file of [used, unsent, tagged]) expect(await place.isThere('attachment', file)).toBe(true)
    expect(texts(await office.show(over.id, await office.tokenFor(place.admin)))).toContain('egret.png')
    const [deleted] = await sql<{ count: number }>(
      `select count(*)::int as count from event where type = 'attachment.deleted' and data ->> 'id' = $1`,
      [gone],
    )
    expect(deleted!.count).toBe(1)
  })
})

describe('contacts', () => {
  beforeAll(passNotice)

  it('are erased once nothing was said for so long, and are on the list of erasures', async () => {
    const place = await makePlace(office)
    const [idle, spoken, open, held] = [
      await place.old(40),
      await place.old(10),
      await place.old(40),
      await place.old(40),
    ]
    await place.age(open.id, 40, 'queued')
    office.clock.advance(31 * DAY_MS)
    await place.age(spoken.id, 10)
    for (const { contactId } of [idle, spoken, open, held]) await place.ageContact(contactId, 40)
    const made = await hold(place, { conversations: [held.id] })
    expect(await place.preview({ subject: 'CONTACTS', days: 30 })).toMatchObject({ due: 2, total: 4 })
    const policy = await place.create({ subject: 'CONTACTS', days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({
      status: 'DONE',
      erased: 1,
      held: 1,
      kept: [{ id: held.contactId, holds: [{ id: made.id }] }],
    })
    await until(async () => !(await place.isThere('contact', idle.contactId)))
    expect(await place.isThere('conversation', idle.id)).toBe(false)
    for (const { contactId } of [spoken, open, held]) expect(await place.isThere('contact', contactId)).toBe(true)
    const { value } = await place.run<{ lines: string }>('query { erasureLines { lines } }')
    expect(
      value.lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ contact: idle.contactId, reason: 'notNeeded' }])
    // Without an erasure that is blocked: nobody has demanded it.
    expect(await sql('select 1 from erasure where contact_id = $1', [held.contactId])).toEqual([])
  })
})
