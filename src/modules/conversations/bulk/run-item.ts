import type { MacroStepKind, Step } from '../../macros/macro-step.js'
import { isEnding } from '../../macros/parse-steps.js'
import type { Permission } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import type { Sql } from '../../../platform/db/sql.js'
import { Unprocessable } from '../../../platform/errors.js'
import { beginMacro } from '../acts/run-macro.js'
import { runSteps, type Acting } from '../acts/run-steps.js'
import { keptNeeds } from '../routing/agent-needs.js'
import { queueChannels } from '../state/change-events.js'
import { requireUnmerged } from '../state/merged-conversation.js'
import type { WritingChange } from '../state/writing-change.js'
import type { Before, BulkItem, BulkRunRow, BulkState, Waited } from './bulk-run.js'

/** The permission that each step needs by itself. */
const NEEDS: Readonly<Record<MacroStepKind, Permission>> = {
  reply: 'message.create',
  note: 'message.create',
  labels: 'conversation.label',
  category: 'conversation.command',
  form: 'form.ask',
  snooze: 'conversation.command',
  handOver: 'conversation.command',
  close: 'conversation.command',
}

/** Another attempt has done it, or the run has ended meanwhile: nothing is to be recorded of this one. */
export class ItemSettled extends Unprocessable {
  constructor() {
    super('the conversation has had its turn, or the run has ended', { reason: 'BULK_ENDED' })
  }
}

/**
 * Does the act with one conversation, and records that in the same transaction: whoever else tries, after a lost lease too, does
 * nothing. @throws ItemSettled; DomainError with why nothing was done
 */
export async function runItem(
  acting: Acting,
  ctx: Context,
  run: BulkRunRow,
  { item, undoMs }: { item: BulkItem; undoMs: number },
): Promise<void> {
  requireRights(ctx, run)
  const before: Before = { added: [], removed: [], waited: null, snoozedUntil: null, snoozed: null, closedUntil: null }
  let labels: readonly string[] = []
  await runSteps(acting, {
    ctx,
    conversation: item.conversationId,
    steps: run.steps,
    undoMs,
    async before(change) {
      await requireState(change.sql, run.id, 'running')
      const { conversation } = change
      requireUnmerged(change.conversation)
      labels = conversation.labels
      // Others are not accepted by the act.
      before.waited = isEnding(run.steps.at(-1)!) ? placeOf(change) : null
      before.snoozedUntil = conversation.snoozedUntil?.toISOString() ?? null
      if (!commutes(run.steps)) requireSeen(change, item)
      if (run.macro) beginMacro(change, run.macro, ctx.userCaller.user)
    },
    after(change, undoUntil) {
      const closedUntil = undoUntil?.toISOString() ?? null
      return settle(change, run, { ...before, ...changesOf(change, labels, run.steps), closedUntil })
    },
    options: { kind: 'bulk' },
  })
}

function requireRights(ctx: Context, { steps, macro }: BulkRunRow): void {
  ctx.require('conversation.bulk')
  if (macro) ctx.require('macro.run')
  for (const { kind } of steps) ctx.require(NEEDS[kind])
}

/** Requires that nothing was said since the run was asked for; also where nothing had been said at all. */
function requireSeen({ conversation }: WritingChange, { lastMessageId }: BulkItem): void {
  if (conversation.lastMessageId !== lastMessageId)
    throw new Unprocessable('another message came since the run was asked for', { reason: 'CHANGED_MEANWHILE' })
}

function placeOf({ conversation }: WritingChange): Waited | null {
  const { status, queuedAt, waitingSince, taskChannels } = conversation
  if (status !== 'queued') return null
  return {
    queuedAt: queuedAt?.toISOString() ?? null,
    waitingSince: waitingSince?.toISOString() ?? null,
    channels: taskChannels.length > 0 ? queueChannels(conversation) : [],
    kept: keptNeeds(conversation, []),
  }
}

/** Tells whether what was said meanwhile makes no difference. */
const commutes = (steps: readonly Step[]): boolean =>
  steps.every(({ kind }) => kind === 'labels' || kind === 'category' || kind === 'note')

function changesOf(
  { conversation }: WritingChange,
  labels: readonly string[],
  steps: readonly Step[],
): Pick<Before, 'added' | 'removed' | 'snoozed'> {
  const isSnoozing = steps.some(({ kind }) => kind === 'snooze')
  return {
    added: conversation.labels.filter((label) => !labels.includes(label)),
    removed: labels.filter((label) => !conversation.labels.includes(label)),
    snoozed: isSnoozing ? (conversation.snoozedUntil?.toISOString() ?? null) : null,
  }
}

/** Holds the run's state until the end of the transaction: whoever cancels it waits. @throws ItemSettled */
export async function requireState(sql: Sql, run: string, state: BulkState): Promise<void> {
  const rows = await sql.query(
    'select 1 from bulk_run where id = $1 and state = $2 for share',
    [run, state],
    'bulk-run-state',
  )
  if (rows.length === 0) throw new ItemSettled()
}

async function settle(change: WritingChange, run: BulkRunRow, before: Before): Promise<void> {
  const rows = await change.sql.query(
    `update bulk_item set outcome = 'done', before = $3
     where run_id = $1 and conversation_id = $2 and outcome is null returning 1`,
    [run.id, change.conversation.id, JSON.stringify(before)],
    'bulk-item-done',
  )
  if (rows.length === 0) throw new ItemSettled()
}
