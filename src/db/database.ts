import 'reflect-metadata'
import { Migrator } from '@mikro-orm/migrations'
import { type EntityManager, MikroORM, type EntityClass } from '@mikro-orm/postgresql'
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy'
import { CompiledQuery, type Transaction } from 'kysely'
import pg from 'pg'
import { migrations } from './migrations/index.js'

/**
 * Hand-written SQL on some connection. Values are `$1`, `$2` …; timestamps come back as `Date`, int8 as number, json
 * parsed. `name` makes it a prepared statement of that connection, for the hot paths.
 */
export interface Sql {
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
}

/** A transaction: the ORM's unit of work and hand-written SQL, committed together. */
export interface Tx extends Sql {
  em: EntityManager
}

export interface DatabaseOptions {
  url: string
  poolSize: number
  entities: EntityClass<object>[]
  log: { warn(fields: object, message: string): void }
}

/** An arbitrary constant: every node takes this advisory lock while it migrates. */
const MIGRATION_LOCK = 7_301_960_418

const CONNECTIONS_END_MS = 1_000

/** The one door to PostgreSQL: one pool, shared by the ORM and by hand-written SQL. */
export class Database implements Sql {
  private constructor(
    readonly orm: MikroORM,
    readonly pool: pg.Pool,
    private readonly connections: ReadonlySet<Promise<void>>,
  ) {}

  /** Connects; does not migrate. @throws when PostgreSQL does not answer. */
  static async open(options: DatabaseOptions): Promise<Database> {
    let pool: pg.Pool | undefined
    const connections = new Set<Promise<void>>()
    const orm = await MikroORM.init({
      clientUrl: options.url,
      entities: options.entities,
      metadataProvider: ReflectMetadataProvider,
      extensions: [Migrator],
      migrations: { migrationsList: migrations, snapshot: false, silent: true, tableName: 'schema_migration' },
      discovery: { warnWhenNoEntities: false },
      forceUtcTimezone: true,
      allowGlobalContext: false,
      ensureDatabase: false,
      pool: { min: 0, max: options.poolSize },
      driverOptions: {
        application_name: 'switchboard',
        types: TYPES,
        // Statements that do not wait for each other share a round trip.
        pipeline: true,
        onPoolCreated: (created: pg.Pool) => {
          pool = created
          // A server that goes away must not stop the process: the query in flight rejects by itself, and the
          // connection tells it below. Not the error as a whole: it holds the connection with all its settings.
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
    if (!pool) throw new Error('the ORM made no connection pool')
    const database = new Database(orm, pool, connections)
    await database.query('select 1')
    return database
  }

  /** Brings the schema up to date, one node at a time. */
  async migrate(): Promise<void> {
    const client = await this.pool.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      await this.orm.migrator.up()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined)
      client.release()
    }
  }

  query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    return run<Row>(this.pool, text, values, name)
  }

  /**
   * Statements that each commit without waiting for the disk: for bookkeeping that is done again when it is lost, such as
   * leases. What the machine forgets with its power is at most the last 0.6 s; a process that dies loses nothing.
   */
  readonly unsynced: Sql = {
    query: async <Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> => {
      let rows: Promise<Row[]> | undefined
      // Left alone, so that it goes out together with the commit.
      await this.#begin(BEGIN_UNSYNCED, async (sql) => void (rows = sql.query<Row>(text, values, name)))
      return rows!
    },
  }

  /** Runs `work` in one transaction of the ORM; what the unit of work holds is flushed before the commit. */
  async transaction<T>(em: EntityManager, work: (tx: Tx) => Promise<T>): Promise<T> {
    return em.transactional(async (inner) => work(new OrmTx(inner)))
  }

  /**
   * Runs `work` on one connection between BEGIN and COMMIT, without the ORM: for the hot paths. Statements that `work`
   * does not wait for go out together with the commit, and the transaction fails when any of its statements does.
   * @param options.keepsPlans named statements are planned once for a connection, whatever their values: for statements
   *   by key, whose planning costs more than they do
   */
  sqlTransaction<T>(work: (sql: Sql) => Promise<T>, options: { keepsPlans?: boolean } = {}): Promise<T> {
    return this.#begin(options.keepsPlans ? BEGIN_WITH_KEPT_PLANS : 'begin', work)
  }

  /** Every statement of `work` sees the database as of its first one; it can write nothing. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#begin('begin isolation level repeatable read read only', work)
  }

  async #begin<T>(begin: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    const statements: Promise<unknown>[] = []
    const send = <Result>(query: () => Promise<Result>): Promise<Result> => {
      sendTogether(client)
      const sent = query()
      // Awaited below: what `work` leaves alone must not look like nobody's.
      sent.catch(() => undefined)
      statements.push(sent)
      return sent
    }
    try {
      void send(() => client.query(begin))
      const result = await work({ query: (text, values = [], name) => send(() => run(client, text, values, name)) })
      const committed = send(() => client.query('commit'))
      await Promise.all(statements)
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK, and no error.
      if ((await committed).command !== 'COMMIT') throw new Error('the transaction was not committed')
      return result
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Resolves when the connections have ended, which the pool does not wait for; an embedded server goes right after. */
  async close(): Promise<void> {
    await this.orm.close(true)
    const late = new Promise<void>((resolve) => setTimeout(resolve, CONNECTIONS_END_MS).unref())
    await Promise.race([Promise.all(this.connections), late])
  }
}

const BEGIN_UNSYNCED = 'begin; set local synchronous_commit = off'
const BEGIN_WITH_KEPT_PLANS = 'begin; set local plan_cache_mode = force_generic_plan'

/** The connection of `pg`, which its types leave out. */
interface Wired {
  connection?: { stream?: { writableCorked: number; cork(): void; uncork(): void } }
}

/** What is sent before the process turns to something else goes out in one write, and wakes PostgreSQL once. */
function sendTogether(client: pg.PoolClient): void {
  const stream = (client as Wired).connection?.stream
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
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

async function run<Row>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
  name: string | undefined,
): Promise<Row[]> {
  const result = await on.query({ text, values: values as unknown[], ...(name && { name }) })
  return result.rows as Row[]
}

const TIMESTAMPTZ = 1184
const INT8 = 20
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text)
    if (oid === INT8) return Number
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig
