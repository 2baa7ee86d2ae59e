import type { EntityClass } from '@mikro-orm/postgresql'
import type { MigrationClass } from './bounded-migrations.js'
import type { ReadTurns } from './read-turns.js'

/**
 * Hand-written SQL on a connection. Values are `$1`, `$2` …; timestamps are returned as `Date`, int8 as number, json
 * parsed. `name` makes it a prepared statement of that connection, for hot paths.
 */
export interface Sql {
  // A property, not a method: the compiler would take a `ReadSql` for a `Sql`.
  query: <Row>(text: string, values?: readonly unknown[], name?: string) => Promise<Row[]>
  /** Within a transaction: names what it leaves behind, see {@link Proof}; of several the last counts. */
  prove?: (proof: Proof) => void
}

/**
 * A statement that returns a row if, and only if, a transaction is part of the database's history: something that no
 * other transaction leaves behind. It decides about a COMMIT whose answer was lost when transaction ids cannot, as after
 * a failover, which gives some of them again.
 */
export interface Proof {
  text: string
  values: readonly unknown[]
}

declare const READS: unique symbol

/** A statement that only reads, see {@link reading}. */
export type ReadStatement = string & { readonly [READS]: true }

/** A connection on which only reads are possible. A {@link Sql} can be passed where one is required, not vice versa. */
export interface ReadSql {
  query: <Row>(text: ReadStatement, values?: readonly unknown[], name?: string) => Promise<Row[]>
}

const WRITES = /\b(insert|update|delete|merge|truncate|share|call|nextval|pg_advisory\w*|set_config)\b/i

/** Statements already checked: they are few, since values are parameters. */
const checked = new Set<string>()
const CHECKED_MAX = 1_000

/** Marks a statement as one that neither writes nor locks. @throws for one that does */
export function reading(text: string): ReadStatement {
  if (checked.has(text)) return text as ReadStatement
  const [write] = WRITES.exec(text) ?? []
  if (write !== undefined) throw new Error(`not a statement that only reads, because of "${write}": ${text.trim()}`)
  if (checked.size < CHECKED_MAX) checked.add(text)
  return text as ReadStatement
}

/** Reads on behalf of a caller. Those without a name are taken to be shaped by the caller, and make room if they take long. */
export interface CallerSql extends Sql {
  /** Runs `work` so that all its statements see the database as of the first one. @param name as of a statement */
  snapshot<T>(work: (sql: Sql) => Promise<T>, name?: string): Promise<T>
}

export interface DatabaseOptions {
  /** Address of PostgreSQL; several hosts as libpq writes them. */
  url: string
  /** Around a pooler that gives each transaction another session, to which `url` leads; absent: `url` is no such. */
  directUrl?: string
  /** True if that pooler loses prepared statements: they are sent without names. */
  isUnnamed?: boolean
  /** Addresses of standbys for lists, search and reports; needs `reads`. */
  replicaUrl?: string
  poolSize: number
  /** Time to wait for a database that is away before a statement or transaction is refused; default: not at all. */
  waitMs?: number
  /** Maximum wait of a statement for a lock; default: {@link LOCK_WAIT_MS_MAX}. */
  lockWaitMs?: number
  entities: EntityClass<object>[]
  log: { warn(fields: object, message: string): void; info?(fields: object, message: string): void }
  /** Limits of callers' reads; when absent, they share the pool without limits. */
  reads?: ReadOptions
  /** Replaces the product's migrations. */
  migrations?: readonly { name: string; class: MigrationClass }[]
}

export interface ReadOptions {
  /** Number of connections, in addition to `poolSize`. */
  poolSize: number
  /** A statement that takes longer is canceled. */
  timeoutMs: number
  /** Decides the order in which callers read. */
  turns: ReadTurns
}
