import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { noteProblem } from '../../services/service-problem.js'
import type { LeasedMailbox } from './mailbox-leases.js'
import type { MailboxFailure } from './mailbox-failure.js'

/** A failure about which somebody has to do something is tried again after a minute, two, four … up to an hour. */
const [LASTING_MS, LASTING_MS_MAX] = [60_000, 3_600_000]
/** One that may be over the next time: after 2 s, four … up to five minutes. */
const [PASSING_MS, PASSING_MS_MAX] = [2_000, 300_000]
/** Time after which something that may pass counts as a failure. */
const PASSING_FAILS_MS = 300_000

/** Returns the milliseconds until a mailbox is tried again, with a jitter of a quarter. */
export function mailboxRetryMs({ isLasting }: Pick<MailboxFailure, 'isLasting'>, failures: number): number {
  const [first, max] = isLasting ? [LASTING_MS, LASTING_MS_MAX] : [PASSING_MS, PASSING_MS_MAX]
  return Math.round(Math.min(max, first * 2 ** Math.min(failures - 1, 20)) * (0.75 + Math.random() / 2))
}

type Held = Pick<LeasedMailbox, 'service' | 'lease' | 'generation'>

/**
 * Gives a mailbox back after a failure: it is tried again, later each time. Its service is failing if somebody has to do
 * something about it, or if it goes on.
 */
export async function noteFailure(
  ctx: Context,
  transact: Transact,
  { service, lease, generation }: Held,
  failure: MailboxFailure,
): Promise<void> {
  const now = ctx.now()
  const { code, message } = failure
  const row = await ctx.database.sqlTransaction(async (sql) => {
    const [failed] = await sql.query<{ failures: number; failing_since: Date }>(
      `update mailbox set failures = failures + 1, failing_since = coalesce(failing_since, $4), failure = $5, failure_code = $6
       where service_id = $1 and lease = $2 and generation = $3 returning failures, failing_since`,
      [service, lease, generation, now, message, code],
      'mailbox-failure',
    )
    // It has other settings by now, which are tried at once.
    const dueMs = failed ? mailboxRetryMs(failure, failed.failures) : 0
    await sql.query(
      'update mailbox set leased_by = null, leased_until = null, due_at = $3 where service_id = $1 and lease = $2',
      [service, lease, new Date(now.getTime() + dueMs)],
      'mailbox-tried',
    )
    return failed
  })
  if (row && (failure.isLasting || now.getTime() - row.failing_since.getTime() >= PASSING_FAILS_MS)) {
    await noteProblem(ctx, transact, { service, problem: message })
  }
}

/** Notes that mails were read: a connection that is lost afterwards is the first one. What is wrong besides stays until all is read. */
export async function noteProgress(ctx: Context, { service, lease }: Held): Promise<void> {
  await ctx.database.asyncCommit.query(
    'update mailbox set failures = 0, failing_since = null where service_id = $1 and lease = $2 and failures > 0',
    [service, lease],
    'mailbox-progress',
  )
}

/** Notes that a mailbox was read to its end. */
export async function noteSuccess(ctx: Context, transact: Transact, { service, lease }: Held): Promise<void> {
  const [failing] = await ctx.database.sqlTransaction(async (sql) => {
    await sql.query(
      `update mailbox set failures = 0, failing_since = null, failure = null, failure_code = null
       where service_id = $1 and lease = $2 and failures > 0`,
      [service, lease],
      'mailbox-success',
    )
    return sql.query("select 1 from service where id = $1 and status = 'failing'", [service], 'is-failing')
  })
  if (failing) await noteProblem(ctx, transact, { service, problem: null })
}

export async function noteAudit(ctx: Context, { service, lease }: Held, at: Date): Promise<void> {
  await ctx.database.sqlTransaction((sql) =>
    sql.query(
      'update mailbox set audited_at = $3 where service_id = $1 and lease = $2',
      [service, lease, at],
      'mailbox-audit',
    ),
  )
}
