import pg from 'pg'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { maintainEventPartitions } from '../../src/platform/events/event-partitions.js'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Made once by the run's set-up: see `makeTemplate`. */
const TEMPLATE = 'TEST_TEMPLATE'

/** A database of a suite's own, with the schema and nothing in it, on the PostgreSQL of the whole run (see `services.ts`). */
export function makeDatabase(): Promise<TestDatabase> {
  return create(process.env[TEMPLATE])
}

/** A database without a schema. */
export function makeEmptyDatabase(): Promise<TestDatabase> {
  return create()
}

/** Any: nothing is old in a new database. */
const RETENTION_DAYS = 1

/** Makes the database that `makeDatabase` copies, which takes a twentieth of the time that the migrations take. */
export async function makeTemplate(): Promise<TestDatabase> {
  const made = await makeEmptyDatabase()
  const database = await Database.open({ url: made.url, poolSize: 2, entities: [], log: { warn: () => undefined } })
  try {
    await database.migrate()
    // As the first round of maintenance makes them, which costs each start as much as all else in PostgreSQL.
    await database.sqlTransaction((sql) => maintainEventPartitions(sql, systemClock.now(), RETENTION_DAYS))
  } finally {
    await database.close()
  }
  process.env[TEMPLATE] = new URL(made.url).pathname.slice(1)
  return made
}

async function create(template = 'template0'): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: run the tests by npm test')
  const name = `test_${systemClock.newId().replaceAll('-', '')}`
  // By the log, the usual way, takes three times as long.
  const statement = `create database ${name} template ${template} encoding 'UTF8' strategy file_copy`
  await unlessBusy(OBJECT_IN_USE, () => administrate(server, statement))
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => dropDatabase(server, name) }
}

const TRIES = 20
const RETRY_MS = 250
/** Autovacuum is at work in it, which an ordinary role may not end. */
const INSUFFICIENT_PRIVILEGE = '42501'
/** Autovacuum is at work in the template, and has not ended within the five seconds that PostgreSQL gives it. */
const OBJECT_IN_USE = '55006'

function dropDatabase(server: string, name: string): Promise<void> {
  const statement = `drop database if exists ${name} with (force)`
  return unlessBusy(INSUFFICIENT_PRIVILEGE, () => administrate(server, statement))
}

/** Does it again while it fails with this SQLSTATE. */
async function unlessBusy(state: string, act: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if ((error as { code?: string }).code !== state || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

async function administrate(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
