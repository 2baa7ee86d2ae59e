import type { Context } from '../../../platform/context.js'
import { DomainError, Unprocessable } from '../../../platform/errors.js'
import type { Acting } from '../acts/run-steps.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import { withKept } from '../routing/agent-needs.js'
import { knownChannels } from '../routing/known-targets.js'
import { applyUndoClose } from '../sending/close-conversation.js'
import { applyLabels } from '../sending/set-labels.js'
import { applySnooze } from '../sending/snooze-conversation.js'
import { applyMove } from '../state/transitions.js'
import type { WritingChange } from '../state/writing-change.js'
import type { BulkItem, BulkRunRow, Waited } from './bulk-run.js'
import { ItemSettled, requireState } from './run-item.js'

/**
 * Undoes what a run did with a conversation: its closing or snooze, and its labels; one that waited before waits again. What was
 * said stays said. Recorded in the same transaction. @throws ItemSettled; DomainError with why it stays as it is
 */
export async function undoItem(acting: Acting, ctx: Context, run: BulkRunRow, item: BulkItem): Promise<void> {
  const before = item.before!
  const { user } = ctx.userCaller
  const has = (kind: string): boolean => run.steps.some((step) => step.kind === kind)
  ctx.require('conversation.bulk')
  const begin = async (change: WritingChange): Promise<void> => {
    await requireState(change.sql, run.id, 'undoing')
    if (has('close')) await applyUndoClose(change, user, dateOf(before.closedUntil))
  }
  const end = async (change: WritingChange): Promise<void> => {
    const { conversation } = change
    if (has('snooze')) {
      if (conversation.snoozedUntil?.toISOString() !== before.snoozed) throw changedMeanwhile()
      const until = dateOf(before.snoozedUntil)
      const isOver = until !== null && until.getTime() - change.now.getTime() < MINUTE_MS
      await applySnooze(change, ctx, acting, { until: isOver ? null : until, field: 'until' })
    }
    if (before.added.length + before.removed.length > 0)
      await applyLabels(change, { add: before.removed, remove: before.added, user })
    if (before.waited) await giveBack(change, ctx, acting, before.waited)
    const rows = await change.sql.query(
      `update bulk_item set undone = 'done' where run_id = $1 and conversation_id = $2 and undone is null returning 1`,
      [run.id, conversation.id],
      'bulk-item-undone',
    )
    if (rows.length === 0) throw new ItemSettled()
  }
  await acting.writer.runExclusive(ctx, item.conversationId, begin, { kind: 'bulk', followedBy: end })
}

const MINUTE_MS = 60_000

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

/**
 * Puts one that the act has accepted back where it waited: the consumer does not begin again at the end of the queue. As by
 * `/leave`, but one that was answered, such as one that a colleague handed over, waits again, too, rather than being closed.
 */
async function giveBack(change: WritingChange, ctx: Context, { router }: Acting, place: Waited): Promise<void> {
  const { conversation, participants } = change
  const { user } = ctx.userCaller
  if (conversation.status !== 'active' || !participants.get(user)?.accepted) return
  participants.delete(user)
  const message = emptyMessage(change.clock.newId())
  change.addMessage({ ...message, type: 'command', role: 'agent', userId: user, text: TRIGGER })
  if ([...participants.values()].some(({ accepted }) => accepted)) return
  applyMove(conversation, 'leaveUnanswered')
  const channels = [...(await knownChannels(change, place.channels))]
  await router.queue(change, { trigger: TRIGGER, ...(channels.length > 0 && { channels }) })
  conversation.queuedAt = dateOf(place.queuedAt) ?? conversation.queuedAt
  conversation.waitingSince = dateOf(place.waitingSince)
  conversation.needs = withKept(withKept(conversation.needs, place.kept), { leftBy: [user] })
}

const TRIGGER = '/leave'

function changedMeanwhile(): DomainError {
  return new Unprocessable('the conversation was changed since: it stays as it is', { reason: 'CHANGED_MEANWHILE' })
}
