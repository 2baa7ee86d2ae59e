import type { EntityClass } from '@mikro-orm/postgresql'
import type { FairQueue } from '../fairness/fair-queue.js'
import type { MigrationClass } from './bounded-migrations.js'

/**
 * Hand-written SQL on a connection. Values are `$1`, `$2` …; timestamps are returned as `Date`, int8 as number, json
 * parsed. `name` makes it a prepared statement of that connection, for hot paths.
 */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
}

/** Reads on behalf of a caller. */
export interface CallerSql extends Sql {
  /** Runs `work` so that all its statements see the database as of the first one. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

export interface DatabaseOptions {
  url: string
  poolSize: number
  entities: EntityClass<object>[]
  log: { warn(fields: object, message: string): void }
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
  queue: FairQueue
}
