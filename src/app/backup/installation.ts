import { join } from 'node:path'
import { access } from 'node:fs/promises'
import pg from 'pg'
import type { Config } from '../../platform/config.js'
import { Database } from '../../platform/db/database.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/db/embedded-postgres.js'
import { urlOfRunning } from '../../platform/db/embedded-running.js'
import { migrations } from '../../platform/db/migrations/index.js'
import { entities } from '../entities.js'

export type Log = Parameters<typeof startEmbeddedPostgres>[0]['log']

/** Uses the configured database, which a running server may be using: that of DATABASE_URL, else the embedded one. */
export async function withDatabase<T>(config: Config, log: Log, use: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl)
  const running = await urlOfRunning(config.dataDir)
  if (running && (await answers(running))) return use(running)
  return withStoppedDatabase(config, log, use)
}

/** Like {@link withDatabase}, for work that no running server may see: starts an embedded database for it. */
export async function withStoppedDatabase<T>(config: Config, log: Log, use: (url: string) => Promise<T>): Promise<T> {
  let embedded: EmbeddedPostgres | undefined
  try {
    if (!config.databaseUrl) embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    return await use(embedded?.url ?? config.databaseUrl!)
  } finally {
    await embedded?.stop()
  }
}

/** Migrates the schema of a database to the given migration, or to the latest. */
export async function migrateDatabase(url: string, log: Log, to?: string): Promise<void> {
  const database = await Database.open({ url, poolSize: 2, entities, log })
  try {
    await database.migrate(to)
  } finally {
    await database.close()
  }
}

/** @throws Error when the contents need migrations that this release does not know */
export function requireKnown(contents: { migrations: readonly string[] }, what: string): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = contents.migrations.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new Error(
    `${what} was made by a newer release (its schema has ${unknown.join(', ')}): use that release or a later one`,
  )
}

/** Returns the folder of attachments; null when they are in a bucket, or there are none yet. */
export async function attachmentsOf({ dataDir, s3Url }: Config): Promise<string | null> {
  if (s3Url) return null
  const folder = join(dataDir, 'attachments')
  return access(folder).then(
    () => folder,
    () => null,
  )
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
