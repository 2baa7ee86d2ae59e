import type pg from 'pg'
import { OutcomeUnknown } from '../errors.js'
import type { Proof } from './sql.js'
import { sqlStateOf } from './sql-errors.js'

/** Identifies one transaction within one timeline of the database. */
export interface TransactionId {
  /** `pg_current_xact_id()`. */
  xid: string
  /** Timeline of the connection that it ran on; see {@link TIMELINE}. */
  timeline: string | null
  /** Decides where the id cannot. */
  proof?: Proof
}

/**
 * The history in which transaction ids are unique: the WAL timeline, which changes with each failover, and the time of the
 * last crash. A server that crashed gives the ids of transactions again that it had not written to disk. It then begins
 * its statistics again; whoever resets those of the background writer by hand only makes outcomes unknown. Null for
 * standbys and servers that do not report a timeline.
 */
export const TIMELINE = `case when pg_is_in_recovery() then null
  else substring(pg_walfile_name(pg_current_wal_insert_lsn()) for 8)
    || coalesce('/' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), '') end`

/**
 * Time for which to ask for the outcome while the database is away or the transaction still runs; after that it is
 * unknown.
 */
const ASK_MS_MAX = 10_000
const ASK_AGAIN_MS = 50
/**
 * A connection that was lost without the server noticing leaves its transaction open; it is terminated after this long.
 */
const LEFT_OPEN_MS = 500
/** SQLSTATE with which PostgreSQL refuses a transaction id that it has not assigned yet. */
const INVALID_PARAMETER = '22023'

interface Status {
  status: 'committed' | 'aborted' | 'in progress' | null
  timeline: string | null
}

/**
 * Determines the outcome of a transaction whose COMMIT was sent and whose answer was lost. Resolves if it was
 * committed.
 * @param connect opens a separate connection: the pool may be waiting for the lost one
 * @param lost the error of the transaction, thrown again when it is proved to be rolled back
 * @throws OutcomeUnknown when the database does not answer in time, or is on another timeline by now and there is no proof
 */
export async function confirmCommit(
  connect: () => Promise<pg.Client>,
  transaction: TransactionId | null,
  lost: unknown,
): Promise<void> {
  const until = Date.now() + ASK_MS_MAX
  const endAfter = Date.now() + LEFT_OPEN_MS
  while (transaction && Date.now() < until) {
    const answer = await ask(connect, transaction, Date.now() > endAfter).catch((error: unknown) => {
      return sqlStateOf(error) === INVALID_PARAMETER ? ABORTED : null
    })
    if (answer?.status === 'aborted') throw lost
    if (answer?.status === 'committed') {
      // After a failover or a crash that lost commits, the id may belong to another transaction.
      if (answer.timeline === transaction.timeline) return
      break
    }
    if (answer && answer.status === null) break
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  throw new OutcomeUnknown({ cause: lost })
}

/** The id was not assigned, or was assigned again: the transaction was lost before it was written. */
const ABORTED: Status = { status: 'aborted', timeline: null }

async function ask(
  connect: () => Promise<pg.Client>,
  { xid, timeline, proof }: TransactionId,
  ends: boolean,
): Promise<Status> {
  const client = await connect()
  try {
    const { rows } = await client.query<Status>(
      `select pg_xact_status($1::text::xid8) as status, ${TIMELINE} as timeline`,
      [xid],
    )
    const [answer] = rows
    // A standby only knows the transactions that were replicated to it.
    if (answer!.timeline === null) throw new Error('the server is a standby')
    // What this history lacks now it never gets: it is that of another server, or of the same one after a crash.
    if (answer!.timeline !== timeline && proof) {
      const { rowCount } = await client.query(proof.text, [...proof.values])
      return rowCount ? { status: 'committed', timeline } : ABORTED
    }
    if (answer!.status !== 'in progress') return answer!
    // No transaction outlives a failover or a crash: the id belongs to another one.
    if (answer!.timeline !== timeline) return ABORTED
    // Not one that waits for a standby: terminated, it would be committed on this server and perhaps on no other.
    if (ends) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_xid = ($1::text::xid8)::xid and wait_event is distinct from 'SyncRep'`,
        [xid],
      )
    }
    return answer!
  } finally {
    client.end().catch(() => undefined)
  }
}
