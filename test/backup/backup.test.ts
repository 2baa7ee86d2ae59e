import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import pino from 'pino'
import { backUp, move, restore } from '../../src/app/backup/commands.js'
import { readConfig } from '../../src/platform/config.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { insertRun } from '../retention/insert-run.js'
import { makeEmptyDatabase, type TestDatabase } from '../support/database.js'
import { uploadImage } from '../support/upload-image.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })
let folder: string
let fixture: ConversationFixture
let conversation: string
let token: string
let attachment: { id: string; url: string }
const databases: TestDatabase[] = []

const configFor = (databaseUrl: string, dataDir: string) =>
  readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, dataDir) })

async function emptyDatabase(): Promise<string> {
  const made = await makeEmptyDatabase()
  databases.push(made)
  return made.url
}

/** A server on the copy answers as the original does, and goes on. */
async function expectServed(databaseUrl: string, dataDir: string): Promise<void> {
  const copy = await startConversationFixture({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, dataDir) })
  try {
    // A token from before the copy holds: what signs it, and the session, came along.
    const read = await copy.rest(token, 'GET', `/v2/conversations/${conversation}?populate=messages`)
    const original = await fixture.rest(fixture.admin, 'GET', `/v2/conversations/${conversation}?populate=messages`)
    expect(read.body.messages.map(({ text }: { text: string }) => text)).toEqual(
      original.body.messages.map(({ text }: { text: string }) => text),
    )
    const sent = await copy.send(token, conversation, { role: 'AGENT', text: 'after the copy' })
    expect(sent.code).toBeUndefined()
    const bytes = await fetch(`${copy.url}${new URL(attachment.url).pathname}${new URL(attachment.url).search}`)
    expect(bytes.status).toBe(200)
  } finally {
    await copy.close()
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-backup-'))
  fixture = await startConversationFixture({ DATA_DIR: join(folder, 'original') })
  token = await fixture.tokenFor(fixture.admin)
  conversation = (await fixture.inStatus('ACTIVE')).id
  await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'tab\there, "quotes", \\N and 🦊\nnew line' })
  const uploaded = await uploadImage(fixture, token, { name: 'fox.png' })
  attachment = (await uploaded.json()) as typeof attachment
})
afterAll(async () => {
  await fixture?.close()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('a backup', () => {
  it('is taken while the server runs, and an empty installation restored from it works', async () => {
    const said = await backUp(configFor(fixture.databaseUrl, 'original'), log, join(folder, 'backup'))
    expect(said).toMatch(/^backed up \d+ rows of \d+ tables to /)
    const target = await emptyDatabase()
    expect(await restore(configFor(target, 'restored'), log, join(folder, 'backup'))).toMatch(/^restored \d+ rows/)
    await expectServed(target, 'restored')
  })

  it('brings back nobody who was erased since, where the list of erasures is given', async () => {
    const word = 'zqrestored'
    const profile = { name: `Rita ${word}`, email: `${word}@example.com` }
    const said = { role: 'CONTACT', text: `hello ${word}` }
    const { id, contactId } = await fixture.create({ contact: { profile }, messages: [said] })
    const stays = await fixture.create({ messages: [{ role: 'CONTACT', text: 'mine stays' }] })
    await backUp(configFor(fixture.databaseUrl, 'original'), log, join(folder, 'before'))
    const erase = 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }'
    expect((await fixture.run(fixture.admin, erase, { id: contactId })).code).toBeUndefined()
    const { body: lines } = await fixture.rest(fixture.admin, 'GET', '/v2/erasures')
    const list = join(folder, 'erasures.ndjson')
    await writeFile(list, `${String(lines)}{"erasure": "no id"}\n`)
    const target = await emptyDatabase()
    const config = configFor(target, 'erased')
    await expect(restore(config, log, join(folder, 'before'), list)).rejects.toThrow(
      /line 2 is no erasure.*nothing was/,
    )
    const strange = { ...JSON.parse(String(lines)), contact: crypto.randomUUID(), erasure: crypto.randomUUID() }
    await writeFile(list, `${String(lines)}${JSON.stringify(strange)}\n\n`)
    expect(await restore(config, log, join(folder, 'before'), list)).toMatch(/1 of 2 erasures are carried out/)
    const copy = await startConversationFixture({ DATABASE_URL: target, DATA_DIR: join(folder, 'erased') })
    try {
      // At the first answer: nothing is waited for.
      const read = (path: string) => copy.rest(token, 'GET', `/v2/${path}`)
      expect((await read(`contacts/${contactId}`)).status).toBe(404)
      expect((await read(`conversations/${id}`)).status).toBe(404)
      expect((await read(`conversations/${stays.id}`)).status).toBe(200)
      expect(await read(`erasures/${JSON.parse(String(lines)).erasure}`)).toMatchObject({
        body: { contact: contactId, reason: 'requested', conversations: 1 },
      })
      const events = () =>
        copy.server.database.query(`select 1 from event where data::text like '%' || $1 || '%' limit 1`, [word])
      await until(events, (rows) => rows.length === 0)
    } finally {
      await copy.close()
    }
  })

  it('erases nothing by terms of retention for a day after its restore: younger holds are not in it', async () => {
    const create = `mutation { createRetentionPolicy(input: { subject: CONTACTS, days: 3650 }) { id } }`
    const { value } = await fixture.run<{ id: string }>(fixture.admin, create)
    const run = await insertRun(fixture, value.id)
    const original = fixture.server.database
    await original.query(`update retention_policy set starts_at = now() - interval '2 days'`)
    await original.query(`update retention_run set status = 'running'`)
    await backUp(configFor(fixture.databaseUrl, 'original'), log, join(folder, 'retaining'))
    const target = await emptyDatabase()
    await restore(configFor(target, 'retained'), log, join(folder, 'retaining'))
    const client = new pg.Client({ connectionString: target })
    await client.connect()
    await client.query(`update job set run_at = now() where kind = 'retention.begin'`)
    await client.end()
    const copy = await startConversationFixture({ DATABASE_URL: target, DATA_DIR: join(folder, 'retained') })
    try {
      const { database } = copy.server
      const later = () => database.query(`select 1 from job where kind = 'retention.begin' and run_at > now()`)
      await until(later, (rows) => rows.length === 1)
      expect(await database.query('select id, status from retention_run')).toEqual([{ id: run, status: 'stopped' }])
    } finally {
      await copy.close()
    }
  })

  it('is refused where it would overwrite something', async () => {
    const original = configFor(fixture.databaseUrl, 'original')
    await expect(backUp(original, log, join(folder, 'original'))).rejects.toThrow(/exists: nothing was written/)
    await expect(restore(original, log, join(folder, 'backup'))).rejects.toThrow(/attachments is not empty/)
    const elsewhere = configFor(fixture.databaseUrl, 'elsewhere')
    await expect(restore(elsewhere, log, join(folder, 'backup'))).rejects.toThrow(/is not empty: nothing was changed/)
  })

  it('is refused when it is incomplete, damaged, or of a newer release, and leaves the target empty', async () => {
    const target = await emptyDatabase()
    const config = configFor(target, 'refused')
    await expect(restore(config, log, join(folder, 'original'))).rejects.toThrow(/not a complete backup/)
    const manifest = join(folder, 'backup', 'manifest.json')
    const text = await readFile(manifest, 'utf8')
    const parsed = JSON.parse(text)
    await writeFile(manifest, JSON.stringify({ ...parsed, migrations: [...parsed.migrations, '9999-later'] }))
    await expect(restore(config, log, join(folder, 'backup'))).rejects.toThrow(/newer release .*9999-later/)
    await writeFile(manifest, JSON.stringify({ ...parsed, format: 2 }))
    await expect(restore(config, log, join(folder, 'backup'))).rejects.toThrow(
      /format 2, and this release reads 1: restore it with the release that made it/,
    )
    const tables = parsed.tables.map((table: { name: string; rows: string }) =>
      table.name === 'message' ? { ...table, rows: '1' } : table,
    )
    await writeFile(manifest, JSON.stringify({ ...parsed, tables }))
    await expect(restore(config, log, join(folder, 'backup'))).rejects.toThrow(/the table message has/)
    await writeFile(manifest, text)
    await restore(config, log, join(folder, 'backup'))
  })
})

describe('a move', () => {
  it('is refused while a node runs', async () => {
    const target = await emptyDatabase()
    await expect(move(configFor(fixture.databaseUrl, 'original'), log, target)).rejects.toThrow(
      /1 server\(s\) are using/,
    )
    await expect(move(configFor(fixture.databaseUrl, 'original'), log, 'mysql://there')).rejects.toThrow(
      /is not a database/,
    )
  })

  it('is refused where the target has something, also of another program, and changes nothing there', async () => {
    const original = configFor(fixture.databaseUrl, 'original')
    const target = await emptyDatabase()
    const other = new pg.Client({ connectionString: target })
    await other.connect()
    await other.query('create table invoice (id int)')
    await expect(move(original, log, target)).rejects.toThrow(
      /not empty: nothing was changed; it has a table "invoice"/,
    )
    const { rows } = await other.query(`select tablename from pg_tables where schemaname = 'public'`)
    expect(rows).toEqual([{ tablename: 'invoice' }])
    await other.end()
  })

  it('copies every row to an empty database, which then works', async () => {
    const client = new pg.Client({ connectionString: fixture.databaseUrl })
    await client.connect()
    const target = await emptyDatabase()
    let moved = ''
    await until(async () => {
      // As if the node had ended a while ago: it signs in again within seconds, perhaps before the move asks.
      await client.query('delete from node')
      try {
        moved = await move(configFor(fixture.databaseUrl, 'original'), log, target)
      } catch (error) {
        if (!(error as Error).message.includes('are using the database')) throw error
      }
      return moved !== ''
    })
    await client.end()
    expect(moved).toMatch(/^moved \d+ rows/)
    await expectServed(target, 'original')
  })
})
