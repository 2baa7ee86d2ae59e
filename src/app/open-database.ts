import type { Logger } from 'pino'
import type { Config } from '../platform/config.js'
import { Database } from '../platform/db/database.js'
import { requireUnfenced } from '../platform/db/fence.js'
import { describeAddress } from '../platform/database-address.js'
import type { EmbeddedPostgres } from '../platform/db/embedded-postgres.js'
import { entities } from './entities.js'
import { openLongReads, openShares, readLimits } from '../platform/fairness/shares.js'
import type { WritingAccounts } from '../platform/fairness/writing-accounts.js'
import { ReadTurns } from '../platform/db/read-turns.js'
import type { Metrics } from '../platform/metrics.js'

/** Connects, to the embedded server if no database is configured, and migrates. */
export async function openDatabase(
  {
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrl: replicaUrl,
    databasePooler,
    databaseWaitMs: waitMs,
    databaseLockWaitMs: lockWaitMs,
    poolSize,
    readPoolSize,
    readTimeoutMs,
  }: Config,
  embedded: EmbeddedPostgres | null,
  log: Logger,
  metrics: Metrics,
  writing: WritingAccounts,
): Promise<Database> {
  const url = embedded?.url ?? databaseUrl!
  const queue = openShares('reads', readLimits(readPoolSize), metrics)
  const turns = new ReadTurns(queue, openLongReads(readPoolSize, metrics, writing))
  const reads = { poolSize: readPoolSize, timeoutMs: readTimeoutMs, turns }
  const directUrl = databasePooler === 'session' ? undefined : databaseDirectUrl
  const isUnnamed = databasePooler === 'transaction'
  const opened = Database.open({
    ...{ url, directUrl, isUnnamed, replicaUrl, reads, waitMs, lockWaitMs, entities, log },
    poolSize: poolSize - readPoolSize,
  })
  const database = await opened.catch((error: Error) => {
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
    throw new Error(`cannot use the database ${describeAddress(url)} (DATABASE_URL): ${reason}`, {
      cause: error,
    })
  })
  try {
    await database.migrate(undefined, requireUnfenced)
    database.buildPendingIndexes(log)
    if (database.replicas) metrics.watchReplicas(database.replicas)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
