import 'reflect-metadata'
import { Migrator } from '@mikro-orm/migrations'
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy'
import type pg from 'pg'
import { OutcomeUnknown } from '../errors.js'
import type { Share } from '../fairness/share.js'
import { CallerReads } from './caller-reads.js'
import { COLUMN_TYPES } from './column-types.js'
import { bounded, buildPendingIndexes } from './bounded-migrations.js'
import { confirmCommit, TIMELINE, type TransactionId } from './commit-outcome.js'
import { refuseTransactionPooling, requirePreparedStatements, takeServersName, warnOfSmallPool } from './pooler.js'
import { isRead, repeated, repeatReads } from './repeat-reads.js'
import { ChangeRecorder } from './record-changes.js'
import { releaseDead } from './release-dead.js'
import { OrmTx, type Tx } from './orm-tx.js'
import { Replicas, type Freshness } from './replicas.js'
import { withPlansAnew } from './prepared-anew.js'
import { PrimaryConnector } from './primary-connector.js'
import { countUnreplicated, FREE_MS_MAX, localLimitsSelected } from './session.js'
import { isLockTimeout, isRefusal, sqlStateOf } from './sql-errors.js'
import { runSqlTransaction, runStatement, type SqlTransactionOptions } from './sql-transaction.js'
import type { CallerSql, DatabaseOptions, Sql } from './sql.js'
import { waitForDatabase } from './wait-for-database.js'
import { migrations } from './migrations/index.js'

export type { Tx } from './orm-tx.js'
export type { CallerSql, DatabaseOptions, ReadOptions, Sql } from './sql.js'

/** An arbitrary constant: every node takes this advisory lock while it migrates. */
export const MIGRATION_LOCK = 7_301_960_418

/** The advisory lock of the node that builds indexes. */
const INDEX_LOCK = 7_301_960_421
/** About 5 minutes, including the waits in between. */
const MIGRATION_TRIES = 200
const MIGRATION_RETRY_MS = 1_000

const NAMED = `select pg_current_xact_id()::text as xid, ${TIMELINE} as timeline`

const CONNECTIONS_END_MS = 1_000

/** The only access to PostgreSQL: one pool, shared by the ORM and hand-written SQL. */
export class Database implements Sql {
  /** Null without `replicaUrl`. */
  readonly replicas: Replicas | null = null
  #indexing: pg.Client | null = null
  private readonly log: DatabaseOptions['log']

  private constructor(
    readonly orm: MikroORM,
    readonly pool: pg.Pool,
    private readonly connections: ReadonlySet<Promise<void>>,
    private readonly callerReads: CallerReads | null,
    private readonly connector: PrimaryConnector,
    private readonly direct: PrimaryConnector,
    private readonly waitMs: number,
    private readonly state: { isMigrating: boolean },
    { replicaUrl, reads, log }: DatabaseOptions,
  ) {
    this.log = log
    if (replicaUrl && reads) this.replicas = new Replicas({ url: replicaUrl, ...reads, log }, this)
  }

  /** Connects; does not migrate. @throws when PostgreSQL does not answer. */
  static async open(options: DatabaseOptions): Promise<Database> {
    let pool: pg.Pool | undefined
    const { url, directUrl, isUnnamed, reads, log, waitMs = 0 } = options
    const connector = new PrimaryConnector(url, directUrl !== undefined, isUnnamed, options.lockWaitMs)
    const direct = directUrl === undefined ? connector : new PrimaryConnector(directUrl)
    const state = { isMigrating: false }
    const connections = new Set<Promise<void>>()
    const orm = await MikroORM.init({
      clientUrl: connector.address,
      entities: options.entities,
      metadataProvider: ReflectMetadataProvider,
      extensions: [Migrator],
      subscribers: [new ChangeRecorder()],
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
        Client: connector.Client,
        connectionTimeoutMillis: FREE_MS_MAX,
        onConnect: (client: pg.ClientBase) => connector.prepare(client, () => state.isMigrating),
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
    const callerReads = reads ? new CallerReads({ ...reads, connector, waitMs, log, types: COLUMN_TYPES }) : null
    const database = new Database(orm, pool, connections, callerReads, connector, direct, waitMs, state, options)
    await refuseTransactionPooling(direct)
    if (direct === connector) await warnOfSmallPool(connector, options.poolSize + (reads?.poolSize ?? 0), log)
    else if (!isUnnamed) await requirePreparedStatements(connector)
    await takeServersName(orm, database)
    waitForDatabase(pool, waitMs, connector.hostCount)
    repeatReads(orm.em.getConnection(), waitMs)
    return database
  }

  /**
   * Brings the schema up to date, one node at a time.
   * @param to the last migration to run; default: all
   * @param before called under the lock; migrates nothing when it throws
   */
  async migrate(to?: string, before?: (query: Sql['query']) => Promise<void>): Promise<void> {
    const client = await this.connectAlone()
    this.state.isMigrating = true
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      await before?.(async <Row>(text: string) => (await client.query(text)).rows as Row[])
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
      const client = await this.connectAlone()
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

  /** Tells whether a pooler gives each transaction another session. */
  private get isShared(): boolean {
    return this.connector.isShared
  }

  query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    const run = () =>
      this.isShared
        ? this.sqlTransaction((sql) => sql.query<Row>(text, values, name), { isSingle: true })
        : withPlansAnew(() => runStatement<Row>(this.pool, text, values, name))
    return isRead(text) ? repeated(run, this.waitMs) : run()
  }

  /**
   * Reads on behalf of a caller, scheduled fairly and limited in time. All reads that a caller's request asks for must
   * use it.
   */
  readsOf(share: Share): CallerSql {
    return this.callerReads?.of(share) ?? this
  }

  /** Reads on behalf of a caller from a replica that is fresh enough, if there is one, else like `readsOf`. */
  listsOf(share: Share, freshness: Freshness): CallerSql {
    const { replicas, callerReads } = this
    return replicas && callerReads ? callerReads.fromReplicas(replicas, share, freshness) : this.readsOf(share)
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
   * Runs `work` in one transaction of the ORM; the unit of work is flushed before the commit. What has not begun waits for
   * a database that is away.
   * @throws OutcomeUnknown when it is unknown whether it was committed; after any other error it is rolled back
   */
  transaction<T>(em: EntityManager, work: (tx: Tx) => Promise<T>): Promise<T> {
    let isBegun = false
    const begin = (tx: Tx): Promise<T> => {
      isBegun = true
      return work(tx)
    }
    return repeated(
      () => this.#transaction(em, begin),
      this.waitMs,
      () => !isBegun,
    )
  }

  async #transaction<T>(em: EntityManager, work: (tx: Tx) => Promise<T>): Promise<T> {
    let transaction: TransactionId | null = null
    let ended: { value: T } | null = null
    const unreplicated = countUnreplicated()
    try {
      const result = await em.transactional(async (inner) => {
        const tx = new OrmTx(inner)
        const limits = this.isShared ? `, ${localLimitsSelected(this.connector.lockWaitMs)}` : ''
        const [row] = await tx.query<TransactionId>(NAMED + limits)
        const { xid, timeline } = row!
        transaction = { xid, timeline }
        tx.prove = (proof) => void (transaction = { xid, timeline, proof })
        ended = { value: await work(tx) }
        return ended.value
      })
      // The ORM does not report which connection was used: a concurrent commit of another one counts too.
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
   * Runs `work` on one connection between BEGIN and COMMIT, without the ORM, for hot paths; again if a migration has changed what
   * its prepared statements return. Statements that `work` does
   * not await are sent together with the commit, and the transaction fails when any of its statements does.
   * @throws OutcomeUnknown when it is unknown whether it was committed; after any other error it is rolled back
   */
  sqlTransaction<T>(work: (sql: Sql) => Promise<T>, options: SqlTransactionOptions = {}): Promise<T> {
    const { isShared, lockWaitMs } = this.connector
    const limits = isShared ? { isShared, lockWaitMs } : {}
    return withPlansAnew(() => runSqlTransaction(this.pool, work, { ...limits, ...options, confirm: this.#confirm }))
  }

  /** Runs `work` so that all its statements see the database as of the first one; it cannot write. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.sqlTransaction(work, { isSnapshot: true })
  }

  /** Opens a connection to the primary outside the pool, with a session of its own. */
  connectAlone(config?: pg.ClientConfig): Promise<pg.Client> {
    return this.direct.connect(config)
  }

  /** To be called while the database does not answer: see {@link PrimaryConnector.lookElsewhere}. */
  async lookElsewhere(): Promise<void> {
    const { connector, direct } = this
    const isDirectCut = await direct.lookElsewhere()
    // Around a pooler: it may have no session left to ask by.
    const isCut = connector !== direct && (await connector.lookElsewhere(direct.timeline))
    if (isDirectCut || isCut) this.log.warn({}, 'the primary did not answer: another host is the primary now')
  }

  readonly #confirm = (transaction: TransactionId | null, lost: unknown): Promise<void> =>
    confirmCommit(() => this.connectAlone(), transaction, lost)

  /**
   * Resolves when all connections have ended, which the pool does not wait for: an embedded server is stopped right
   * after.
   */
  async close(): Promise<void> {
    await this.#indexing?.end().catch(() => undefined)
    await this.replicas?.close()
    await this.callerReads?.close()
    await this.orm.close(true)
    const late = new Promise<void>((resolve) => setTimeout(resolve, CONNECTIONS_END_MS).unref())
    await Promise.race([Promise.all(this.connections), late])
  }
}
