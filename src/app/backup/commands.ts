import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../platform/config.js'
import { HINTS_SECRET } from '../../platform/events/redis-hints.js'
import { requireKeys } from '../../platform/sealing/open-sealer.js'
import { keyIdOf } from '../../platform/sealing/sealer.js'
import { openBackup, writeBackup } from './backup-folder.js'
import { readErasures, requestErasures } from './erasures.js'
import { fence, unfence } from './fence.js'
import {
  attachmentsOf,
  type Log,
  migrateDatabase,
  requireKnown,
  withDatabase,
  withStoppedDatabase,
} from './installation.js'
import { load, requireEmpty } from './load.js'
import { copyPlain } from './plain-files.js'
import { delayRetention } from './retention.js'
import { connect, type Contents, withDatabaseSource } from './source.js'

/** A node that has not renewed its presence for this long is dead (nodes do so every three seconds). */
const NODE_ALIVE_SECONDS = 15

/**
 * Writes everything to a new folder, as of one moment; the server may be running.
 * @returns a message for the operator
 */
export async function backUp(config: Config, log: Log, given: string): Promise<string> {
  const folder = resolve(given)
  const attachments = await attachmentsOf(config)
  const contents = await withDatabase(config, log, (url) =>
    withDatabaseSource(url, async (source) => {
      requireKnown(source.contents, 'the database')
      await writeBackup(folder, source, { attachments, now: new Date() })
      return source.contents
    }),
  )
  const others = config.s3Url ? '; attachments stay in the bucket of S3_URL' : ''
  return `backed up ${summary(contents)} to ${folder}${others}`
}

/**
 * Fills an empty installation from a backup of this or an earlier release. The key of its hints is not restored: it makes one of
 * its own.
 * @param erasures a file with the lines of erasures: contacts that the backup brings back are erased when the server starts
 */
export async function restore(config: Config, log: Log, given: string, erasures?: string): Promise<string> {
  const folder = resolve(given)
  const lines = erasures === undefined ? [] : await readErasures(resolve(erasures))
  const backup = await openBackup(folder)
  requireKnown(backup.contents, `the backup in ${folder}`)
  requireKeys(backup.contents.keys, config.secretsKeys.map(keyIdOf), `nothing was changed: the backup in ${folder} is`)
  if (backup.attachments) await requireNoAttachments(config)
  let requested = 0
  await withStoppedDatabase(config, log, async (url) => {
    await requireEmpty(url)
    await migrateDatabase(url, log, backup.contents.migrations.at(-1))
    // It would hear the hints of the installation it was taken of, and speak to it, where both have one Redis.
    await load(url, backup, { withoutSecrets: [HINTS_SECRET] })
    await migrateDatabase(url, log)
    requested = await requestErasures(url, lines)
    await delayRetention(url)
  })
  if (backup.attachments) await copyPlain(backup.attachments, join(config.dataDir, 'attachments'))
  const erased = `; ${requested} of ${lines.length} erasures are carried out when the server starts, before it answers`
  return `restored ${summary(backup.contents)}, as of ${backup.createdAt}${erasures === undefined ? '' : erased}`
}

/**
 * Copies the configured database to an empty one elsewhere, and fences it: from then on it takes no writes, also of a node
 * that an orchestrator starts meanwhile. `--unfence` in place of a target takes it into use again.
 */
export async function move(config: Config, log: Log, target: string): Promise<string> {
  if (target === '--unfence') return takeIntoUse(config, log)
  if (!URL.canParse(target) || !/^postgres(ql)?:$/.test(new URL(target).protocol)) {
    throw new Error(`${JSON.stringify(target)} is not a database: expected postgresql://user:password@host/database`)
  }
  const contents = await withStoppedDatabase(config, log, async (url) => {
    await requireEmpty(target)
    await requireNoNode(url)
    await migrateDatabase(url, log)
    await fence(url, target)
    // Stays after a failure: whether the last commit reached the target may be unknown.
    return copyTo(url, target, log).catch((error: Error) => {
      const what = 'the old database takes no writes: move again, or run `npm run move -- --unfence`'
      throw new Error(`${error.message}; ${what}`, { cause: error })
    })
  })
  return `moved ${summary(contents)}; start with DATABASE_URL set to the new database, and the same DATA_DIR for attachments`
}

function copyTo(url: string, target: string, log: Log): Promise<Contents> {
  return withDatabaseSource(url, async (source) => {
    await migrateDatabase(target, log)
    await load(target, source)
    return source.contents
  })
}

async function takeIntoUse(config: Config, log: Log): Promise<string> {
  const wasFenced = await withDatabase(config, log, unfence)
  return wasFenced
    ? 'the database takes writes again: start no server with the one to which it was moved'
    : 'the database has no fence: nothing was changed'
}

function summary({ tables }: Contents): string {
  const rows = tables.reduce((sum, table) => sum + Number(table.rows), 0)
  return `${rows} rows of ${tables.length} tables`
}

async function requireNoNode(url: string): Promise<void> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from node where seen_at > now() - make_interval(secs => ${NODE_ALIVE_SECONDS})`,
    )
    const { count } = rows[0]!
    if (count > 0)
      throw new Error(`${count} server(s) are using the database: stop them, wait ${NODE_ALIVE_SECONDS} s, try again`)
  } finally {
    await client.end()
  }
}

async function requireNoAttachments({ dataDir }: Config): Promise<void> {
  const found = await readdir(join(dataDir, 'attachments')).catch(() => [])
  if (found.length > 0) throw new Error(`${join(dataDir, 'attachments')} is not empty: nothing was changed`)
}
