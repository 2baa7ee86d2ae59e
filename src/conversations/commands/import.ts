import { isId } from '../../db/clock.js'
import { isWithin } from '../../db/tenancy.js'
import { quoteValue, Unprocessable } from '../../errors.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { WritingDraft } from '../writing/writing-draft.js'
import { conversationNotFound } from '../writing/conversation-visibility.js'
import { mergeMessages } from '../messages/merge-messages.js'
import { isSaid, previewOf } from '../writing/preview.js'
import { applyMove } from '../writing/transitions.js'
import type { ExclusiveCommand } from './command.js'
import { badText } from './command-text.js'

const TRANSFERRED = 'TRANSFERRED' // 4.8

interface ImportArguments {
  /** Id of the conversation to merge into this one. */
  conversation: string
}

/**
 * `/import <conversation_id>` (4.8, 3.1): merges the named conversation into this one. The origin is archived; this
 * conversation receives copies of its messages, in the order of creation. If closed, it is queued when a consumer is
 * waiting for an agent: because of an unanswered consumer message, or because the origin was queued. Users who had the
 * origin in their inbox or followed it get or follow this one instead.
 */
export const importOrigin: ExclusiveCommand<ImportArguments> = {
  name: 'import',
  permission: 'conversation.command',
  isExclusive: true,
  parse: parseImport,
  alsoLocks: ({ conversation }) => [conversation],
  async run({ draft, router, sender, parsed }) {
    const origin = draft.others.get(parsed.conversation)
    if (!origin) throw new Unprocessable('a conversation cannot be imported into itself', { field: 'text' })
    // A delayed command runs as the system, which sees every tenant.
    if (!isWithin(sender, origin.conversation)) throw conversationNotFound()
    const { conversation } = draft
    requireMergeable(conversation, origin.conversation)
    readTail(conversation, await mergeMessages(draft, origin))
    const isWaiting = conversation.awaitingReply || origin.conversation.status === 'queued'
    carryOverTimes(origin.conversation, conversation)
    carryOverInboxes(origin, draft)
    archive(origin, conversation.id)
    noteMerge(draft, origin.conversation)
    if (conversation.type !== 'contact' || conversation.status !== 'closed' || !isWaiting) return
    applyMove(conversation, 'importedInto')
    await router.queue(draft, { trigger: '/import' })
  },
}

function parseImport(rest: string, field: string): ImportArguments {
  if (!isId(rest)) throw badText(field, `must name the conversation to import by its ID, not ${quoteValue(rest)}`)
  return { conversation: rest.toLowerCase() }
}

function requireMergeable(target: ConversationState, origin: ConversationState): void {
  const problem =
    origin.status === 'archived'
      ? 'is archived'
      : origin.organizationId !== target.organizationId
        ? 'belongs to another organization'
        : origin.type !== target.type
          ? `is of type ${origin.type}, this one of type ${target.type}`
          : null
  if (problem) throw new Unprocessable(`the conversation to import ${problem}`, { field: 'text', origin: origin.id })
}

/** Updates the fields that depend on the last messages, from the end of the merged messages. */
function readTail(conversation: ConversationState, tail: readonly MessageRow[]): void {
  const last = tail.at(-1)
  if (last) {
    conversation.messageCount = last.position
    conversation.lastMessageId = last.id
    conversation.lastMessageAt = last.createdAt
  }
  const messages = tail.filter(isSaid)
  conversation.lastMessageRole = messages.at(-1)?.role ?? conversation.lastMessageRole
  const preview = messages.map(previewOf).findLast((line) => line !== null)
  conversation.preview = preview ?? conversation.preview
  const talk = messages.findLast(({ role }) => role === 'contact' || role === 'agent')
  if (talk) conversation.awaitingReply = talk.role === 'contact'
}

/** The consumer has waited since before the merge. */
function carryOverTimes(origin: ConversationState, target: ConversationState): void {
  if (target.awaitingReply) target.unansweredSince ??= origin.unansweredSince
  target.caseTurns = Math.max(target.caseTurns, origin.caseTurns)
  if (target.status === 'closed' && origin.caseAt) target.caseAt = origin.caseAt
  target.hoursToldUntil = laterOf(origin.hoursToldUntil, target.hoursToldUntil)
  if (target.status === 'active') return
  target.waitingSince ??= origin.waitingSince
  target.hoursTold ||= origin.hoursTold
}

const laterOf = (one: Date | null, other: Date | null): Date | null =>
  one && other && one > other ? one : (other ?? one)

function archive({ conversation, participants }: ConversationDraft, target: string): void {
  applyMove(conversation, 'importedFrom')
  conversation.name = TRANSFERRED
  conversation.meta = { ...conversation.meta, _target: target }
  conversation.awaitingReply = false
  for (const participant of participants.values()) {
    Object.assign(participant, { inbox: false, accepted: false, active: false })
  }
}

/**
 * Records the merge: guests of the origin continue here, and touchpoints on which the origin's contact was present
 * count for this contact as well, since merging declares them to be the same person.
 */
function noteMerge(draft: WritingDraft, { id, contactId }: ConversationState): void {
  const { conversation, now } = draft
  const at = conversation.lastMessageAt && conversation.lastMessageAt > now ? conversation.lastMessageAt : now
  draft.afterWrites('insert into conversation_merge (origin_id, target_id, created_at) values ($1, $2, $3)', [
    id,
    conversation.id,
    at,
  ])
  if (!contactId || !conversation.contactId || contactId === conversation.contactId) return
  draft.afterWrites(
    `insert into contact_presence as p (contact_id, touchpoint, last_seen_at)
     select $2, touchpoint, last_seen_at from contact_presence where contact_id = $1
     on conflict (contact_id, touchpoint) do update set last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)`,
    [contactId, conversation.contactId],
  )
}

function carryOverInboxes(origin: ConversationDraft, target: ConversationDraft): void {
  target.conversation.touchpoint ??= origin.conversation.touchpoint
  for (const { userId, name, avatar, role, inbox, follow } of origin.participants.values()) {
    if (!inbox && !follow) continue
    const participant = target.join({ userId, name, avatar, role })
    participant.follow ||= follow
    participant.inbox ||= inbox && !participant.active
  }
}
