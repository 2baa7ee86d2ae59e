import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { requestErasures } from '../../src/app/backup/erasures.js'
import { newContact, texts, until } from '../conversations/conversation-fixture.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import { letNextComeDue } from '../support/next-job.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { CREATE_HOLD, holdsOf, type Holds, type MadeHold } from './holds-fixture.js'

let office: Office
let beside: TestServer
let holds: Holds
let outside: pg.Client
beforeAll(async () => {
  office = await startOffice({}, { pace: 50 })
  beside = await startTestServer({}, { beside: office, pace: 50 })
  holds = holdsOf(office)
  outside = new pg.Client({ connectionString: office.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await beside?.close()
  await office?.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => office.server.database.query(text, values)
const say = async (text: string, contactId?: string) => {
  const contact = contactId ? { id: contactId } : newContact()
  return office.create({ contact, messages: [{ role: 'CONTACT', text }] })
}
const act = (mutation: string, id: string) =>
  office.run<string>(office.admin, `mutation ($id: ID!) { ${mutation}(id: $id) }`, { id })
/** By the other node. */
const holdThere = async (input: object): Promise<{ hold?: MadeHold; code?: unknown }> => {
  const { data, errors } = await beside.gql(office.admin, CREATE_HOLD, {
    input: { name: 'Case', reason: 'Asked for', ...input },
  })
  return errors ? { code: errors[0]!.extensions.code } : { hold: data.createHold as MadeHold }
}
/** Waits until a session waits for the advisory lock of the holds. */
const oneWaits = (mode: 'ShareLock' | 'ExclusiveLock') =>
  until(
    () => sql(`select 1 from pg_locks where locktype = 'advisory' and mode = $1 and not granted`, [mode]),
    (rows) => rows.length > 0,
  )

describe('a hold and a deletion at the same time, by two nodes', () => {
  it('come one after the other: a deletion that is under way ends first', async () => {
    const { id } = await say('going')
    await outside.query('begin')
    await outside.query('select from message where conversation_id = $1 for key share', [id])
    const removed = act('deleteConversation', id)
    await until(
      () =>
        sql(`select 1 from pg_stat_activity where query like 'delete from conversation%' and wait_event_type = 'Lock'`),
      (rows) => rows.length > 0,
    )
    const held = holdThere({ conversations: [id] })
    await oneWaits('ExclusiveLock')
    await outside.query('commit')
    expect((await removed).code).toBeUndefined()
    expect(await held).toEqual({ code: 'NOT_FOUND' })
  })

  it('come one after the other: a hold that is being made is found', async () => {
    const { id, contactId } = await say('staying')
    await outside.query('begin')
    await outside.query('lock table hold in share mode')
    const held = holdThere({ contacts: [contactId] })
    await until(
      () => sql(`select 1 from pg_locks where relation = 'hold'::regclass and not granted`),
      (rows) => rows.length > 0,
    )
    const removed = act('deleteConversation', id)
    await oneWaits('ShareLock')
    await outside.query('commit')
    const { hold } = await held
    expect(await removed).toMatchObject({ code: 'UNPROCESSABLE', details: { reason: 'ON_HOLD', hold: hold!.id } })
    expect(texts(await office.show(id))).toEqual(['staying'])
    await holds.release(hold!.id)
  })

  it('lose nothing once the hold is answered, however they meet', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, (_, nth) => say(`race ${nth}`)))
    await Promise.all(
      all.map(async ({ id, contactId }, nth) => {
        const input = nth % 2 === 0 ? { conversations: [id] } : { contacts: [contactId] }
        const [held, removed] = await Promise.all([holdThere(input), act('deleteConversation', id)])
        const [row] = await sql('select 1 from conversation where id = $1', [id])
        expect(Boolean(row)).toBe(removed.details.reason === 'ON_HOLD')
        if (row) expect(held.hold).toBeDefined()
        if (held.hold) await holds.release(held.hold.id)
      }),
    )
  })

  it('keep every version of a message that is edited since', async () => {
    const { id } = await say('version 0')
    const message = (await office.show(id)).messages.edges[0]!.node.id
    const edit = `mutation ($id: ID!, $text: String!) { updateMessage(id: $id, patch: { text: $text }) { id } }`
    let begun = 0
    let last = Infinity
    const editing = (async () => {
      while (begun < last) {
        begun += 1
        await office.run(office.bot, edit, { id: message, text: `version ${begun}` })
      }
    })()
    await until(async () => begun > 5)
    const { hold } = await holdThere({ conversations: [id] })
    const begunThen = begun
    last = begun + 5
    await editing
    const kept = (await holds.kept({ hold: hold!.id })).map(({ text }) => Number(text!.replace('version ', '')))
    expect(kept[0]!).toBeLessThanOrEqual(begunThen)
    expect(kept).toEqual(Array.from({ length: begun - kept[0]! }, (_, nth) => kept[0]! + nth))
    await holds.release(hold!.id)
  })
})

describe('an erasure', () => {
  const ERASE = 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id status } }'
  const erase = async (id: string) =>
    (await office.run<{ id: string; status: string }>(office.admin, ERASE, { id })).value
  const statusOf = async (id: string): Promise<string> =>
    ((await outside.query('select status from erasure where id = $1', [id])).rows[0] as { status: string }).status
  const becomes = (id: string, status: string) =>
    until(
      async () => {
        await letNextComeDue(office, 'privacy.erase').catch(() => undefined)
        return statusOf(id)
      },
      (now) => now === status,
    )

  it('that is under way stops at what a hold keeps, and goes on when it is released', async () => {
    const kept = await say('stays for now')
    const other = await say('goes at once', kept.contactId)
    await outside.query('begin')
    await outside.query('select from conversation where id = $1 for no key update', [kept.id])
    const { id } = await erase(kept.contactId)
    await until(
      () => sql('select 1 from conversation where id = $1', [other.id]),
      (rows) => rows.length === 0,
    )
    const { hold } = await holdThere({ conversations: [kept.id] })
    await outside.query('commit')
    await becomes(id, 'blocked')
    expect(texts(await office.show(kept.id))).toEqual(['stays for now'])
    expect(await erase(kept.contactId)).toMatchObject({ id, status: 'BLOCKED' })
    await holds.release(hold!.id)
    await becomes(id, 'done')
    expect(await sql('select 1 from conversation where id = $1', [kept.id])).toEqual([])
    expect(await sql('select 1 from contact where id = $1', [kept.contactId])).toEqual([])
    expect(await sql('select 1 from erasure where contact_id = $1', [kept.contactId])).toHaveLength(1)
  })

  it('goes on although the sessions of whoever releases its hold are ended again and again', async () => {
    const { contactId } = await say('not for ever')
    const hold = await holds.make({ contacts: [contactId] })
    const { id, status } = await erase(contactId)
    expect(status).toBe('BLOCKED')
    await holds.release(hold.id)
    for (let kills = 0; kills < 20; kills += 1) {
      await outside.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      )
      await letNextComeDue(office, 'hold.changed').catch(() => undefined)
    }
    await until(
      async () => {
        for (const kind of ['hold.changed', 'contact.erase', 'privacy.erase'])
          await letNextComeDue(office, kind).catch(() => undefined)
        return statusOf(id)
      },
      (now) => now === 'done',
    )
  })

  it('that a restore asks for is blocked when the server starts, and goes on when the hold is released', async () => {
    const { id: conversation, contactId } = await say('restored')
    const free = await say('restored and free')
    const hold = await holds.make({ conversations: [conversation] })
    const at = new Date().toISOString()
    const organization = office.admin.organization.id
    const lineOf = (contact: string) => ({
      erasure: crypto.randomUUID(),
      contact,
      organization,
      reason: 'other' as const,
      at,
    })
    const [held, unheld] = [lineOf(contactId), lineOf(free.contactId)]
    expect(await requestErasures(office.databaseUrl, [held, unheld])).toBe(2)
    const restarted = await startTestServer({}, { beside: office, pace: 50 })
    try {
      expect(await statusOf(held.erasure)).toBe('blocked')
      expect(await sql('select 1 from contact where id = $1', [free.contactId])).toEqual([])
      expect(texts(await office.show(conversation))).toEqual(['restored'])
      await holds.release(hold.id)
      await becomes(held.erasure, 'done')
    } finally {
      await restarted.close()
    }
  })

  it('that was blocked when its line was kept is blocked after a restore, whatever the backup has', async () => {
    const { contactId } = await say('blocked before')
    const organization = office.admin.organization.id
    const line = { contact: contactId, organization, reason: 'other' as const, at: new Date().toISOString() }
    const erasure = crypto.randomUUID()
    await requestErasures(office.databaseUrl, [{ ...line, erasure, blocked: true }])
    expect(await statusOf(erasure)).toBe('blocked')
    // Once it went on, there is a line of that too.
    await requestErasures(office.databaseUrl, [
      { ...line, erasure, blocked: true },
      { ...line, erasure },
    ])
    expect(await statusOf(erasure)).toBe('requested')
    expect(await erase(contactId)).toEqual({ id: erasure, status: 'WITHDRAWING' })
  })
})
