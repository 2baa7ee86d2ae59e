import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.js'

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
  // A pooler that runs as the server's user reaches its socket file.
  await chmod(dataDir, 0o711)
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
      // Without force: PostgreSQL ends its own workers there, which this role may not.
      await run(server, `drop database if exists ${name}`)
    },
  }
}

/**
 * Waits for the last connection to a benchmark's database to be gone: those that stay are missing in the next one.
 * @param server a database of the same server. @throws Error saying what those that stay did last
 */
export async function requireUnused(url: string, server: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const deadline = Date.now() + UNUSED_MS_MAX
  for (;;) {
    const open = await run<{ query: string }>(
      server,
      `select query from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`,
    )
    if (open.length === 0) return
    if (Date.now() > deadline)
      throw new Error(`${open.length} connections were left open, the first after: ${open[0]!.query}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const UNUSED_MS_MAX = 5_000

/** Figures without durability would be worth nothing. @throws Error when commits do not wait for the disk */
async function describe(url: string, where: string): Promise<string> {
  const [row] = await run<{ version: string; synchronous_commit: string; fsync: string }>(
    url,
    `select current_setting('server_version') as version, current_setting('synchronous_commit') as synchronous_commit,
       current_setting('fsync') as fsync`,
  )
  const { version, synchronous_commit: commit, fsync } = row!
  if (commit !== 'on' || fsync !== 'on')
    throw new Error(`synchronous_commit is ${commit}, fsync ${fsync}: both must be on`)
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
