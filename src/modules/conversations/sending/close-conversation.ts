import type { Context } from '../../../platform/context.js'
import { Unprocessable } from '../../../platform/errors.js'
import { reading } from '../../../platform/db/sql.js'
import type { Job } from '../../../platform/jobs/job.js'
import { STAFF_CHANGED } from '../../staffing/staff-changed.js'
import { wrapUpUndone } from '../../staffing/wrap-up.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { MilestoneRow } from '../state/milestone.js'
import { CLOSING_STANDS, closingKey, openStateOf, restoreOpenState, UNDO_MS, type Closing } from '../state/closing.js'
import { dropJob } from '../state/drop-job.js'
import { applyMove } from '../state/transitions.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { takeOver } from './end-stream.js'
import { scheduleWaking } from './snooze-conversation.js'

/** A closing that can be undone for a while. */
export interface ClosedConversation {
  conversation: ConversationState
  undoUntil: Date
}

/**
 * Closes a conversation for all who have accepted it, answered or not. Its milestones are written when the time to undo it
 * is over. Whoever closes it again meanwhile gets the first answer.
 * @param ifLastMessage refused if this is no longer the last message
 * @throws Unprocessable for whoever has not accepted it
 */
export function closeConversation(
  writer: ConversationWriter,
  ctx: Context,
  id: string,
  ifLastMessage: string | null,
): Promise<ClosedConversation> {
  return writer.run(ctx, id, async (change) => {
    const { conversation } = change
    const { user } = ctx.userCaller
    const known = await latestClosing(change)
    if (isStanding(known, change, user)) return { conversation, undoUntil: new Date(known.until) }
    requireAccepted(change, user)
    requireLastMessage(change, ifLastMessage)
    return { conversation, undoUntil: await applyClosing(change, user) }
  })
}

/** @throws Unprocessable `CHANGED_MEANWHILE` if another message came since */
export function requireLastMessage({ conversation }: ConversationChange, ifLastMessage: string | null): void {
  if (ifLastMessage !== null && ifLastMessage.toLowerCase() !== conversation.lastMessageId)
    throw changedMeanwhile('ifLastMessage is not the last message of the conversation any more')
}

/**
 * Closes as an operation of its own: all its milestones are held until the closing stands.
 * @param undoMs for how long it can be undone
 * @returns until when it can be undone
 * @throws Unprocessable for whoever has not accepted it
 */
export async function applyClosing(change: ConversationChange, user: string, undoMs = UNDO_MS): Promise<Date> {
  const { conversation, participants, now } = change
  requireAccepted(change, user)
  await change.grants.require('close')
  await takeOver(change)
  const { lastMessageId: lastMessage } = conversation
  const before = openStateOf(conversation, participants)
  const at = now.getTime()
  const until = at + undoMs
  const users = [...participants.values()].filter(({ accepted }) => accepted).map(({ userId }) => userId)
  change.closesUnanswered = conversation.awaitingReply
  conversation.awaitingReply = false
  applyMove(conversation, 'close')
  for (const participant of participants.values()) {
    if (participant.accepted) Object.assign(participant, { accepted: false, active: false, inbox: false })
  }
  // Filled when the operation has ended, before the job is stored.
  const seen = { conversation: conversation.id, user, users, lastMessage, before }
  const closing: Closing = { ...seen, at, until, milestones: [] }
  change.undoMs = undoMs
  change.heldMilestones = closing.milestones
  change.addJob(CLOSING_STANDS.create(closing, { key: closingKey(conversation.id), runAt: new Date(until) }))
  return new Date(until)
}

/**
 * Undoes the caller's closing: status, participants and clocks are as if it had never been closed. Repeating it changes
 * nothing. @throws Unprocessable `CHANGED_MEANWHILE` when the time is over, or somebody wrote
 */
export function undoClose(writer: ConversationWriter, ctx: Context, id: string): Promise<ConversationState> {
  return writer.runExclusive(ctx, id, async (change) => {
    await applyUndoClose(change, ctx.userCaller.user)
    return change.conversation
  })
}

/**
 * Undoes a closing as an operation of its own.
 * @param own the `undoUntil` of the closing that is meant, which another one may have followed; default: the latest
 * @throws as {@link undoClose}
 */
export async function applyUndoClose(change: WritingChange, user: string, own: Date | null = null): Promise<void> {
  const { conversation, now } = change
  await change.grants.require('close')
  const closing = await latestClosing(change)
  if (own && closing?.until !== own.getTime())
    throw changedMeanwhile('the closing was undone already, or stands, or another one followed it')
  if (!closing && hasAccepted(change, user)) return
  if (!isStanding(closing, change, user) || now.getTime() > closing.until)
    throw changedMeanwhile('the closing can no longer be undone: reopen the conversation')
  const armedAt = conversation.sla?.armedAt ?? null
  restoreOpenState(change, closing.before)
  change.clocks.restore(change, armedAt)
  change.isRestoring = true
  dropJob(change, closingKey(conversation.id), CLOSING_STANDS)
  if (conversation.snoozedUntil) scheduleWaking(change, conversation.snoozedUntil)
  for (const [agent, { accepted }] of change.participants) {
    if (!accepted) continue
    change.addJob(wrapUpUndone(agent, conversation.id))
    // What was offered meanwhile may have no room beside it.
    change.addJob(STAFF_CHANGED.create({ user: agent }))
  }
}

/** The job: what the closing counts as is written now. */
export async function settleClosing(writer: ConversationWriter, system: Context, job: Job<Closing>): Promise<void> {
  const { conversation: id, user, milestones, lastMessage } = job.payload
  await writer.run(
    system,
    id,
    (change) => {
      change.releasedMilestones.push(...readMilestones(milestones))
      const { status, lastMessageId } = change.conversation
      if (status !== 'closed' || lastMessageId !== lastMessage) return
      change.addMessage({
        ...emptyMessage(change.clock.newId()),
        type: 'command',
        role: 'agent',
        userId: user,
        text: '/close',
      })
    },
    { job },
  )
}

/**
 * Counts closings that could still be undone, since their conversations go: what reports count stays.
 * @returns a statement for the end of the transaction, which drops their jobs
 */
export async function releaseClosings(
  { sql, now }: Pick<ConversationChange, 'sql' | 'now'>,
  gone: readonly ConversationChange[],
): Promise<{ text: string; values: unknown[] }> {
  const changes = new Map(gone.map((change) => [closingKey(change.conversation.id), change]))
  const values = [[...changes.keys()], CLOSING_STANDS.kind]
  const rows = await sql.query<{ key: string; milestones: MilestoneRow[] }>(
    reading(
      "select key, payload -> 'milestones' as milestones from job where key = any($1::text[]) and kind = $2 order by number",
    ),
    values,
    'closings-to-release',
  )
  for (const { key, milestones } of rows) changes.get(key)!.releasedMilestones.push(...readMilestones(milestones))
  return { text: DROP_CLOSINGS, values: [...values, now] }
}

const DROP_CLOSINGS = `
with dropped as (delete from job where key = any($1::text[]) and kind = $2 returning key)
update job_partition set due_at = least(due_at, $3) where key in (select key from dropped)`

/** Reads milestones as a job holds them, with their times as texts. */
const readMilestones = (milestones: readonly MilestoneRow[]): MilestoneRow[] =>
  milestones.map((row) => ({ ...row, at: new Date(row.at) }))

function requireAccepted(change: ConversationChange, user: string): void {
  const { type, status } = change.conversation
  if (type !== 'contact')
    throw new Unprocessable('a conversation without a consumer cannot be closed', { reason: 'CONVERSATION_TYPE', type })
  if (!hasAccepted(change, user))
    throw new Unprocessable(`only an agent who has accepted the conversation can close it: it is ${status}`, {
      reason: 'CONVERSATION_STATUS',
      status,
    })
}

const hasAccepted = ({ conversation, participants }: ConversationChange, user: string): boolean =>
  conversation.status === 'active' && participants.get(user)?.accepted === true

/** Tells whether a closing of this user's is the last thing that happened. */
function isStanding(closing: Closing | null, { conversation }: ConversationChange, user: string): closing is Closing {
  return (
    closing?.user === user && conversation.status === 'closed' && conversation.lastMessageId === closing.lastMessage
  )
}

async function latestClosing({ sql, conversation }: ConversationChange): Promise<Closing | null> {
  const [row] = await sql.query<{ payload: Closing }>(
    reading('select payload from job where key = $1 and kind = $2 order by number desc limit 1'),
    [closingKey(conversation.id), CLOSING_STANDS.kind],
    'latest-closing',
  )
  return row?.payload ?? null
}

function changedMeanwhile(message: string): Unprocessable {
  return new Unprocessable(message, { reason: 'CHANGED_MEANWHILE' })
}
