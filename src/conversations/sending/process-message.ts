import { withAttachment } from '../../attachments/message-attachment.js'
import { isId } from '../../db/clock.js'
import { reading } from '../../db/sql.js'
import { pathOf, type TenantScope } from '../../db/tenancy.js'
import { Forbidden, NotFound, quoteValue, Unprocessable } from '../../errors.js'
import { parseCommand } from '../commands/parse-command.js'
import type { MessageDraft } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { checkBotHistory } from '../messages/bot-history.js'
import { acceptAs } from '../commands/accept.js'
import { COMMANDS } from '../commands/index.js'
import { receiveConsumerMessage } from '../messages/consumer-message.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Member } from '../writing/new-participant.js'
import { requireWriting } from '../writing/writing-draft.js'
import { deliver } from '../delivery/deliver.js'
import { applyFieldMessage, applyFormMessage } from '../messages/form-messages.js'
import { readMembers, type Sender } from '../messages/members.js'
import { applyMention } from '../messages/mention.js'
import { newMessage } from '../messages/new-message.js'
import { mergedInto } from '../writing/merged-conversation.js'
import { isSaid, previewOf } from '../writing/preview.js'
import type { Router } from '../routing/router.js'

export interface MessageProcessing {
  router: Router
  sender: Sender
  messageDraft: MessageDraft
  id: string
  /**
   * Whether the message is part of a conversation create: it does not count as consecutive, and a consumer message
   * queues the conversation (3.1).
   */
  isInCreate?: boolean
}

/**
 * Adds a message to a conversation and applies its effects: commands run, consumer messages queue, an agent's answer
 * accepts (2.9, 3.1, 4.7, 4.8). Needs the conversation's row lock.
 * @throws Unprocessable for an archived conversation; Forbidden for a blocked contact; RateLimited past a bot's limits
 *   (section 8); errors of the command. Nothing is written then.
 */
export async function processMessage(draft: ConversationDraft, processing: MessageProcessing): Promise<MessageRow> {
  const { messageDraft, sender, id, router, isInCreate = false } = processing
  const { conversation } = draft
  const actor = await checkDraft(draft, sender, messageDraft)
  if (messageDraft.type === 'command') return runCommand(draft, processing, actor)
  if (sender.isBot && actor && isByBot(messageDraft, sender, actor)) {
    await checkBotHistory(draft, { bot: actor.userId, messageDraft, isInCreate })
  }
  const message = draft.addMessage({
    ...newMessage(id, messageDraft, actor),
    ...(isInCreate && !draft.isNew && { isDelayedOfCreate: true }),
  })
  countUnread(draft, actor)
  if (isSaid(messageDraft)) {
    conversation.lastMessageRole = messageDraft.role
    conversation.preview = previewOf(message) ?? conversation.preview
  }
  if (messageDraft.type === 'mention') {
    message.isBackchannel = true
    await applyMention(draft, { message, sender, router })
  }
  // Before the conversation is queued, so that rules see the filled-in fields (4.6).
  if (messageDraft.type === 'form') await applyFormMessage(draft, message, sender)
  if (messageDraft.type === 'field') await applyFieldMessage(draft, message, sender)
  if (conversation.type !== 'contact') {
    takePartInTeam(draft, actor)
    return message
  }
  if (conversation.touchpoint === null && !message.isBackchannel && messageDraft.role !== 'bot') {
    conversation.touchpoint = messageDraft.touchpoint
  }
  if (messageDraft.role === 'contact') await receiveConsumerMessage(draft, { message, router, isInCreate })
  else if (messageDraft.role === 'agent') await answer(draft, message, actor)
  else if (sender.isBot && actor) draft.join(actor).active = true
  return message
}

/**
 * Checks the conditions that a message must meet now and, if it is delayed, already when it is sent.
 * @returns the user on whose behalf it is sent or who acts for the consumer: its `user`, else the sender; null for the
 *   consumer
 */
export async function checkDraft(
  draft: ConversationDraft,
  sender: Sender,
  messageDraft: MessageDraft,
): Promise<Member | null> {
  const { conversation } = draft
  const { id, status } = conversation
  if (status === 'archived') {
    // Id of the conversation that now has the messages, see `/import`.
    throw new Unprocessable('the conversation is archived', { status, target: await mergedInto(draft.sql, id) })
  }
  if (messageDraft.service !== null) await requireService(draft, messageDraft.service)
  await nameAttachment(draft, sender, messageDraft)
  if (messageDraft.role === 'contact' && messageDraft.type !== 'command') {
    if (conversation.type !== 'contact') throw new Unprocessable('the conversation has no contact', { field: 'role' })
    if (draft.aggregate.isContactBlocked) throw new Forbidden('the contact is blocked')
  }
  if (messageDraft.user === null || messageDraft.user === sender.member?.userId) return sender.member
  const known = draft.participants.get(messageDraft.user)
  if (known) return { userId: known.userId, name: known.name, avatar: known.avatar, role: known.role }
  const scope: TenantScope = { path: sender.path }
  const [member] = await readMembers(draft.sql, scope, conversation, [messageDraft.user], 'user')
  return member!
}

/**
 * Adds the attachment's description to a file message; consumers can only send their own uploads (2.12). A command's
 * metadata is stored like any other, so an attachment it names is checked; values other than ids are ignored.
 * @throws NotFound
 */
async function nameAttachment(draft: ConversationDraft, sender: Sender, messageDraft: MessageDraft): Promise<void> {
  const { sql, conversation } = draft
  const contact = sender.member ? null : (sender.contact ?? conversation.contactId)
  const scope = { path: pathOf(conversation), sender: { path: sender.path, contact } }
  const isCommand = messageDraft.type === 'command'
  if (isCommand && !isId(messageDraft.meta.fileId)) return
  const meta = await withAttachment(sql, messageDraft.meta, scope)
  if (!isCommand) messageDraft.meta = meta
}

/** Checks that a service belongs to the conversation's organization or one above (2.9). @throws NotFound */
async function requireService({ sql, conversation }: ConversationDraft, service: string): Promise<void> {
  const rows = await sql.query(reading('select id from service where id = $1 and organization_id = any($2::uuid[])'), [
    service,
    pathOf(conversation),
  ])
  if (rows.length === 0) throw new NotFound(`service: Service ${quoteValue(service)} not found`, { field: 'service' })
}

/**
 * Whether section 8's limits apply: they cover a bot's own messages, not those it sends on behalf of an agent or the
 * consumer.
 */
function isByBot(messageDraft: MessageDraft, sender: Sender, actor: Member): boolean {
  if (messageDraft.role === 'contact') return false
  return messageDraft.role !== 'agent' || actor.userId === sender.member?.userId
}

async function runCommand(
  draft: ConversationDraft,
  { messageDraft, sender, id, router, isInCreate = false }: MessageProcessing,
  actor: Member | null,
): Promise<MessageRow> {
  if (!actor) throw new Forbidden('a registered user is required for a command')
  const parsed = parseCommand(messageDraft.text ?? '')
  const message = draft.addMessage(newMessage(id, { ...messageDraft, isBackchannel: true }, actor))
  if (parsed.name === 'bot') return message
  const command = COMMANDS.get(parsed.name)
  if (!command) throw new Unprocessable(`/${parsed.name} is not available`)
  const run = { router, sender, actor, parsed, meta: messageDraft.meta, message, isInCreate }
  // `runMessages` has made the operation exclusive.
  if (command.isExclusive) await command.run({ ...run, draft: requireWriting(draft) })
  else await command.run({ ...run, draft })
  return message
}

/**
 * Applies an agent's answer: it is delivered to the consumer and accepts the conversation (4.7, rule 4). Backchannel
 * messages are internal and do neither.
 */
async function answer(draft: ConversationDraft, message: MessageRow, actor: Member | null): Promise<void> {
  if (message.isBackchannel || !actor) return
  await deliver(draft, message)
  // For a message that named only a service.
  draft.conversation.touchpoint ??= message.deliveries?.[0]?.touchpoint ?? null
  draft.conversation.awaitingReply = false
  acceptAs(draft, actor, 'agentMessage')
}

/**
 * Applies a message to a team conversation: the sender becomes a participant, and it is added to the inbox of inactive
 * participants (open points).
 */
function takePartInTeam(draft: ConversationDraft, actor: Member | null): void {
  if (actor) draft.join(actor).active = true
  for (const participant of draft.participants.values()) {
    if (!participant.active && participant.userId !== actor?.userId) participant.inbox = true
  }
}

function countUnread({ participants }: ConversationDraft, actor: Member | null): void {
  for (const participant of participants.values()) {
    if (participant.userId === actor?.userId) participant.unreadCount = 0
    else participant.unreadCount++
  }
}
