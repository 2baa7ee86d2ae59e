import type pg from 'pg'
import { OutcomeUnknown } from '../errors.js'
import { sqlStateOf } from './sql-errors.js'

/** Names one transaction of one history of the database. */
export interface TransactionId {
  /** `pg_current_xact_id()`. */
  xid: string
  /** Of the connection it ran on; see {@link TIMELINE}. */
  timeline: string | null
}

/** The history that the server writes: another after each failover. Standbys and foreign servers have none to tell. */
export const TIMELINE = `case when pg_is_in_recovery() then null
  else substring(pg_walfile_name(pg_current_wal_insert_lsn()) for 8) end`

/** So long is asked, while the database is away or the transaction still runs, before its outcome is called unknown. */
const ASK_MS_MAX = 10_000
const ASK_AGAIN_MS = 50
/** A connection that ended without the server's knowledge leaves its transaction open: it is ended after this long. */
const LEFT_OPEN_MS = 500
/** PostgreSQL's refusal of a transaction id that it has not given yet. */
const INVALID_PARAMETER = '22023'

interface Status {
  status: 'committed' | 'aborted' | 'in progress' | null
  timeline: string | null
}

/**
 * Asks what became of a transaction whose COMMIT was sent and whose answer was lost. Resolves when it was committed.
 * @param connect opens a connection of its own: the pool may be waiting for what was lost
 * @param lost what the transaction failed with, thrown again when it is proved to be rolled back
 * @throws OutcomeUnknown when the database does not say in time, or has another history by now
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
      // After a failover that lost commits, the id may be another transaction's.
      if (answer.timeline === transaction.timeline) return
      break
    }
    if (answer && answer.status === null) break
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  throw new OutcomeUnknown({ cause: lost })
}

/** The history had no such transaction: it was lost before it was written. */
const ABORTED: Status = { status: 'aborted', timeline: null }

async function ask(connect: () => Promise<pg.Client>, { xid }: TransactionId, ends: boolean): Promise<Status> {
  const client = await connect()
  try {
    // Not one that waits for a standby: ended, it would be committed here and perhaps nowhere else.
    if (ends) {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_xid = ($1::text::xid8)::xid and wait_event is distinct from 'SyncRep'`,
        [xid],
      )
    }
    const { rows } = await client.query<Status>(
      `select pg_xact_status($1::text::xid8) as status, ${TIMELINE} as timeline`,
      [xid],
    )
    // A standby knows of what has come to it only.
    if (rows[0]!.timeline === null) throw new Error('the server is a standby')
    return rows[0]!
  } finally {
    client.end().catch(() => undefined)
  }
}
