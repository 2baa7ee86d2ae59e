import { isWithin } from '../../db/tenancy.js'
import { Unprocessable } from '../../errors.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationState } from '../conversation-state.js'
import type { ConversationWork } from '../conversation-work.js'
import { conversationNotFound } from '../conversation-writer.js'
import { mergeMessages } from '../merge-messages.js'
import { isSaid, previewOf } from '../preview.js'
import { applyMove } from '../transitions.js'
import type { Command } from './command.js'

const TRANSFERRED = 'TRANSFERRED' // 4.8

/**
 * `/import <conversation_id>` (4.8, 3.1): merges the named conversation into this one. The origin is archived; this one
 * gets copies of its messages, in the order of creation. It is queued when it is closed and something waits for an
 * agent now: a consumer message without an answer, or what waited in the origin's queues. Whoever had the origin in the
 * inbox or followed it finds or follows this one.
 */
export const importOrigin: Command<'import'> = {
  name: 'import',
  permission: 'conversation.command',
  isAlone: true,
  alsoLocks: ({ conversation }) => [conversation],
  async run({ work, router, sender, parsed }) {
    const origin = work.others.get(parsed.conversation)
    if (!origin) throw new Unprocessable('a conversation cannot be imported into itself', { field: 'text' })
    // A delayed command is run by the system, which sees every tenant.
    if (!isWithin(sender, origin.conversation)) throw conversationNotFound()
    const { conversation } = work
    requireMergeable(conversation, origin.conversation)
    readTail(conversation, await mergeMessages(work, origin))
    const isWaiting = conversation.awaitingReply || origin.conversation.status === 'queued'
    passOn(origin, work)
    archive(origin, conversation.id)
    if (conversation.type !== 'contact' || conversation.status !== 'closed' || !isWaiting) return
    applyMove(conversation, 'importedInto')
    await router.queue(work, { trigger: '/import' })
  },
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

/** What the conversation knows of its last messages, from the end of the merged ones. */
function readTail(conversation: ConversationState, tail: readonly MessageRow[]): void {
  const last = tail.at(-1)
  if (last) {
    conversation.messageCount = last.position
    conversation.lastMessageId = last.id
    conversation.lastMessageAt = last.createdAt
  }
  const said = tail.filter(isSaid)
  conversation.lastMessageRole = said.at(-1)?.role ?? conversation.lastMessageRole
  const preview = said.map(previewOf).findLast((line) => line !== null)
  conversation.preview = preview ?? conversation.preview
  const talk = said.findLast(({ role }) => role === 'contact' || role === 'agent')
  if (talk) conversation.awaitingReply = talk.role === 'contact'
}

function archive({ conversation, participants }: ConversationWork, target: string): void {
  applyMove(conversation, 'importedFrom')
  conversation.name = TRANSFERRED
  conversation.meta = { ...conversation.meta, _target: target }
  conversation.awaitingReply = false
  for (const participant of participants.values()) {
    Object.assign(participant, { inbox: false, accepted: false, active: false })
  }
}

function passOn(origin: ConversationWork, target: ConversationWork): void {
  target.conversation.touchpoint ??= origin.conversation.touchpoint
  for (const { userId, name, avatar, role, inbox, follow } of origin.participants.values()) {
    if (!inbox && !follow) continue
    const participant = target.join({ userId, name, avatar, role })
    participant.follow ||= follow
    participant.inbox ||= inbox && !participant.active
  }
}
