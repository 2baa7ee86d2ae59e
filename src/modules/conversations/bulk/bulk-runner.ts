import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { callerOfUser } from '../../auth/caller-of-user.js'
import { heldBy } from '../../contact-centers/held-jobs.js'
import { Context } from '../../../platform/context.js'
import { pacedMs, type Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { DomainError, Unauthenticated, Unavailable, Unprocessable } from '../../../platform/errors.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { finishJob, JobHeld, type Job } from '../../../platform/jobs/job.js'
import { ENDED, type JobKind } from '../../../platform/jobs/job-type.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { refusalOf, type Refusal } from '../acts/run-macro.js'
import type { Acting } from '../acts/run-steps.js'
import { UNDO_MS } from '../state/closing.js'
import {
  BULK_SLICE,
  BULK_UNDO_MS,
  bulkKey,
  canBeUndone,
  emitBulkChanged,
  GOES_ON_MS,
  lockRun,
  lockRunIfKept,
  PACE_MS,
  readRuns,
  SLICE,
  withoutTexts,
  type BulkItem,
  type BulkOutcome,
  type BulkRunRow,
  type BulkState,
} from './bulk-run.js'
import { ItemSettled, runItem } from './run-item.js'
import { undoItem } from './undo-item.js'

/** Attempts with a conversation that stays locked, before it is given up. */
const ATTEMPTS_MAX = 3
/** Time between two events of progress. */
const TELL_MS = 1_000
/** Time that a killed node costs, beside the work itself. */
const SLACK_MS = 15_000

export interface BulkDependencies extends Acting {
  database: Database
  clock: Clock
  log: Logger
  transact: Transact
  systemContext: (requestId: string) => Context
}

type SliceJob = Job<{ run: string; user: string }>

/** Does runs, and undoes them: a slice a job, so that those of a customer take turns, and any node goes on. */
export class BulkRunner {
  constructor(private readonly options: BulkDependencies) {}

  get jobKind(): JobKind<{ run: string; user: string }> {
    return {
      handler: (job) => this.#doSlice(job),
      givenUp: async ({ id, payload }) => {
        const { run, user } = payload
        if (run !== undefined && user !== undefined) await this.#giveUp(id, run, user)
      },
    }
  }

  async #doSlice(job: SliceJob): Promise<typeof ENDED | void> {
    const { database, transact, systemContext } = this.options
    const { run: id, user } = job.payload
    const [run] = await readRuns(database, [id], user)
    if (!run || !isUnderWay(run.state)) return undefined
    const system = systemContext(job.id)
    await this.#doItems(system, job, run)
    await transact(system, async (tx) => {
      await finishJob(tx, job)
      const now = await lockRunIfKept(tx, id, user)
      if (now?.state !== run.state) return
      const [left] = await tx.query<{ left: number }>(leftSql(run.state), [id])
      if (left!.left > 0) tx.addJob(BULK_SLICE.create(job.payload, { key: bulkKey(run.customerId) }))
      else await end(tx, now, run.state === 'undoing' ? 'undone' : 'done', system.now())
      emitBulkChanged(tx, run)
    })
    return ENDED
  }

  async #doItems(system: Context, job: SliceJob, run: BulkRunRow): Promise<void> {
    const { clock, database, transact } = this.options
    const rows = await database.query<Record<string, unknown>>(nextItemsSql(run.state), [run.id, SLICE])
    const undoMs = await this.#undoMs(run)
    let toldAt = performance.now()
    for (const row of rows) {
      const beganAt = performance.now()
      const isOver = await this.#doItem(system, job, run, { item: camelRow<BulkItem>(row), undoMs })
      if (isOver) return
      if (performance.now() - toldAt >= TELL_MS) {
        toldAt = performance.now()
        await transact(system, async (tx) => emitBulkChanged(tx, run))
      }
      await delay(Math.max(0, pacedMs(clock, PACE_MS) - (performance.now() - beganAt)))
    }
  }

  /** @returns true if the run has ended meanwhile */
  async #doItem(
    system: Context,
    job: SliceJob,
    run: BulkRunRow,
    { item, undoMs }: { item: BulkItem; undoMs: number },
  ): Promise<boolean> {
    const { log } = this.options
    try {
      const ctx = await this.#contextOf(job, run)
      // An undoing begins within seconds of the end.
      const askedAt = run.state === 'undoing' ? (run.endedAt ?? run.createdAt) : run.createdAt
      if (system.now().getTime() - askedAt.getTime() > GOES_ON_MS) throw stoodStill()
      if (run.state === 'undoing') await undoItem(this.options, ctx, run, item)
      else await runItem(this.options, ctx, run, { item, undoMs })
    } catch (error) {
      if (error instanceof ItemSettled) return !(await this.#isStill(run))
      if (error instanceof JobHeld) throw error
      const refusal = refusalOf(error)
      if (refusal) await this.#record(run, item, 'skipped', refusal)
      else if (error instanceof Unavailable && item.attempts + 1 < ATTEMPTS_MAX) await this.#tryLater(run, item)
      else {
        log.error({ err: error, run: run.id, conversation: item.conversationId }, 'a conversation of a bulk run failed')
        await this.#record(run, item, 'failed', failure(error))
      }
    }
    return false
  }

  /**
   * Returns the caller as it is now: what it may do no longer is not done.
   * @throws Unauthenticated for one that is gone; JobHeld while its contact center is archived
   */
  async #contextOf(job: SliceJob, { userId, org1, scopes }: BulkRunRow): Promise<Context> {
    const { clock, database, log } = this.options
    const found = await callerOfUser(database, userId, scopes)
    if (!found)
      throw new Unauthenticated('whoever asked for it is gone, or may not sign in any more', {
        reason: 'TOKEN_INVALID',
      })
    if (!found.isCenterInUse) throw new JobHeld(heldBy(org1))
    return new Context({ database, clock, log, caller: found.caller, requestId: job.id, address: null })
  }

  async #isStill({ id, userId, state }: BulkRunRow): Promise<boolean> {
    const [run] = await readRuns(this.options.database, [id], userId)
    return run?.state === state
  }

  async #tryLater({ id }: BulkRunRow, { conversationId }: BulkItem): Promise<void> {
    await this.options.database.query(
      'update bulk_item set attempts = attempts + 1 where run_id = $1 and conversation_id = $2',
      [id, conversationId],
    )
  }

  /** Records that nothing was done, or undone, unless another attempt has. */
  async #record(run: BulkRunRow, item: BulkItem, outcome: BulkOutcome, refusal: Refusal): Promise<void> {
    const text =
      run.state === 'undoing'
        ? `update bulk_item set undone = 'kept', refusal = $4
           where run_id = $1 and conversation_id = $2 and undone is null and $3::text is not null`
        : 'update bulk_item set outcome = $3, refusal = $4 where run_id = $1 and conversation_id = $2 and outcome is null'
    await this.options.database.query(text, [run.id, item.conversationId, outcome, JSON.stringify(refusal)])
  }

  /**
   * For how long the closings of a slice can be undone: until the run has ended, for the time to undo it, and until that is done,
   * while others take their turns.
   */
  async #undoMs({ customerId, total, done, skipped, failed, steps }: BulkRunRow): Promise<number> {
    if (!steps.some(({ kind }) => kind === 'close')) return UNDO_MS
    const [row] = await this.options.database.query<{ runs: number }>(
      `select count(*)::int as runs from bulk_run where customer_id = $1 and state in ('running', 'undoing')`,
      [customerId],
    )
    const left = total - done - skipped - failed
    return BULK_UNDO_MS + SLACK_MS + (left + total) * PACE_MS * Math.max(1, row!.runs)
  }

  async #giveUp(job: string, id: string, user: string): Promise<void> {
    const system = this.options.systemContext(job)
    await this.options.transact(system, async (tx) => {
      const run = await lockRunIfKept(tx, id, user)
      if (!run || !isUnderWay(run.state)) return
      await refuseRest(tx, run, { outcome: 'failed', refusal: failure(null) })
      await end(tx, run, run.state === 'undoing' ? 'undone' : 'done', system.now())
      emitBulkChanged(tx, run)
    })
  }
}

/**
 * Ends a run: what was not done yet stays as it is. Repeating it changes nothing. @throws NotFound
 */
export function cancelBulk(ctx: Context, transact: Transact, id: string): Promise<BulkRunRow> {
  const { user } = ctx.userCaller
  return transact(ctx, async (tx) => {
    const run = await lockRun(tx, id, user)
    if (run.state !== 'running') return run
    await cancel(tx, run, ctx.now())
    emitBulkChanged(tx, run)
    return lockRun(tx, id, user)
  })
}

/**
 * Undoes a run until its `undoUntil`; one that is under way ends first. Repeating it changes nothing.
 * @throws NotFound; Unprocessable if nothing of it can be undone, or not any more
 */
export function undoBulk(ctx: Context, transact: Transact, id: string): Promise<BulkRunRow> {
  const { user } = ctx.userCaller
  return transact(ctx, async (tx) => {
    const run = await lockRun(tx, id, user)
    if (run.state === 'undoing' || run.state === 'undone') return run
    if (!canBeUndone(run.steps))
      throw new Unprocessable('what the run did cannot be undone: labels, snoozing and closing can', {
        reason: 'CHANGED_MEANWHILE',
      })
    if (run.state === 'running') await cancel(tx, run, ctx.now())
    else if (!run.undoUntil || run.undoUntil <= ctx.now())
      throw new Unprocessable('the run did nothing that could be undone, or its time is over', {
        reason: 'CHANGED_MEANWHILE',
      })
    await tx.query(`update bulk_run set state = 'undoing' where id = $1`, [run.id])
    // Attempts of the undoing are counted anew.
    await tx.query(`update bulk_item set attempts = 0 where run_id = $1 and attempts > 0`, [run.id])
    tx.addJob(BULK_SLICE.create({ run: run.id, user }, { key: bulkKey(run.customerId) }))
    emitBulkChanged(tx, run)
    return lockRun(tx, id, user)
  })
}

const isUnderWay = (state: BulkState): boolean => state === 'running' || state === 'undoing'

const LEFT: Readonly<Record<'running' | 'undoing', string>> = {
  running: 'outcome is null',
  undoing: `outcome = 'done' and undone is null`,
}

const leftOf = (state: BulkState): string => LEFT[state === 'undoing' ? 'undoing' : 'running']

const leftSql = (state: BulkState): string =>
  `select count(*)::int as left from bulk_item where run_id = $1 and ${leftOf(state)}`

/** Those that were locked at an earlier attempt come last. */
const nextItemsSql = (state: BulkState): string =>
  `select conversation_id, last_message_id, attempts, before from bulk_item
   where run_id = $1 and ${leftOf(state)} order by attempts, conversation_id limit $2`

/** Ends a run, and forgets what it says: that is kept no longer than it is needed. */
async function end(tx: WriteTx, run: BulkRunRow, state: BulkState, now: Date): Promise<void> {
  const isUndoable = state !== 'undone' && run.done > 0 && canBeUndone(run.steps)
  const undoUntil = isUndoable ? new Date(now.getTime() + BULK_UNDO_MS) : null
  await tx.query('update bulk_run set state = $2, ended_at = $3, undo_until = $4, steps = $5 where id = $1', [
    ...[run.id, state, now, undoUntil],
    JSON.stringify(withoutTexts(run.steps)),
  ])
}

async function cancel(tx: WriteTx, run: BulkRunRow, now: Date): Promise<void> {
  const error = new Unprocessable('the run was cancelled before its turn came', { reason: 'BULK_ENDED' })
  await refuseRest(tx, run, { outcome: 'skipped', refusal: refusalOf(error)! })
  await end(tx, run, 'cancelled', now)
}

async function refuseRest(
  tx: WriteTx,
  { id, state }: BulkRunRow,
  { outcome, refusal }: { outcome: BulkOutcome; refusal: Refusal },
): Promise<void> {
  const text =
    state === 'undoing'
      ? `update bulk_item set undone = 'kept', refusal = $2 where run_id = $1 and ${leftOf(state)} and $3::text is not null`
      : `update bulk_item set outcome = $3, refusal = $2 where run_id = $1 and ${leftOf(state)}`
  await tx.query(text, [id, JSON.stringify(refusal), outcome])
}

const stoodStill = (): Unprocessable =>
  new Unprocessable('the run, or its undoing, stood still for more than an hour', { reason: 'BULK_ENDED' })

/** Says of what is no refusal no more than that. */
function failure(error: unknown): Refusal {
  const isBusy = error instanceof DomainError
  return {
    code: isBusy ? error.code : 'INTERNAL_SERVER_ERROR',
    reason: isBusy ? error.details.reason : 'INTERNAL_ERROR',
    message: isBusy ? error.message : 'an unexpected error: the log of the server says more',
    step: null,
  }
}
