import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { withAttachment } from '../../attachments/message-attachment.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf, type TenantScope } from '../../../platform/db/tenancy.js'
import { Forbidden, Unprocessable } from '../../../platform/errors.js'
import { commandOf } from '../commands/command-of-message.js'
import { isToConsumer, type NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { checkBotHistory } from '../messages/bot-history.js'
import { acceptAs } from '../commands/accept.js'
import { receiveConsumerMessage } from '../messages/consumer-message.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'
import { requireWriting } from '../state/writing-change.js'
import { deliver } from '../delivery/deliver.js'
import { depthOf } from '../messages/automation.js'
import { unplacedMessage } from '../messages/unplaced-message.js'
import { applyFieldMessage, applyFormMessage } from '../messages/form-messages.js'
import { readMembers, type Sender } from '../messages/members.js'
import { withMail } from '../messages/with-mail.js'
import { withTemplate } from '../messages/with-template.js'
import { applyMention } from '../messages/mention.js'
import { mergedInto } from '../state/merged-conversation.js'
import { putInInbox } from '../state/inbox-reason.js'
import type { Router } from '../routing/router.js'
import { crossesAnswer } from '../messages/crossed-answer.js'
import { actionsOf } from './action-of.js'
import { takeOver } from './end-stream.js'
import { placeMessage } from './place-message.js'
import { takeProposal } from './take-proposal.js'

export interface MessageProcessing {
  router: Router
  sender: Sender
  newMessage: NewMessage
  id: string
  /**
   * True if the message is part of a conversation create: it does not count as consecutive, and a consumer message
   * queues the conversation (3.1).
   */
  isInCreate?: boolean
  /** True if its readers have seen it grow: what was shown is refused no more. */
  isStreamed?: boolean
  /** True if a governed bot was granted what it is a part of. */
  isGranted?: boolean
  /** True if it is not counted against a bot's budget: a person has approved it, or the bot hands over with it. */
  isFree?: boolean
}

/**
 * Adds a message to a conversation and applies its effects: commands run, consumer messages queue, an agent's answer
 * accepts (2.9, 3.1, 4.7, 4.8). Needs the conversation's row lock.
 * @throws Unprocessable for an archived conversation; Forbidden for a blocked contact; RateLimited past a bot's limits
 *   (section 8); errors of the command. Nothing is written then.
 */
export async function processMessage(change: ConversationChange, processing: MessageProcessing): Promise<MessageRow> {
  const { sender, id, router, isInCreate = false, isStreamed = false, isFree = false } = processing
  const { conversation } = change
  const isGranted = isStreamed || processing.isGranted === true
  const actor = await checkNewMessage(change, sender, processing.newMessage, { isGranted })
  const whole = await withTemplate(change, processing.newMessage)
  await takeProposal(change, { id, sender, newMessage: whole })
  const newMessage = await withMail(change, whole)
  if (newMessage.type === 'command') return runCommand(change, processing, actor)
  if (!isStreamed) await checkAutomation(change, sender, { newMessage, actor, isInCreate, isFree })
  if (isToConsumer(newMessage) && actor?.role !== 'bot') await takeOver(change)
  const crossedAnswer = await crossesAnswer(change, newMessage.seen)
  const ofCreate = isInCreate && !change.isNew && { isDelayedOfCreate: true }
  const message = await placeMessage(change, { id, newMessage, sender, actor }, { crossedAnswer, ...ofCreate })
  if (newMessage.type === 'mention') {
    message.isBackchannel = true
    await applyMention(change, { message, sender, router })
  }
  // Before the conversation is queued, so that rules see the filled-in fields (4.6).
  if (newMessage.type === 'form') await applyFormMessage(change, message, sender)
  if (newMessage.type === 'field') await applyFieldMessage(change, message, sender)
  if (conversation.type !== 'contact') {
    takePartInTeam(change, message, actor)
    return message
  }
  if (!message.isBackchannel) conversation.touchpoint ??= message.touchpoint
  if (newMessage.role === 'contact') await receiveConsumerMessage(change, { message, router, isInCreate })
  else if (newMessage.role === 'agent') await answer(change, message, actor)
  else if (sender.isBot && actor) change.join(actor).active = true
  return message
}

/**
 * Checks the conditions that a message must meet now and, if it is delayed, already when it is sent.
 * @returns the user on whose behalf it is sent or who acts for the consumer: its `user`, else the sender; null for the
 *   consumer
 */
export async function checkNewMessage(
  change: ConversationChange,
  sender: Sender,
  newMessage: NewMessage,
  { isGranted = false }: { isGranted?: boolean } = {},
): Promise<Member | null> {
  const { conversation } = change
  const { id, status } = conversation
  if (status === 'archived') {
    // Id of the conversation that now has the messages, see `/import`.
    throw new Unprocessable('the conversation is archived', {
      reason: 'CONVERSATION_STATUS',
      status,
      target: await mergedInto(change.sql, id),
    })
  }
  if (isGranted) change.grants.pass()
  else for (const action of actionsOf(newMessage)) await change.grants.require(action)
  if (newMessage.service !== null) await requireService(change, newMessage.service)
  await nameAttachment(change, sender, newMessage)
  // A delayed message is refused when it is sent, not when it is due.
  if (newMessage.delayMs > 0) await withMail(change, await withTemplate(change, newMessage))
  if (newMessage.role === 'contact' && newMessage.type !== 'command') {
    if (conversation.type !== 'contact') throw new Unprocessable('the conversation has no contact', { field: 'role' })
    if (change.aggregate.isContactBlocked) throw new Forbidden('the contact is blocked', { reason: 'CONTACT_BLOCKED' })
  }
  if (newMessage.user === null || newMessage.user === sender.member?.userId) return sender.member
  const known = change.participants.get(newMessage.user)
  if (known) return { userId: known.userId, name: known.name, avatar: known.avatar, role: known.role }
  const scope: TenantScope = { path: sender.path }
  const [member] = await readMembers(change.sql, scope, conversation, [newMessage.user], 'user')
  return member!
}

/**
 * Adds the attachment's description to a file message; consumers can only send their own uploads (2.12). A command's metadata is
 * stored like any other, so an attachment it names is checked, and stored in lower case, by which its messages are found, but not
 * described; values other than ids are ignored.
 * @throws NotFound
 */
async function nameAttachment(change: ConversationChange, sender: Sender, newMessage: NewMessage): Promise<void> {
  const { sql, conversation } = change
  // What somebody else sent with an answer to a forwarded mail is no upload of the consumer.
  const isOfServer = newMessage.role === 'system'
  const contact = sender.member || isOfServer ? null : (sender.contact ?? conversation.contactId)
  const scope = { path: pathOf(conversation), sender: { path: sender.path, contact } }
  const isCommand = newMessage.type === 'command'
  if (isCommand && !isId(newMessage.meta.fileId)) return
  const meta = await withAttachment(sql, newMessage.meta, scope)
  if (typeof meta.fileId === 'string') change.files.add(meta.fileId)
  newMessage.meta = isCommand ? { ...newMessage.meta, fileId: meta.fileId! } : meta
}

/** Checks that a service belongs to the conversation's organization or one above (2.9). @throws NotFound */
async function requireService({ sql, shared, conversation }: ConversationChange, service: string): Promise<void> {
  const path = pathOf(conversation)
  const isKnown = await shared.once(`service ${service} for ${path.join()}`, async () => {
    const text = reading('select id from service where id = $1 and organization_id = any($2::uuid[])')
    return (await sql.query(text, [service, path])).length > 0
  })
  if (!isKnown) throw recordNotFound('Service', service, 'service')
}

/**
 * Checks what a bot may say in a conversation, and counts it against its budget, in whoever's name it says it; not what it passes on from
 * the consumer. @throws RateLimited past its limits (section 8); BudgetSpent
 */
export async function checkAutomation(
  change: ConversationChange,
  sender: Sender,
  {
    newMessage,
    actor,
    isInCreate = false,
    isFree = false,
  }: { newMessage: NewMessage; actor: Member | null } & Pick<MessageProcessing, 'isInCreate' | 'isFree'>,
): Promise<void> {
  if (!sender.isBot) return
  if (actor && isByBot(newMessage, actor)) await checkBotHistory(change, { bot: actor.userId, newMessage, isInCreate })
  if (!isFree && newMessage.role !== 'contact') await change.charges.charge()
}

/**
 * Tells whether section 8's limits apply: they cover messages of bots, also those that one sends on behalf of another, not
 * those on behalf of an agent or the consumer.
 */
function isByBot({ role }: NewMessage, actor: Member): boolean {
  if (role === 'contact') return false
  return role !== 'agent' || actor.role === 'bot'
}

async function runCommand(
  change: ConversationChange,
  { newMessage, sender, id, router, isInCreate = false }: MessageProcessing,
  actor: Member | null,
): Promise<MessageRow> {
  if (!actor) throw new Forbidden('a registered user is required for a command', { reason: 'USER_REQUIRED' })
  const { command, given, at } = commandOf(newMessage)
  const depth = depthOf(newMessage)
  await endStreamsBy(command.name, change, actor)
  const message = change.addMessage({ ...unplacedMessage(id, { ...newMessage, isBackchannel: true }, actor), depth })
  const run = { router, sender, actor, given, at, message, isInCreate }
  // `runMessages` has made the operation exclusive.
  if (command.isExclusive) await command.run({ ...run, change: requireWriting(change) })
  else await command.run({ ...run, change })
  return message
}

/** Ends what is being written and is over with a command: its message is before the command's. */
async function endStreamsBy(name: string, change: ConversationChange, { userId, role }: Member): Promise<void> {
  // It is for people now.
  if (name === 'enqueue' || (name === 'accept' && role !== 'bot')) await takeOver(change)
  if (name === 'import') for (const origin of change.others.values()) await takeOver(origin)
  // Finished later, it would take the conversation back.
  if (name === 'leave' && change.participants.has(userId)) await takeOver(change, userId)
}

/**
 * Applies an agent's answer: it is delivered to the consumer and accepts the conversation (4.7, rule 4). Backchannel
 * messages are internal and do neither.
 */
async function answer(change: ConversationChange, message: MessageRow, actor: Member | null): Promise<void> {
  if (message.isBackchannel || !actor) return
  await deliver(change, message)
  // For a message that named only a service.
  change.conversation.touchpoint ??= message.deliveries?.[0]?.touchpoint ?? null
  change.conversation.awaitingReply = false
  acceptAs(change, actor, 'agentMessage')
}

/**
 * Applies a message to a team conversation: the sender becomes a participant, and it is added to the inbox of inactive
 * participants (open points).
 */
function takePartInTeam(change: ConversationChange, message: MessageRow, actor: Member | null): void {
  if (actor) change.join(actor).active = true
  for (const participant of change.participants.values()) {
    const { active, inbox, inboxReason, userId } = participant
    if (active || userId === actor?.userId || (inbox && inboxReason === 'mentioned')) continue
    putInInbox(participant, 'teamMessage', message.id)
  }
}
