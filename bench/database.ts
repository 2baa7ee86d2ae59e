import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.js'

export interface BenchDatabase {
  url: string
  /** For the head of the output. */
  description: string
  close(): Promise<void>
}

/** A database of the bench's own: in `DATABASE_URL_BENCH`'s server, else in an embedded PostgreSQL that goes with it. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL_BENCH
  return given ? createDatabase(given, 'DATABASE_URL_BENCH') : embedded()
}

async function embedded(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, warn: console.warn } })
  return {
    url: postgres.url,
    description: await describe(postgres.url, 'embedded'),
    async close() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A new database in the server of another one's URL. @param where that is, for the description */
export async function createDatabase(server: string, where: string): Promise<BenchDatabase> {
  const name = `bench_${process.pid}_${Date.now()}`
  await run(server, `create database ${name} template template0 encoding 'UTF8'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    description: await describe(url.href, where),
    async close() {
      await run(server, `drop database if exists ${name} with (force)`)
    },
  }
}

/** Figures without durability would be worth nothing. @throws Error when commits do not wait for the disk */
async function describe(url: string, where: string): Promise<string> {
  const [row] = await run<{ version: string; synchronous_commit: string; fsync: string }>(
    url,
    `select current_setting('server_version') as version, current_setting('synchronous_commit') as synchronous_commit,
       current_setting('fsync') as fsync`,
  )
  const { version, synchronous_commit: commit, fsync } = row!
  if (commit !== 'on' || fsync !== 'on') throw new Error(`synchronous_commit is ${commit}, fsync ${fsync}: both must be on`)
  return `PostgreSQL ${version} (${where}), synchronous_commit on, fsync on`
}

async function run<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}
