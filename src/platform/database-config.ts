import { addressesOf } from './database-address.js'

/** Maximum wait of a statement for a lock, unless a database is opened with another. */
export const LOCK_WAIT_MS_MAX = 5_000

/** Location of the database, and how it is used. */
export interface DatabaseConfig {
  /** Absent: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  /**
   * `transaction`: `databaseUrl` leads to a pooler that gives each transaction another session; `prepared`: to one that
   * has prepared statements follow their client there.
   */
  databasePooler: (typeof POOLERS)[number]
  /** Around the pooler, for what needs a session. */
  databaseDirectUrl: string | undefined
  /** Standbys for lists, search and reports. */
  databaseReplicaUrl: string | undefined
  /** Maximum wait of a statement for a lock. No variable sets it: tests on a slow machine wait for longer. */
  databaseLockWaitMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

const POOLERS = ['session', 'transaction', 'prepared'] as const

/** @throws Error that names the variable, without its value, which contains a password */
export function databaseConfig(env: Environment): DatabaseConfig {
  const databaseUrl = databaseAddress(env, 'DATABASE_URL')
  const databaseDirectUrl = databaseAddress(env, 'DATABASE_DIRECT_URL')
  const databaseReplicaUrl = databaseAddress(env, 'DATABASE_REPLICA_URL', 'replica')
  const given = env.DATABASE_POOLER || 'session'
  const databasePooler = POOLERS.find((pooler) => pooler === given)
  if (!databasePooler) throw new Error(`DATABASE_POOLER must be one of ${POOLERS.join(', ')}, not "${given}"`)
  if (databasePooler !== 'session' && !(databaseUrl && databaseDirectUrl)) {
    throw new Error(
      `DATABASE_POOLER=${databasePooler} needs DATABASE_URL, through the pooler, and DATABASE_DIRECT_URL, around it: ` +
        'migrations and the lock that shows that a node is alive need a session of their own',
    )
  }
  if (databaseReplicaUrl && !databaseUrl) {
    throw new Error('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded PostgreSQL has no standbys')
  }
  return { databaseUrl, databasePooler, databaseDirectUrl, databaseReplicaUrl, databaseLockWaitMs: LOCK_WAIT_MS_MAX }
}

function databaseAddress(env: Environment, name: string, server?: 'replica'): string | undefined {
  const value = env[name] || undefined
  if (value === undefined) return undefined
  try {
    addressesOf(value, server)
    return value
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`${name} must be postgresql://user:password@host:port,host:port/database: ${reason}`, {
      cause: error,
    })
  }
}
