import { withAttachment } from '../attachments/message-attachment.js'
import { pathOf, type TenantScope } from '../db/tenancy.js'
import { BadUserInput, Forbidden, NotFound, shown, Unprocessable } from '../errors.js'
import { parseCommand } from '../messages/command-text.js'
import type { MessageDraft } from '../messages/message-content.js'
import type { MessageRow } from '../messages/message-row.js'
import { checkBotHistory } from './bot-history.js'
import { acceptAs } from './commands/accept.js'
import { COMMANDS } from './commands/index.js'
import { receiveConsumerMessage } from './consumer-message.js'
import type { ConversationWork, Member } from './conversation-work.js'
import { deliver } from './delivery/deliver.js'
import { applyFieldMessage, applyFormMessage } from './form-messages.js'
import { readMembers, type Sender } from './members.js'
import { applyMention } from './mention.js'
import { newMessage } from './new-message.js'
import { isSaid, previewOf } from './preview.js'
import type { Router } from './router.js'

export interface MessageProcessing {
  router: Router
  sender: Sender
  draft: MessageDraft
  id: string
  /** Part of a conversation create: the consecutive limit does not count it, and a consumer message queues (3.1). */
  isInCreate?: boolean
}

/**
 * Adds a message to a conversation and does all that follows from it: commands run, consumer messages queue, an agent's
 * answer accepts (2.9, 3.1, 4.7, 4.8). Needs the conversation's row lock.
 * @throws Unprocessable for an archived conversation; Forbidden for a blocked contact; RateLimited past a bot's limits
 *   (section 8); what the command throws. Nothing is written then.
 */
export async function processMessage(work: ConversationWork, processing: MessageProcessing): Promise<MessageRow> {
  const { draft, sender, id, router, isInCreate = false } = processing
  const { conversation } = work
  const actor = await checkDraft(work, sender, draft)
  if (draft.type === 'command') return runCommand(work, processing, actor)
  if (sender.isBot && actor && isByBot(draft, sender, actor)) {
    await checkBotHistory(work, { bot: actor.userId, draft, isInCreate })
  }
  const message = work.addMessage({
    ...newMessage(id, draft, actor),
    ...(isInCreate && !work.isNew && { isDelayedOfCreate: true }),
  })
  countUnread(work, actor)
  if (isSaid(draft)) {
    conversation.lastMessageRole = draft.role
    conversation.preview = previewOf(message) ?? conversation.preview
  }
  if (draft.type === 'mention') {
    message.isBackchannel = true
    await applyMention(work, { message, sender, router })
  }
  // Before it queues, so that rules see what was filled in (4.6).
  if (draft.type === 'form') await applyFormMessage(work, message)
  if (draft.type === 'field') await applyFieldMessage(work, message)
  if (conversation.type !== 'contact') {
    takePartInTeam(work, actor)
    return message
  }
  if (conversation.touchpoint === null && !message.isBackchannel && draft.role !== 'bot') {
    conversation.touchpoint = draft.touchpoint
  }
  if (draft.role === 'contact') await receiveConsumerMessage(work, { message, router, isInCreate })
  else if (draft.role === 'agent') await answer(work, message, actor)
  else if (sender.isBot && actor) work.join(actor).active = true
  return message
}

/**
 * What must hold for a message now and, when it is delayed, already when it is sent.
 * @returns on whose behalf it is: its `user`, else the sender; null for the consumer
 */
export async function checkDraft(work: ConversationWork, sender: Sender, draft: MessageDraft): Promise<Member | null> {
  const { conversation } = work
  const { status, meta } = conversation
  // `target`: where its messages went, see `/import`.
  if (status === 'archived') throw new Unprocessable('the conversation is archived', { status, target: meta._target })
  if (draft.service !== null) await requireService(work, draft.service)
  if (draft.type !== 'command') await nameAttachment(work, sender, draft)
  if (draft.role === 'contact' && draft.type !== 'command') {
    if (conversation.type !== 'contact') throw new Unprocessable('the conversation has no contact', { field: 'role' })
    if (work.aggregate.isContactBlocked) throw new Forbidden('the contact is blocked')
    if (draft.user !== null) throw new BadUserInput('user', 'user must be absent: a consumer message is of no user')
    return null
  }
  if (draft.user === null || draft.user === sender.member?.userId) return sender.member
  const known = work.participants.get(draft.user)
  if (known) return { userId: known.userId, name: known.name, avatar: known.avatar, role: known.role }
  const scope: TenantScope = { path: sender.path }
  const [member] = await readMembers(work.sql, scope, conversation, [draft.user], 'user')
  return member!
}

/** A file message says what its attachment is; a consumer shows what it uploaded itself (2.12). @throws NotFound */
async function nameAttachment(work: ConversationWork, sender: Sender, draft: MessageDraft): Promise<void> {
  const { sql, conversation } = work
  const contact = sender.member ? null : conversation.contactId
  const scope = { path: pathOf(conversation), sender: { path: sender.path, contact } }
  draft.meta = await withAttachment(sql, draft.meta, scope)
}

/** A service that serves the conversation: of its organization or one above (2.9). @throws NotFound */
async function requireService({ sql, conversation }: ConversationWork, service: string): Promise<void> {
  const rows = await sql.query('select id from service where id = $1 and organization_id = any($2::uuid[])', [
    service,
    pathOf(conversation),
  ])
  if (rows.length === 0) throw new NotFound(`service: Service ${shown(service)} not found`, { field: 'service' })
}

/** Section 8 limits a bot's own messages; what it sends for an agent is that agent's. */
function isByBot(draft: MessageDraft, sender: Sender, actor: Member): boolean {
  return draft.role !== 'agent' || actor.userId === sender.member?.userId
}

async function runCommand(
  work: ConversationWork,
  { draft, sender, id, router, isInCreate = false }: MessageProcessing,
  actor: Member | null,
): Promise<MessageRow> {
  if (!actor) throw new Forbidden('a registered user is required for a command')
  const parsed = parseCommand(draft.text ?? '')
  const message = work.addMessage(newMessage(id, { ...draft, isBackchannel: true }, actor))
  if (parsed.name === 'bot') return message
  const command = COMMANDS.get(parsed.name)
  if (!command) throw new Unprocessable(`/${parsed.name} is not available`)
  await command.run({ work, router, sender, actor, parsed, meta: draft.meta, message, isInCreate })
  return message
}

/**
 * An agent's answer goes to the consumer and accepts (4.7, rule 4). A backchannel message is talk among agents.
 */
async function answer(work: ConversationWork, message: MessageRow, actor: Member | null): Promise<void> {
  if (message.isBackchannel || !actor) return
  await deliver(work, message)
  work.conversation.awaitingReply = false
  acceptAs(work, actor, 'agentMessage')
}

/** A team conversation: who speaks takes part; it comes to the inbox of those who are not active (open points). */
function takePartInTeam(work: ConversationWork, actor: Member | null): void {
  if (actor) work.join(actor).active = true
  for (const participant of work.participants.values()) {
    if (!participant.active && participant.userId !== actor?.userId) participant.inbox = true
  }
}

function countUnread({ participants }: ConversationWork, actor: Member | null): void {
  for (const participant of participants.values()) {
    if (participant.userId === actor?.userId) participant.unreadCount = 0
    else participant.unreadCount++
  }
}
