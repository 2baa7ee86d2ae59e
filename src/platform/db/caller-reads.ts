import pg from 'pg'
import { Unprocessable } from '../errors.js'
import type { Share } from '../fairness/share.js'
import type { CallerSql, DatabaseOptions, ReadOptions, Sql } from './sql.js'
import { withPlansAnew } from './prepared-anew.js'
import type { PrimaryConnector } from './primary-connector.js'
import { FREE_MS_MAX } from './session.js'
import { repeated } from './repeat-reads.js'
import { NotHere } from './replica.js'
import type { Freshness, Replicas } from './replicas.js'
import { runSqlTransaction, runStatement } from './sql-transaction.js'
import { waitForDatabase } from './wait-for-database.js'

export interface CallerReadsOptions extends ReadOptions, Pick<DatabaseOptions, 'log'> {
  connector: PrimaryConnector
  waitMs: number
  types: pg.CustomTypesConfig
}

/** SQLSTATE of a statement that exceeded its time limit. */
const QUERY_CANCELED = '57014'

/** The statement if the caller may have shaped it; null for those of ours, which have names, but for few. */
const shapedOf = (name: string | undefined, text: string): string | null => (name === undefined ? text : null)

/** Stands for the statements of reads with several of them. */
const SNAPSHOT = 'snapshot'

/**
 * Runs callers' reads on connections of their own, so that they never take one from a write, a job or a probe. The
 * connections are read-only, and PostgreSQL itself ends statements that take too long, even if this process is gone.
 */
export class CallerReads {
  readonly #options: CallerReadsOptions
  readonly #pool: pg.Pool

  constructor(options: CallerReadsOptions) {
    const { connector, poolSize, timeoutMs, types, log, waitMs } = options
    this.#options = options
    const settings = {
      Client: connector.Client,
      max: poolSize,
      application_name: 'switchboard-reads',
      types,
      pipeline: true,
      connectionTimeoutMillis: FREE_MS_MAX,
      // The pool awaits it, although its types do not say so.
      onConnect: async (client: pg.ClientBase): Promise<void> => {
        await connector.prepare(client)
        if (connector.isShared) return
        await client.query(`set statement_timeout = ${timeoutMs}; set default_transaction_read_only = on`)
      },
    }
    this.#pool = new pg.Pool(settings as pg.PoolConfig)
    waitForDatabase(this.#pool, waitMs, connector.hostCount)
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      client.on('error', ({ message }) => log.warn({ reason: message }, 'database connection lost'))
    })
  }

  /**
   * @throws RateLimited when too many of the caller's reads are waiting; Unprocessable for a statement that takes too
   *   long
   */
  of(share: Share): CallerSql {
    return {
      query: (text, values = [], name) => this.#run(share, shapedOf(name, text), () => this.#query(text, values, name)),
      snapshot: (work, name) => this.#run(share, shapedOf(name, SNAPSHOT), () => this.#snapshot(work)),
    }
  }

  /** Reads from a replica that is fresh enough, else from the primary. @throws like `of` */
  fromReplicas(replicas: Replicas, share: Share, freshness: Freshness): CallerSql {
    const read = <T>(
      shaped: string | null,
      key: string | null,
      there: (pool: pg.Pool) => Promise<T>,
      here: () => Promise<T>,
    ): Promise<T> =>
      this.#run(share, shaped, () =>
        replicas.read(freshness, key, there).catch((error: unknown) => {
          if (error instanceof NotHere) return here()
          throw error
        }),
      )
    return {
      query: <Row>(text: string, values: readonly unknown[] = [], name?: string) =>
        read(
          shapedOf(name, text),
          text,
          (pool) => runStatement<Row>(pool, text, values, name),
          () => this.#query<Row>(text, values, name),
        ),
      snapshot: (work, name) =>
        read(
          shapedOf(name, SNAPSHOT),
          null,
          (pool) => runSqlTransaction(pool, work, { isSnapshot: true }),
          () => this.#snapshot(work),
        ),
    }
  }

  #query<Row>(text: string, values: readonly unknown[], name?: string): Promise<Row[]> {
    return this.#options.connector.isShared
      ? this.#snapshot((sql) => sql.query<Row>(text, values, name))
      : runStatement<Row>(this.#pool, text, values, name)
  }

  #snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { connector, timeoutMs } = this.#options
    const { isShared, lockWaitMs } = connector
    const limits = isShared ? { isShared, lockWaitMs, statementMs: timeoutMs } : {}
    return runSqlTransaction(this.#pool, work, { isSnapshot: true, ...limits })
  }

  /** Numbers of open and of idle connections. */
  get counts(): { open: number; idle: number } {
    return { open: this.#pool.totalCount, idle: this.#pool.idleCount }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #run<T>(share: Share, shaped: string | null, read: () => Promise<T>): Promise<T> {
    const { turns, timeoutMs, waitMs } = this.#options
    const run = (): Promise<T> => repeated(() => withPlansAnew(read), waitMs)
    const done = shaped === null ? turns.run(share, run) : turns.runShaped(share, shaped, run)
    return done.catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== QUERY_CANCELED) throw error
      throw new Unprocessable(
        `the query takes longer than ${timeoutMs} ms: request fewer records or use other conditions`,
        {
          reason: 'QUERY_TOO_LONG',
        },
      )
    })
  }
}
