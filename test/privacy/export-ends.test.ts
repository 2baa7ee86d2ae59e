import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import {
  must,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { letNextComeDue } from '../support/next-job.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { uploadImage } from '../support/upload-image.js'
import { Exports, filesBelow, type ShownExport } from './exports.js'
import { tablesWith } from './tables-with.js'

// What becomes of the file of an export, whatever happens to the contact and to the nodes meanwhile.
const dataDir = mkdtempSync(join(tmpdir(), 'export-ends-'))

let fixture: ConversationFixture
let beside: TestServer
let exports: Exports
let outside: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture({ DATA_DIR: dataDir }, { pace: 50 })
  beside = await startTestServer({ DATA_DIR: dataDir }, { beside: fixture, pace: 50 })
  exports = new Exports(fixture)
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await beside?.close()
  await fixture?.close()
  await rm(dataDir, { recursive: true })
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query(text, values)
const run = <T>(as: MadeUser | string, query: string, variables: Record<string, unknown>): Promise<T> =>
  must(fixture.run<T>(as, query, variables))
const said = (text: string) => fixture.create({ messages: [{ role: 'CONTACT', text }] })
const ask = (contact: string, notes = false) => exports.ask(fixture.admin, contact, notes)
const made = (contact: string, notes = false) => exports.made(fixture.admin, contact, notes)
const statusOf = async (url: string): Promise<number> => {
  const response = await exports.fetch(url)
  await response.arrayBuffer()
  return response.status
}

/** Keeps exports from reading the last that they read of a contact: what they have written so far is on the disk. */
async function holdUp(): Promise<void> {
  await outside.query('begin')
  await outside.query('lock table rating in access exclusive mode')
}
const letGo = () => outside.query('commit')
const partsOf = async (id: string): Promise<string[]> =>
  (await filesBelow(dataDir)).filter((path) => path.includes(`/attachments/exports/${id}/`))
const isStored = async (id: string): Promise<boolean> =>
  (await filesBelow(dataDir)).some((path) => path.endsWith(`/${id}`))

/** Tables and files with the word. */
async function placesOf(word: string): Promise<string[]> {
  const found = await tablesWith(fixture.server.database, word)
  for (const path of await filesBelow(dataDir)) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes?.includes(word)) found.push(path)
  }
  return found
}

/** Waits until the export is half written, and stands still. */
async function halfWritten(contact: string, notes = false): Promise<ShownExport> {
  const begun = await ask(contact, notes)
  await until(() => partsOf(begun.id).then((parts) => parts.length > 0))
  await until(
    () =>
      sql<{ count: number }>(
        `select count(*)::int as count from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.query like '%from rating t left join rating_comment%'`,
      ),
    ([row]) => row!.count > 0,
  )
  return begun
}

const isOver = (id: string) =>
  until(
    () => sql(`select 1 from job where kind = 'contactExport.write' and payload ->> 'export' = $1`, [id]),
    (jobs) => jobs.length === 0,
  )

describe('the file of an export', () => {
  it.each(['eraseContact(id: $id, reason: REQUESTED) { id }', 'deleteContact(id: $id)'])(
    'goes with its contact: %s',
    async (mutation) => {
      const { id, contactId } = await fixture.inStatus('CLOSED')
      const word = `zq${fixture.clock.newId().replaceAll('-', '')}`
      await fixture.send(fixture.ann, id, { role: 'AGENT', text: word })
      await fixture.command(fixture.ann, id, '/leave')
      const ready = await made(contactId)
      expect(await isStored(ready.id)).toBe(true)
      await run(fixture.admin, `mutation ($id: ID!) { ${mutation} }`, { id: contactId })
      expect(await statusOf(ready.url!)).toBe(404)
      expect(await exports.show(fixture.admin, ready.id)).toBeNull()
      await until(() => isStored(ready.id).then((is) => !is))
    },
  )

  it('goes while it is written, with all that was written of it, when the contact is erased', async () => {
    const word = 'zqhalf'
    const { contactId } = await said(`my ${word}`)
    await run(
      fixture.ann,
      'mutation ($contact: ID!, $text: String!) { addContactNote(contact: $contact, text: $text) { id } }',
      { contact: contactId, text: `noted ${word}` },
    )
    await holdUp()
    const begun = await halfWritten(contactId, true)
    const { id } = await run<{ id: string }>(
      fixture.admin,
      'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }',
      { id: contactId },
    )
    await letGo()
    await isOver(begun.id)
    await until(
      async () => {
        const [row] = await sql<{ status: string }>('select status from erasure where id = $1', [id])
        if (row!.status === 'erasing') await letNextComeDue(fixture, 'privacy.erase')
        return row!.status
      },
      (status) => status === 'done',
    )
    await until(
      () => placesOf(word),
      (places) => places.length === 0,
    )
    expect(await isStored(begun.id)).toBe(false)
    expect(await partsOf(begun.id)).toEqual([])
  })

  it('goes when the erasure comes between the bytes and the record', async () => {
    const { contactId } = await said('zqbetween')
    await holdUp()
    const begun = await halfWritten(contactId)
    // The bytes are stored, the record waits for its lock.
    await fixture.server.database.sqlTransaction(async (tx) => {
      await tx.query('select 1 from contact_export where id = $1 for update', [begun.id])
      await letGo()
      await until(() => isStored(begun.id))
      await tx.query('delete from contact_export where id = $1', [begun.id])
    })
    await isOver(begun.id)
    expect(await isStored(begun.id)).toBe(false)
    expect(await partsOf(begun.id)).toEqual([])
  })

  it('goes when a message, a conversation, a note or a file that it has is deleted', async () => {
    const deleted = async (contact: string, mutation: string, id: string): Promise<void> => {
      const ready = await made(contact, true)
      await run(fixture.admin, `mutation ($id: ID!) { ${mutation}(id: $id) }`, { id })
      await until(
        () => exports.show(fixture.admin, ready.id),
        (shown) => shown?.status === 'EXPIRED',
      )
      expect(await isStored(ready.id)).toBe(false)
      expect(await statusOf(ready.url!)).toBe(404)
    }
    const { id, contactId, messages } = await said('to be deleted')
    const { id: note } = await run<{ id: string }>(
      fixture.ann,
      'mutation ($contact: ID!) { addContactNote(contact: $contact, text: "gone") { id } }',
      { contact: contactId },
    )
    const other = await said('another’s, which stays')
    const stays = await made(other.contactId)
    await deleted(contactId, 'deleteContactNote', note)
    const { token } = await run<{ token: string }>(
      fixture.admin,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const file = (await (await uploadImage(fixture, token, { name: 'photo.png' })).json()) as { id: string }
    await deleted(contactId, 'deleteAttachment', file.id)
    await deleted(contactId, 'deleteMessage', messages.edges[0]!.node.id)
    await deleted(contactId, 'deleteConversation', id)
    expect((await exports.show(fixture.admin, stays.id))!.status).toBe('READY')
  })

  it('is begun anew when something that it has is deleted while it is written', async () => {
    const { id, contactId, messages } = await said('zqearlier')
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'stays' })
    await holdUp()
    const begun = await halfWritten(contactId)
    await run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: messages.edges[0]!.node.id })
    await until(
      () => sql<{ records: string[] }>('select records from contact_export where id = $1', [begun.id]),
      ([row]) => row!.records.includes(id),
    )
    await letGo()
    await exports.ended(fixture.admin, begun.id)
    const zip = await exports.opened(fixture.admin, contactId)
    const path = (await filesBelow(dataDir)).find((each) => each.endsWith(begun.id))!
    expect(path).toBeDefined()
    expect(zip.json(`conversations/${id}.json`).messages.map(({ text }: { text: string }) => text)).not.toContain(
      'zqearlier',
    )
    const { url } = (await exports.show(fixture.admin, begun.id))!
    expect(await statusOf(url!)).toBe(200)
  })

  it('of another, which has copies of the contact’s messages, goes with the contact', async () => {
    const [own, other] = [await said('zqcopied'), await said('mine')]
    await run(
      fixture.ann,
      'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }',
      { id: other.id, origin: own.id },
    )
    const ready = await made(other.contactId)
    await run(fixture.admin, 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }', {
      id: own.contactId,
    })
    await until(
      () => exports.show(fixture.admin, ready.id),
      (shown) => shown?.status === 'EXPIRED',
    )
    expect(await isStored(ready.id)).toBe(false)
  })
})

describe('an export that fails', () => {
  it('is tried again, and then said to have failed: nothing is left of it', async () => {
    const { contactId } = await said('fails')
    await holdUp()
    const begun = await halfWritten(contactId)
    await sql(`update job set failures = 8 where payload ->> 'export' = $1`, [begun.id])
    // Whatever is written cannot be stored.
    await sql(`alter table contact_export add constraint refused check (status <> 'ready') not valid`)
    await letGo()
    try {
      await until(
        async () => {
          await sql(`update job set failures = 8, run_at = $2 where payload ->> 'export' = $1 and leased_by is null`, [
            begun.id,
            fixture.clock.now(),
          ])
          await sql(`update job_partition set due_at = $1 where key like 'contactExport:%' and leased_by is null`, [
            fixture.clock.now(),
          ])
          return exports.show(fixture.admin, begun.id)
        },
        (shown) => shown?.status === 'FAILED',
      )
    } finally {
      await sql('alter table contact_export drop constraint refused')
    }
    expect(await isStored(begun.id)).toBe(false)
    expect(await partsOf(begun.id)).toEqual([])
    // Another one is begun, since none is pending.
    expect((await made(contactId)).status).toBe('READY')
  })
})

// Last: sign-ins end with time.
describe('the file of an export, after seven days', () => {
  it('goes when it expires, and its link with it', async () => {
    const { contactId } = await said('expires')
    const ready = await made(contactId)
    expect(await statusOf(ready.url!)).toBe(200)
    const [job] = await sql<{ at: Date }>(
      `select run_at as at from job where kind = 'contactExport.end' and payload -> 'exports' ? $1`,
      [ready.id],
    )
    expect(job!.at.toISOString()).toBe(ready.expiresAt)
    fixture.clock.advance(Date.parse(ready.expiresAt!) - fixture.clock.now().getTime() + 1_000)
    expect(await statusOf(ready.url!)).toBe(403)
    await until(
      () => sql<{ status: string }>('select status from contact_export where id = $1', [ready.id]),
      ([row]) => row!.status === 'expired',
    )
    expect(await isStored(ready.id)).toBe(false)
  })
})
