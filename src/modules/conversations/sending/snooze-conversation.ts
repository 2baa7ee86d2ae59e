import type { Context } from '../../../platform/context.js'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import type { Job } from '../../../platform/jobs/job.js'
import { accept } from '../commands/accept.js'
import { commandMessage } from '../commands/command-of-message.js'
import { senderOf } from '../messages/members.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import { dropJob } from '../state/drop-job.js'
import { endSnooze, SNOOZE_ENDS, snoozeKey, wake } from '../state/snooze.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { agentsToLock } from './agents-to-lock.js'
import { processMessage } from './process-message.js'
import type { SendDependencies } from './send-message.js'

const SNOOZE_MS = { min: 60_000, max: 366 * 86_400_000 }

type Snoozing = Pick<SendDependencies, 'router' | 'assignments'>

/**
 * Puts a conversation aside until a time, or until the consumer writes; one that waits is accepted by it. Meanwhile it is
 * no load. Its clocks go on as they do without: the consumer still waits if nobody answered.
 * @throws BadUserInput for the time; Unprocessable for whoever has not accepted it
 */
export async function snoozeConversation(
  { writer, ...snoozing }: Snoozing & { writer: ConversationWriter },
  ctx: Context,
  id: string,
  until: Date | null,
): Promise<ConversationState> {
  return writer.runExclusive(
    ctx,
    id,
    async (change) => {
      await applySnooze(change, ctx, snoozing, { until, field: 'until' })
      return change.conversation
    },
    await snoozeLocks(ctx, snoozing.assignments),
  )
}

/** Returns the agents that a snooze locks, since it may accept. */
export async function snoozeLocks(
  ctx: Context,
  assignments: Snoozing['assignments'],
): Promise<{ agentsToLock: string[] | undefined }> {
  return { agentsToLock: await agentsToLock(assignments, senderOf(ctx), [commandMessage(accept, {})]) }
}

/** Snoozes as part of another operation; null wakes it for the caller. @throws as {@link snoozeConversation} */
export async function applySnooze(
  change: WritingChange,
  ctx: Context,
  { router }: Pick<Snoozing, 'router'>,
  { until, field }: { until: Date | null; field: string },
): Promise<void> {
  const { conversation } = change
  const { user } = ctx.userCaller
  await change.grants.require('other')
  if (until === null) {
    if (!conversation.snoozedUntil) return
    requireAccepted(change, user)
    endSnooze(conversation)
    return dropJob(change, snoozeKey(conversation.id), SNOOZE_ENDS)
  }
  requireInRange(until, change.now, field)
  if (conversation.type === 'contact' && conversation.status === 'queued') {
    const accepting = { newMessage: commandMessage(accept, { ifQueued: true }), id: change.clock.newId() }
    await processMessage(change, { router, sender: senderOf(ctx), ...accepting })
  }
  requireAccepted(change, user)
  if (conversation.snoozedUntil?.getTime() === until.getTime()) return
  conversation.snoozedAt ??= change.now
  Object.assign(conversation, { snoozedUntil: until, snoozedBy: user })
  change.participants.get(user)!.inbox = false
  scheduleWaking(change, until)
}

/** Replaces the job that wakes it. */
export function scheduleWaking(change: WritingChange, until: Date): void {
  const { id } = change.conversation
  dropJob(change, snoozeKey(id), SNOOZE_ENDS)
  change.addJob(SNOOZE_ENDS.create({ conversation: id, until: until.getTime() }, { key: snoozeKey(id), runAt: until }))
}

/** The job: wakes it if it is still snoozed until then. */
export async function wakeWhenDue(
  writer: ConversationWriter,
  system: Context,
  job: Job<{ conversation: string; until: number }>,
): Promise<void> {
  const { conversation: id, until } = job.payload
  const run = (change: ConversationChange): void => {
    if (change.conversation.snoozedUntil?.getTime() === until) wake(change)
  }
  await writer.run(system, id, run, { job })
}

function requireInRange(until: Date, now: Date, field: string): void {
  const ms = until.getTime() - now.getTime()
  if (ms >= SNOOZE_MS.min && ms <= SNOOZE_MS.max) return
  throw new BadUserInput(field, `${field} must be between 1 minute and 1 year from now, not ${until.toISOString()}`)
}

function requireAccepted({ conversation, participants }: ConversationChange, user: string): void {
  const { type, status } = conversation
  if (type !== 'contact')
    throw new Unprocessable('a conversation without a consumer cannot be snoozed', {
      reason: 'CONVERSATION_TYPE',
      type,
    })
  if (status === 'active' && participants.get(user)?.accepted) return
  throw new Unprocessable(`only an agent who has accepted the conversation can snooze it: it is ${status}`, {
    reason: 'CONVERSATION_STATUS',
    status,
  })
}
