import pg from 'pg'
import { systemClock } from '../../src/db/clock.js'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** An empty database of a suite's own, on the PostgreSQL that the whole run uses (see `services.ts`). */
export async function makeDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: run the tests by npm test')
  const name = `test_${systemClock.newId().replaceAll('-', '')}`
  await administrate(server, `create database ${name} template template0 encoding 'UTF8'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => dropDatabase(server, name) }
}

const DROP_TRIES = 20
const DROP_RETRY_MS = 250
/** Autovacuum is at work in it, which an ordinary role may not end. */
const INSUFFICIENT_PRIVILEGE = '42501'

async function dropDatabase(server: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await administrate(server, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || tries === DROP_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, DROP_RETRY_MS))
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
