import { randomUUID } from 'node:crypto'
import type { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
import type { Sql } from './sql.js'
import { sqlStateOf } from './sql-errors.js'

interface Connector {
  connect(): Promise<pg.Client>
}

const TRIES = 5
/** A pooler that gives a connection no session within this time has too few of them. */
const SERVED_MS_MAX = 2_000

/**
 * Refuses a pooler that gives each transaction another session, as PgBouncer does with `pool_mode = transaction`:
 * prepared statements, session settings and the advisory locks that distinguish running nodes from dead ones would end up in
 * other clients' sessions. Detected when two connected clients are served by one session, or one client by two.
 * @throws Error that says what to change
 */
export async function refuseTransactionPooling(connector: Connector): Promise<void> {
  const one = await connector.connect()
  try {
    const first = await sessionOf(one)
    // PostgreSQL reports the process id of the client's own session; a pooler reports an id of its own.
    if (first === (one as pg.Client & { processID?: number }).processID) return
    const other = await connector.connect()
    try {
      await other.query('begin')
      const taken = await sessionOf(other)
      for (let tries = 0; tries < TRIES; tries++) {
        if (taken === first || (await sessionOf(one)) !== first) throw new Error(REFUSAL)
      }
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

const REFUSAL =
  'the address leads to a pooler that shares sessions among clients (PgBouncer with pool_mode = transaction): ' +
  'set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL, or pool_mode = session for this database, or name ' +
  'PostgreSQL itself'

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/**
 * Warns if a pooler has fewer sessions for this node than the node uses at a time: its requests would wait for seconds, in
 * the pooler, without anybody knowing why.
 * @param wanted the connections of this node
 */
export async function warnOfSmallPool(
  connector: Connector,
  wanted: number,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  const one = await connector.connect()
  const isPooled = (await sessionOf(one)) !== (one as pg.Client & { processID?: number }).processID
  await one.end()
  if (!isPooled) return
  let isOver = false
  let served = 0
  const clients = Array.from({ length: wanted }, async () => {
    const client = await connector.connect()
    // Too late for the count.
    if (!isOver) served += 1
    return client
  })
  await Promise.race([Promise.allSettled(clients), new Promise((resolve) => setTimeout(resolve, SERVED_MS_MAX))])
  isOver = true
  for (const client of clients) {
    client.then(
      (opened) => opened.end().catch(() => undefined),
      () => undefined,
    )
  }
  if (served === wanted) return
  log.warn(
    { served, wanted },
    `the pooler has sessions for ${served} of the ${wanted} connections of this node: raise default_pool_size to the sum of ` +
      'DATABASE_POOL_SIZE of all nodes plus 2 for each, or use pool_mode = transaction with DATABASE_POOLER=transaction',
  )
}

/**
 * Refuses a pooler that loses what is prepared in another session than that of the next transaction: PgBouncer does before
 * 1.21, and later with `max_prepared_statements = 0`.
 * @throws Error that says what to change
 */
export async function requirePreparedStatements(connector: Connector): Promise<void> {
  const [one, other] = [await connector.connect(), await connector.connect()]
  const statement = { name: `probe-${randomUUID()}`, text: 'select 1' }
  try {
    await one.query(statement)
    for (let tries = 0; tries < TRIES; tries++) {
      // Takes the session that was used last, so that the statement goes to another one, unless there is only one.
      await other.query('begin')
      const answer = one.query(statement)
      await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, OTHER_SESSION_MS_MAX))])
      await other.query('rollback')
      await answer
    }
  } catch (error) {
    if (sqlStateOf(error) !== UNKNOWN_STATEMENT) throw error
    throw new Error(NOT_PREPARED, { cause: error })
  } finally {
    await Promise.all([one, other].map((client) => client.end()))
  }
}

/** A pooler opens a session in less time; one that has no other for us is not waited for. */
const OTHER_SESSION_MS_MAX = 1_000
/** `invalid_sql_statement_name`. */
const UNKNOWN_STATEMENT = '26000'

const NOT_PREPARED =
  'the pooler loses prepared statements between transactions: use PgBouncer 1.21 or newer with max_prepared_statements ' +
  'above 0, or DATABASE_POOLER=transaction'

/**
 * Tells the ORM how the server calls the database, which a pooler may know by another name: the migrator would not find
 * that one, create it, and end the pool of connections.
 */
export async function takeServersName(orm: MikroORM, sql: Sql): Promise<void> {
  const [row] = await sql.query<{ name: string }>('select current_database() as name')
  orm.config.set('dbName', row!.name)
}
