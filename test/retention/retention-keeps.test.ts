import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import { until } from '../support/until.js'
import { uploadImage } from '../support/upload-image.js'
import { insertRun } from './insert-run.js'
import { DAY_MS, makePlace, type Place } from './retention-fixture.js'

// What a term must leave, although it is old enough.
let office: Office
beforeAll(async () => {
  office = await startOffice({ GRAPHQL_COST_PER_MINUTE: '1000000000' }, { pace: 50 })
})
afterAll(() => office?.close())

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => office.server.database.query(text, values)

async function upload({ bot }: Place, name = 'egret.png'): Promise<string> {
  const made = await uploadImage(office, await office.tokenFor(bot), { name })
  return ((await made.json()) as { id: string }).id
}

async function send({ bot }: Place, conversation: string, message: object): Promise<void> {
  const sent = await office.send(await office.tokenFor(bot), conversation, { role: 'BOT', text: 'hi', ...message })
  expect(sent.code).toBeUndefined()
}

async function propose({ bot }: Place, conversation: string, message: object): Promise<void> {
  const { mark } = (
    await office.run<{ mark: string }>(
      await office.tokenFor(bot),
      'query ($id: ID!) { conversation(id: $id) { mark } }',
      { id: conversation },
    )
  ).value
  const proposed = await office.run(
    await office.tokenFor(bot),
    'mutation ($id: ID!, $message: MessageInput!) { propose(conversation: $id, message: $message) { id } }',
    { id: conversation, message: { role: 'AGENT', mark, ...message } },
  )
  expect(proposed.code).toBeUndefined()
}

describe('a contact', () => {
  it('stays while one of its conversations is within the longer term of an organization below', async () => {
    const center = await makePlace(office)
    const below = await makePlace(office, center.organization)
    const [here, there] = [await center.old(0), await below.old(0)]
    office.clock.advance(40 * DAY_MS)
    for (const { id, contactId } of [here, there]) {
      await center.age(id, 40)
      await center.ageContact(contactId, 40)
    }
    const own = await below.create({ days: 365 })
    expect(await center.preview({ subject: 'CONTACTS', days: 30 })).toMatchObject({ due: 1 })
    const policy = await center.create({ subject: 'CONTACTS', days: 30 })
    expect(await center.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
    await until(async () => !(await center.isThere('contact', here.contactId)))
    expect(await below.isThere('conversation', there.id)).toBe(true)
    // The nearest term holds alone, whether it is longer or shorter.
    await center.create({ days: 3_650 })
    await below.update(own.id, { days: 35, confirmed: true })
    expect(await center.ran(policy.id)).toMatchObject({ erased: 1 })
    await until(async () => !(await below.isThere('conversation', there.id)))
  })
})

describe('a conversation', () => {
  const close = async (id: string): Promise<void> => {
    await sql(
      `insert into job (id, kind, key, run_at, payload, created_at) values ($1, 'conversation.closing', $2, $3, $4, $3)`,
      [
        crypto.randomUUID(),
        `conversation.closing:${id}`,
        new Date(office.clock.now().getTime() + 9 * DAY_MS),
        { conversation: id, milestones: [], users: [] },
      ],
    )
  }

  it.each([
    ['a delayed message waits', (place: Place, id: string) => send(place, id, { text: 'later', delay: 9 * DAY_MS })],
    ['a proposal waits', (place: Place, id: string) => propose(place, id, { text: 'shall I?' })],
    ['its closing can be undone', (_: Place, id: string) => close(id)],
  ])('stays with its contact and files while %s', async (_, begin) => {
    const place = await makePlace(office)
    const over = await place.old(0)
    const file = await upload(place)
    await send(place, over.id, { meta: { fileId: file } })
    office.clock.advance(40 * DAY_MS)
    await begin(place, over.id)
    await sql(`update proposal set expires_at = expires_at + interval '9 days' where conversation_id = $1`, [over.id])
    await sql(`delete from job where kind = 'proposal.lapse'`)
    await place.age(over.id, 40)
    await place.ageContact(over.contactId, 40)
    await sql(`update attachment set created_at = created_at - interval '1 day' where id = $1`, [file])
    const files = await place.create({ subject: 'ATTACHMENTS', days: 30 })
    const contacts = await place.create({ subject: 'CONTACTS', days: 30 })
    const all = await place.create({ days: 30 })
    for (const { id } of [files, contacts, all])
      expect(await place.ran(id)).toMatchObject({ status: 'DONE', erased: 0, failed: 0 })
    await sql(`delete from job where kind in ('message.process', 'conversation.closing')`)
    await sql(`update proposal set status = 'rejected' where conversation_id = $1`, [over.id])
    await place.ran(all.id)
    await until(async () => !(await place.isThere('conversation', over.id)))
    await until(async () => !(await place.isThere('attachment', file)))
    // It may have been left while its conversation went.
    await place.ran(contacts.id)
    await until(async () => !(await place.isThere('contact', over.contactId)))
  })
})

describe('what stood still', () => {
  it('erases nothing for a day: a run that begins hours late, or that goes on after hours', async () => {
    const place = await makePlace(office)
    const { id } = await place.old(0)
    office.clock.advance(40 * DAY_MS)
    await place.age(id, 40)
    const policy = await place.create({ days: 30 })
    office.clock.advance(DAY_MS + 7 * 3_600_000)
    const startsAt = async (): Promise<number> => {
      const [row] = await sql<{ at: Date }>('select starts_at as at from retention_policy where id = $1', [policy.id])
      return row!.at.getTime()
    }
    const putOff = async (): Promise<boolean> => (await startsAt()) >= office.clock.now().getTime() + DAY_MS - 60_000
    await until(putOff)
    expect(await place.isThere('conversation', id)).toBe(true)
    expect(await place.runsOf(policy.id)).toEqual([])

    const run = await insertRun(office, policy.id)
    await sql(`update retention_run set status = 'running', updated_at = $2 where id = $1`, [
      run,
      new Date(office.clock.now().getTime() - 7 * 3_600_000),
    ])
    const before = await startsAt()
    office.clock.advance(60_000)
    await sql(
      `insert into job (id, kind, key, run_at, payload, created_at) values ($1, 'retention.slice', $2, $3, $4, $3)`,
      [crypto.randomUUID(), `retention:${policy.id}`, office.clock.now(), { run, organization: place.organization.id }],
    )
    await until(async () => (await place.runsOf(policy.id))[0]?.status === 'STOPPED')
    expect(await startsAt()).toBeGreaterThan(before)
    expect(await place.isThere('conversation', id)).toBe(true)
    await sql('delete from retention_run where id = $1', [run])
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
  })
})

describe('a file', () => {
  it('stays where a message or a command of an open conversation names it in capitals', async () => {
    const place = await makePlace(office)
    const [over, open] = [await place.old(0), await place.old(0)]
    const [sent, named, gone] = [await upload(place), await upload(place), await upload(place)]
    for (const file of [sent, named, gone]) await send(place, over.id, { meta: { fileId: file.toUpperCase() } })
    await send(place, open.id, { meta: { fileId: sent.toUpperCase() } })
    await send(place, open.id, { type: 'COMMAND', text: '/set odd thing', meta: { fileId: named.toUpperCase() } })
    office.clock.advance(40 * DAY_MS)
    await place.age(over.id, 40)
    await place.age(open.id, 0, 'active')
    const policy = await place.create({ subject: 'ATTACHMENTS', days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
    for (const file of [sent, named]) expect(await place.isThere('attachment', file)).toBe(true)
    expect(await place.isThere('attachment', gone)).toBe(false)
  })

  it('stays where its conversation goes if it is of an organization above, has tags, or was only proposed', async () => {
    const center = await makePlace(office)
    const below = await makePlace(office, center.organization)
    const over = await below.old(0)
    const [gone, tagged, proposed] = [await upload(below), await upload(below), await upload(below)]
    const above = await upload(center)
    for (const file of [gone, tagged]) await send(below, over.id, { meta: { fileId: file } })
    await send(center, over.id, { meta: { fileId: above } })
    await propose(below, over.id, { text: 'see', meta: { fileId: proposed } })
    await sql(`update proposal set status = 'rejected' where conversation_id = $1`, [over.id])
    office.clock.advance(40 * DAY_MS)
    await below.age(over.id, 40)
    await sql(`update attachment set tags = '{brochure}' where id = $1`, [tagged])
    const policy = await below.create({ days: 30 })
    expect(await below.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
    await until(async () => !(await below.isThere('attachment', gone)))
    for (const file of [tagged, proposed, above]) expect(await below.isThere('attachment', file)).toBe(true)
    const deleted = await sql<{ id: string }>(
      `select data ->> 'id' as id from event where type = 'attachment.deleted' and data ->> 'id' = any($1)`,
      [[gone, tagged, proposed, above]],
    )
    expect(deleted).toEqual([{ id: gone }])
  })

  it('that is still to be sent keeps nothing of other conversations: their webhooks are looked at again meanwhile', async () => {
    const place = await makePlace(office)
    const [one, other, open] = [await place.old(0), await place.old(0), await place.old(0)]
    const file = await upload(place)
    await send(place, one.id, { meta: { fileId: file } })
    office.clock.advance(40 * DAY_MS)
    await send(place, open.id, { text: 'later', meta: { fileId: file }, delay: 9 * DAY_MS })
    for (const { id } of [one, other]) await place.age(id, 40)
    const event = crypto.randomUUID()
    await sql(
      `insert into webhook_event (id, stream, number, event, at, organization_id, conversation_id, partition, position, place, body)
       values ($1, $2, 1, 'message.created', $3, $4, $5, $2, 1, 0, '{}')`,
      [event, `conversation:${other.id}`, office.clock.now(), place.organization.id, other.id],
    )
    const policy = await place.create({ days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 2 })
    // The first look has done all but the file, and waits for that.
    const jobs = (): Promise<{ again: boolean; attempts: number; files: number; runs: boolean }[]> =>
      sql(
        `select payload -> 'isAgain' = 'true' as again, attempts, jsonb_array_length(payload -> 'attachments') as files,
           leased_by is not null as runs from job
         where kind = 'conversation.deleted' and payload -> 'conversations' ? $1 order by number`,
        [other.id],
      )
    // While it runs, it is not known when it is tried again: an hour later by the clock of then.
    const looks = await until(jobs, (found) => found.some(({ again }) => again) && !found.some(({ runs }) => runs))
    expect(looks.map(({ again, files }) => [again, files])).toEqual([
      [null, 1],
      [true, 0],
    ])
    expect(await place.isThere('attachment', file)).toBe(true)
    office.clock.advance(3_600_000)
    await until(jobs, (found) => found.length === 1 && found[0]!.attempts > looks[0]!.attempts)
    await sql(`delete from job where kind = 'message.process' and payload ->> 'conversation' = $1`, [open.id])
    office.clock.advance(3_600_000)
    await until(async () => !(await place.isThere('attachment', file)))
    await until(jobs, (found) => found.length === 0)
  })

  it('stays where it has tags when a contact goes to which it was sent; that of the contact goes', async () => {
    const place = await makePlace(office)
    const idle = await place.old(0)
    const [sent, tagged, own] = [await upload(place), await upload(place), await upload(place)]
    for (const file of [sent, tagged, own]) await send(place, idle.id, { meta: { fileId: file } })
    await sql(`update attachment set contact_id = $2, user_id = null where id = $1`, [own, idle.contactId])
    await sql(`update attachment set tags = '{brochure}' where id = any($1)`, [[tagged, own]])
    office.clock.advance(40 * DAY_MS)
    await place.age(idle.id, 40)
    await place.ageContact(idle.contactId, 40)
    const policy = await place.create({ subject: 'CONTACTS', days: 30 })
    expect(await place.ran(policy.id)).toMatchObject({ status: 'DONE', erased: 1 })
    for (const file of [sent, own]) await until(async () => !(await place.isThere('attachment', file)))
    const undone = (): Promise<object[]> =>
      sql(`select 1 from erasure where contact_id = $1 and pending ? '0'`, [idle.contactId])
    await until(async () => (await undone()).length === 0)
    expect(await place.isThere('attachment', tagged)).toBe(true)
  })
})

describe('a preview', () => {
  it('asks for a confirmation where there is more than it looks at', async () => {
    const place = await makePlace(office)
    const file = await upload(place)
    await sql(
      `insert into attachment select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'tags', '{x}'::text[],
         'created_at', a.created_at - interval '90 days'))).* from attachment a, generate_series(1, 50000) where a.id = $1`,
      [file],
    )
    const preview = await place.preview({ subject: 'ATTACHMENTS', days: 30 })
    expect(preview).toMatchObject({ due: 0, waiting: 0, isMore: true, needsConfirmation: true })
    expect(await place.tryCreate({ subject: 'ATTACHMENTS', days: 30 })).toMatchObject({
      details: { reason: 'CONFIRMATION_NEEDED' },
    })
  })
})
