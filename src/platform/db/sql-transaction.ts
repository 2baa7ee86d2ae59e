import type pg from 'pg'
import type { Proof, Sql } from './sql.js'
import { TIMELINE, type TransactionId } from './commit-outcome.js'
import { willBeReleased } from './release-dead.js'
import { OutcomeUnknown } from '../errors.js'
import {
  cutConnection,
  expectReplicated,
  isUnreplicated,
  localLimits,
  sendTogether,
  setPatient,
  timelineOf,
} from './session.js'
import { causeOf, isReadOnly, isRefusal } from './sql-errors.js'
import { tracing } from '../tracing/tracing.js'

export interface SqlTransactionOptions {
  /** Plans named statements once per connection, whatever their values; for statements by key. */
  keepsPlans?: boolean
  /** Maximum wait for any lock. */
  lockWaitMs?: number
  /** After this time the connection is cut and the outcome of the transaction is determined. */
  msMax?: number
  /** Allows long statements during which the server is silent, for maintenance. */
  isPatient?: boolean
  /** Read-only, as of its first statement. */
  isSnapshot?: boolean
  /** A single statement with the limits of a transaction, through a pooler; a lost answer is an error. */
  isSingle?: boolean
  /** True if a pooler gives each transaction another session: it sets its own limits. */
  isShared?: boolean
  /** Time limit of each statement, if it is not the usual one. */
  statementMs?: number
  /** The commit does not wait for the disk, and a lost answer is an error: for work that is repeated anyway. */
  isUnsynced?: boolean
}

interface Confirmed {
  /** Decides what a lost answer to a COMMIT means: resolves if it was committed. For writes that are not repeated. */
  confirm?: (transaction: TransactionId, lost: unknown) => Promise<void>
}

/**
 * Runs `work` on one connection between BEGIN and COMMIT. Statements that `work` does not await are sent together with
 * the commit, and the transaction fails when any of its statements does. An error means that the transaction is proved
 * to be rolled back, except for errors that `confirm` throws.
 */
export async function runSqlTransaction<T>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<T>,
  options: SqlTransactionOptions & Confirmed,
): Promise<T> {
  const client = await pool.connect()
  willBeReleased(client)
  const { msMax, isPatient = false, confirm } = options
  const deadline = msMax && setTimeout(() => cutConnection(client, `the transaction took more than ${msMax} ms`), msMax)
  if (isPatient) setPatient(client, true)
  const sent: Promise<unknown>[] = []
  const send = <Result>(query: () => Promise<Result>): Promise<Result> => {
    sendTogether(client)
    const answer = query()
    // Awaited below; the handler prevents an unhandled rejection of statements that `work` does not await.
    answer.catch(() => undefined)
    sent.push(answer)
    return answer
  }
  let isHeld = true
  const release = (error?: Error): void => {
    if (!isHeld) return
    isHeld = false
    clearTimeout(deadline || undefined)
    if (isPatient) setPatient(client, false)
    client.release(error)
  }
  let broken: Error | undefined
  let isCommitting = false
  let proof: Proof | undefined
  try {
    const begun = send(() => client.query(beginOf(options)))
    const result = await work({
      query: (text, values = [], name) => send(() => runStatement(client, text, values, name)),
      prove: (given) => void (proof = given),
    })
    // Read before the commit is sent: its answer may be lost together with all others.
    const transaction = isNamed(options) ? { timeline: timelineOf(client), ...namedBy(await begun), proof } : null
    isCommitting = true
    expectReplicated(client)
    const committed = send(() => client.query('commit'))
    const answers = await Promise.allSettled(sent)
    const failed = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown)
    if (failed.length === 0) {
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
      if ((await committed).command !== 'COMMIT') throw new Error('the transaction was not committed')
      // Durable on this server alone: a failover would lose it.
      if (transaction && isUnreplicated(client)) throw new OutcomeUnknown()
      return result
    }
    const refusal = failed.find(isRefusal)
    if (refusal !== undefined || !transaction || !confirm) throw await causeOf(refusal ?? failed[0], sent)
    // Released first, since `confirm` may wait for long.
    release(failed[0] as Error)
    await confirm(transaction, failed[0])
    return result
  } catch (error) {
    const cause = isCommitting ? error : await rollBack(client, error, sent)
    // The next connection may lead to the primary; this one does not, or its transaction is still open.
    if (cause instanceof RollbackFailed || isReadOnly(cause)) broken = cause as Error
    throw cause instanceof RollbackFailed ? cause.cause : cause
  } finally {
    release(broken)
  }
}

/** A transaction that could not be ended: its connection is of no use. */
class RollbackFailed extends Error {}

/** @returns why the transaction failed, within {@link RollbackFailed} if it could not be rolled back */
async function rollBack(client: pg.PoolClient, error: unknown, sent: readonly Promise<unknown>[]): Promise<unknown> {
  const isRolledBack = await client.query('rollback').then(
    () => true,
    () => false,
  )
  const cause = await causeOf(error, sent)
  return isRolledBack ? cause : new RollbackFailed('not rolled back', { cause })
}

/** Reads and repeatable writes do not need a transaction id. */
const isNamed = ({ isSnapshot, isSingle, isUnsynced }: SqlTransactionOptions): boolean =>
  !isSnapshot && !isSingle && !isUnsynced

function beginOf(options: SqlTransactionOptions): string {
  const { isShared, isSnapshot } = options
  const begin = isSnapshot ? 'begin isolation level repeatable read read only' : 'begin'
  if (isSnapshot && !isShared) return begin
  const settings: Record<string, string | number> = {
    ...(isShared && localLimits(options.lockWaitMs)),
    ...(options.statementMs && { statement_timeout: options.statementMs }),
    ...(options.keepsPlans && { plan_cache_mode: 'force_generic_plan' }),
    ...(options.isUnsynced && { synchronous_commit: 'off' }),
    ...(options.isPatient && { statement_timeout: PATIENT_MS_MAX }),
    ...(options.lockWaitMs && { lock_timeout: options.lockWaitMs }),
  }
  const named = `select pg_current_xact_id()::text as xid${isShared ? `, ${TIMELINE} as timeline` : ''}`
  return [
    begin,
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`),
    ...(isNamed(options) ? [named] : []),
  ].join('; ')
}

/** A limit for maintenance statements too. */
const PATIENT_MS_MAX = 600_000

/** Returns the transaction's id, and its timeline if its session is shared. */
function namedBy(begun: unknown): { xid: string; timeline?: string | null } {
  const results = begun as pg.QueryResult<{ xid: string; timeline?: string | null }>[]
  return results.at(-1)!.rows[0]!
}

/** @param name makes it a prepared statement of the connection */
export async function runStatement<Row>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
  name: string | undefined,
): Promise<Row[]> {
  // A pool may send it when another request returns a connection, and in that one's place.
  const place = tracing().place()
  const statement = { text, values: values as unknown[], ...(name && { name }), place }
  const result = await on.query(statement)
  return result.rows as Row[]
}
