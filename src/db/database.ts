import 'reflect-metadata'
import { Migrator } from '@mikro-orm/migrations'
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy'
import { CompiledQuery, type Transaction } from 'kysely'
import pg from 'pg'
import { OutcomeUnknown } from '../errors.js'
import type { Share } from '../fairness/fair-queue.js'
import { CallerReads } from './caller-reads.js'
import { COLUMN_TYPES } from './column-types.js'
import { bounded, buildPendingIndexes } from './bounded-migrations.js'
import { confirmCommit, TIMELINE, type TransactionId } from './commit-outcome.js'
import { refuseTransactionPooling } from './pooler.js'
import { releaseDead } from './release-dead.js'
import { CONNECT_MS_MAX, countUnreplicated, KEEPALIVE_MS, prepareSession } from './session.js'
import { isLockTimeout, isRefusal, sqlStateOf } from './sql-errors.js'
import { runSqlTransaction, runStatement, type SqlTransactionOptions } from './sql-transaction.js'
import type { CallerSql, DatabaseOptions, Sql } from './sql.js'
import { migrations } from './migrations/index.js'

export type { CallerSql, DatabaseOptions, ReadOptions, Sql } from './sql.js'

/** A transaction: the ORM's unit of work and hand-written SQL, committed together. */
export interface Tx extends Sql {
  em: EntityManager
}

/** An arbitrary constant: every node takes this advisory lock while it migrates. */
const MIGRATION_LOCK = 7_301_960_418

/** The advisory lock of the node that builds indexes. */
const INDEX_LOCK = 7_301_960_421
/** About 5 minutes, including the waits in between. */
const MIGRATION_TRIES = 200
const MIGRATION_RETRY_MS = 1_000

const CONNECTIONS_END_MS = 1_000
const ALONE_MS_MAX = 3_000

/** The only access to PostgreSQL: one pool, shared by the ORM and hand-written SQL. */
export class Database implements Sql {
  #indexing: pg.Client | null = null

  private constructor(
    readonly orm: MikroORM,
    readonly pool: pg.Pool,
    private readonly connections: ReadonlySet<Promise<void>>,
    private readonly callerReads: CallerReads | null,
    private readonly url: string,
    private readonly state: { isMigrating: boolean },
  ) {}

  /** Connects; does not migrate. @throws when PostgreSQL does not answer. */
  static async open(options: DatabaseOptions): Promise<Database> {
    let pool: pg.Pool | undefined
    const state = { isMigrating: false }
    const connections = new Set<Promise<void>>()
    const orm = await MikroORM.init({
      clientUrl: options.url,
      entities: options.entities,
      metadataProvider: ReflectMetadataProvider,
      extensions: [Migrator],
      migrations: {
        migrationsList: (options.migrations ?? migrations).map(({ name, class: migration }) => ({
          name,
          class: bounded(migration),
        })),
        snapshot: false,
        silent: true,
        tableName: 'schema_migration',
        // One transaction per migration: locks are held no longer than for one, and a failure does not undo earlier
        // ones.
        allOrNothing: false,
      },
      discovery: { warnWhenNoEntities: false },
      forceUtcTimezone: true,
      allowGlobalContext: false,
      ensureDatabase: false,
      pool: { min: 0, max: options.poolSize },
      driverOptions: {
        application_name: 'switchboard',
        types: COLUMN_TYPES,
        // Statements that do not wait for each other share a round trip.
        pipeline: true,
        connectionTimeoutMillis: CONNECT_MS_MAX,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEPALIVE_MS,
        onConnect: (client: pg.ClientBase) => prepareSession(client, () => state.isMigrating),
        onPoolCreated: (created: pg.Pool) => {
          pool = created
          releaseDead(created)
          // A server that goes away must not stop the process: the running query rejects by itself, and the connection
          // logs the loss below. The error is not logged as a whole because it holds the connection and its settings.
          created.on('error', () => undefined)
          created.on('connect', (client) => {
            client.on('error', ({ message }) => options.log.warn({ reason: message }, 'database connection lost'))
            const ended = new Promise<void>((resolve) => client.once('end', resolve))
            connections.add(ended)
            void ended.then(() => connections.delete(ended))
          })
        },
      },
    })
    await orm.connect()
    if (!pool) throw new Error('the ORM created no connection pool')
    const { url, reads, log } = options
    const callerReads = reads ? new CallerReads({ ...reads, url, log, types: COLUMN_TYPES }) : null
    const database = new Database(orm, pool, connections, callerReads, url, state)
    await refuseTransactionPooling(() => connectAlone(url))
    await database.query('select 1')
    return database
  }

  /**
   * Brings the schema up to date, one node at a time.
   * @param to the last migration to run; default: all
   */
  async migrate(to?: string): Promise<void> {
    const client = await connectAlone(this.url)
    this.state.isMigrating = true
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      for (let tries = 1; ; tries++) {
        try {
          await this.orm.migrator.up(to === undefined ? undefined : { to })
          return
        } catch (error) {
          // A transaction, perhaps a dump, uses the table that it changes.
          if (!isLockTimeout(error) || tries === MIGRATION_TRIES) throw error
          await new Promise((resolve) => setTimeout(resolve, MIGRATION_RETRY_MS))
        }
      }
    } finally {
      this.state.isMigrating = false
      // Ending the connection releases the lock.
      await client.end()
    }
  }

  /** Builds the indexes that migrations deferred, in the background: a node can serve without them. */
  buildPendingIndexes(log: { warn(fields: object, message: string): void }): void {
    const build = async (): Promise<void> => {
      const client = await connectAlone(this.url)
      this.#indexing = client
      try {
        const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
          INDEX_LOCK,
        ])
        if (rows[0]!.taken) await buildPendingIndexes(client)
      } finally {
        this.#indexing = null
        await client.end()
      }
    }
    build().catch((error: unknown) => log.warn({ err: error }, 'failed to build the indexes that migrations deferred'))
  }

  query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    return runStatement<Row>(this.pool, text, values, name)
  }

  /**
   * Reads on behalf of a caller, scheduled fairly and limited in time. All reads that a caller's request asks for must
   * use it.
   */
  readsOf(share: Share): CallerSql {
    return this.callerReads?.of(share) ?? this
  }

  /**
   * Runs statements that commit without waiting for the disk, for bookkeeping that is repeated when lost, such as
   * leases. A power failure loses at most the last 0.6 s; the death of a process loses nothing.
   */
  readonly asyncCommit: Sql = {
    query: async <Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> => {
      let rows: Promise<Row[]> | undefined
      // Not awaited, so that it is sent together with the commit.
      await this.sqlTransaction(async (sql) => void (rows = sql.query<Row>(text, values, name)), { isUnsynced: true })
      return rows!
    },
  }

  /**
   * Runs `work` in one transaction of the ORM; the unit of work is flushed before the commit.
   * @throws OutcomeUnknown when it cannot be told whether it was committed; after any other error it is rolled back
   */
  async transaction<T>(em: EntityManager, work: (tx: Tx) => Promise<T>): Promise<T> {
    let transaction: TransactionId | null = null
    let ended: { value: T } | null = null
    const unreplicated = countUnreplicated()
    try {
      const result = await em.transactional(async (inner) => {
        const tx = new OrmTx(inner)
        const [row] = await tx.query<TransactionId>(`select pg_current_xact_id()::text as xid, ${TIMELINE} as timeline`)
        transaction = row!
        ended = { value: await work(tx) }
        return ended.value
      })
      // The ORM does not tell which connection was used: a concurrent commit of another one counts too.
      if (countUnreplicated() !== unreplicated) throw new OutcomeUnknown()
      return result
    } catch (error) {
      // The compiler does not see that the callback assigns it.
      const done = ended as { value: T } | null
      if (!done || isRefusal(error) || sqlStateOf(error) === null) throw error
      await this.#confirm(transaction, error)
      return done.value
    }
  }

  /**
   * Runs `work` on one connection between BEGIN and COMMIT, without the ORM, for hot paths. Statements that `work` does
   * not await are sent together with the commit, and the transaction fails when any of its statements does.
   * @throws OutcomeUnknown when it cannot be told whether it was committed; after any other error it is rolled back
   */
  sqlTransaction<T>(work: (sql: Sql) => Promise<T>, options: SqlTransactionOptions = {}): Promise<T> {
    return runSqlTransaction(this.pool, work, { ...options, confirm: this.#confirm })
  }

  /** Runs `work` so that all its statements see the database as of the first one; it cannot write. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.sqlTransaction(work, { isSnapshot: true })
  }

  readonly #confirm = (transaction: TransactionId | null, lost: unknown): Promise<void> =>
    confirmCommit(() => connectAlone(this.url), transaction, lost)

  /**
   * Resolves when all connections have ended, which the pool does not wait for: an embedded server is stopped right
   * after.
   */
  async close(): Promise<void> {
    await this.#indexing?.end().catch(() => undefined)
    await this.callerReads?.close()
    await this.orm.close(true)
    const late = new Promise<void>((resolve) => setTimeout(resolve, CONNECTIONS_END_MS).unref())
    await Promise.race([Promise.all(this.connections), late])
  }
}

/** Opens a connection outside the pool. */
async function connectAlone(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ALONE_MS_MAX })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

class OrmTx implements Tx {
  constructor(readonly em: EntityManager) {}

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const transaction = this.em.getTransactionContext<Transaction<unknown>>()
    if (!transaction) throw new Error('the transaction has ended')
    await this.em.flush()
    const result = await transaction.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))
    return result.rows as Row[]
  }
}
