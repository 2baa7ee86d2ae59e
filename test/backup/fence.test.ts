import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import pino from 'pino'
import { backUp, move, restore } from '../../src/app/backup/commands.js'
import { fence } from '../../src/app/backup/fence.js'
import { createServer } from '../../src/app/server.js'
import { readConfig } from '../../src/platform/config.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { makeEmptyDatabase, type TestDatabase } from '../support/database.js'
import { MainProcess } from '../support/main-process.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })
const databases: TestDatabase[] = []
const clients: pg.Client[] = []
let folder: string
let fixture: ConversationFixture
let conversation: string
let past: pg.Client

const TAKEN_JOBS = 'select id, attempts, leased_by, leased_until from job where leased_by is not null order by id'

const configFor = (databaseUrl: string, dataDir = 'data') =>
  readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, dataDir), PORT: '0', LOG_LEVEL: 'silent' })

async function emptyDatabase(): Promise<string> {
  const made = await makeEmptyDatabase()
  databases.push(made)
  return made.url
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  clients.push(client)
  return client
}

const fencesOf = async (url: string): Promise<unknown[]> => {
  const client = await open(url)
  const { rows } = await client.query(
    `select target from fence union all select distinct 'trigger' from pg_trigger where tgname = 'a_fence'`,
  )
  return rows
}

/** Moves as if the node had been suspended: it does not count as running, and goes on later. */
async function moveUnnoticed(target: string): Promise<string> {
  for (;;) {
    await past.query('delete from node')
    try {
      return await move(configFor(fixture.databaseUrl), log, target)
    } catch (error) {
      // Its heartbeat came in between.
      if (!/are using the database/.test(String(error))) throw error
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-fence-'))
  // The writes of a database that is away are refused at once.
  fixture = await startConversationFixture({ DATA_DIR: join(folder, 'original'), DATABASE_WAIT_MS: '0' })
  conversation = (await fixture.inStatus('ACTIVE')).id
  past = await open(fixture.databaseUrl)
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await fixture?.close()
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('the fence of a database that is moved', () => {
  let target: string

  it('waits for what is being written, which is in the copy, and refuses what comes after', async () => {
    target = await emptyDatabase()
    const writer = await open(fixture.databaseUrl)
    await writer.query('begin')
    await writer.query(`insert into server_secret (name, value) values ('in-flight', 'kept')`)
    const moving = moveUnnoticed(target)
    await until(async () => {
      const { rows } = await past.query(
        `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
         and relation = 'server_secret'::regclass`,
      )
      return rows.length > 0
    })
    await writer.query('commit')
    expect(await moving).toMatch(/^moved \d+ rows/)
    const copy = await open(target)
    const { rows } = await copy.query(`select value from server_secret where name = 'in-flight'`)
    expect(rows).toEqual([{ value: 'kept' }])
    const late = writer.query(`insert into server_secret (name, value) values ('late', 'lost')`)
    await expect(late).rejects.toThrow(/^the contents of this database were moved to test_\w+ at .*--unfence/)
    await expect(writer.query('truncate event')).rejects.toThrow(/were moved/)
  })

  it('makes a node that comes back later refuse what it is sent, and end with a sentence that names what to do', async () => {
    const sent = await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'to the past' })
    expect(sent.code).toBe('UNAVAILABLE')
    const error = await fixture.server.fenced
    expect(error.message).toMatch(/were moved to test_\w+ at .* set DATABASE_URL to that database, or.*--unfence/)
  })

  it('makes a node that starts end with code 1 and that sentence', async () => {
    const started = await MainProcess.spawn({ DATABASE_URL: fixture.databaseUrl, DATA_DIR: join(folder, 'started') })
    expect(await started.ended).toBe(1)
    expect(started.output).toMatch(/^Switchboard stops: the contents of this database were moved to .*--unfence`$/m)
  }, 180_000)

  it('is not copied with the contents, nor kept by a backup', async () => {
    expect(await fencesOf(target)).toEqual([])
    await backUp(configFor(fixture.databaseUrl), log, join(folder, 'of-fenced'))
    const restored = await emptyDatabase()
    await restore(configFor(restored, 'restored'), log, join(folder, 'of-fenced'))
    expect(await fencesOf(restored)).toEqual([])
    await (await open(restored)).query(`insert into server_secret (name, value) values ('new', 'taken')`)
  })

  it('does not hinder that a move which was killed is run again, and names its new target', async () => {
    const again = await emptyDatabase()
    expect(await moveUnnoticed(again)).toMatch(/^moved \d+ rows/)
    expect(await fencesOf(fixture.databaseUrl)).toEqual([
      { target: expect.stringContaining(new URL(again).pathname.slice(1)) },
      { target: 'trigger' },
    ])
    expect(await fencesOf(again)).toEqual([])
  })

  it('is taken away by --unfence: the database takes writes, and nodes start', async () => {
    const config = configFor(fixture.databaseUrl)
    expect(await move(config, log, '--unfence')).toMatch(/takes writes again/)
    expect(await move(config, log, '--unfence')).toMatch(/no fence: nothing was changed/)
    expect(await fencesOf(fixture.databaseUrl)).toEqual([])
    const server = await createServer(config, { log })
    await server.close()
    const sent = await until(async () => {
      const outcome = await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'to the present' })
      return outcome.code === undefined && outcome
    })
    expect(sent.value.text).toBe('to the present')
  })

  it('stops a node that had just registered when it was put up, at its next heartbeat', async () => {
    const server = await createServer(configFor(fixture.databaseUrl), { log })
    try {
      await fence(fixture.databaseUrl, target)
      const { rows: taken } = await past.query(TAKEN_JOBS)
      const error = await server.fenced
      expect(error.message).toMatch(/were moved to/)
      // It took no more; what a node had just taken cannot be given back, as nothing can be written.
      expect((await past.query(TAKEN_JOBS)).rows).toEqual(taken)
    } finally {
      await server.close()
      await move(configFor(fixture.databaseUrl), log, '--unfence')
    }
  })
})
