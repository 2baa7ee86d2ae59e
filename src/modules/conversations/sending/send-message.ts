import { defineJob } from '../../../platform/jobs/job-type.js'
import { isAllowed } from '../../../platform/access/permissions.js'
import { Context } from '../../../platform/context.js'
import { BadUserInput, Forbidden } from '../../../platform/errors.js'
import type { Job } from '../../../platform/jobs/job.js'
import type { GuestLimits } from '../../../platform/limits/guest-limits.js'
import { BotMasked } from '../../../platform/masking/bot-masked.js'
import type { AssignmentCache } from '../../channels/assignment-cache.js'
import { agentsToLock } from './agents-to-lock.js'
import { commandOf } from '../commands/command-of-message.js'
import { isToConsumer, type NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { requireSeen, heldNow } from './require-seen.js'
import { HeldWhenDue, returnAsDraft } from './return-as-draft.js'
import type { WritingChange } from '../state/writing-change.js'
import { requireTouchpoint } from './require-touchpoint.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import type { Operation, OperationOptions } from '../writer/pending-write.js'
import { costOf } from '../writer/write-cost.js'
import { noteGuestAddress } from './guest-address.js'
import type { DelayedMessage } from '../messages/delayed-message.js'
import { MessageDeleted, MessageDiffers } from '../messages/deleted-messages.js'
import { messageSentBefore, waitsAlready } from '../messages/sent-before.js'
import { inGuestsConversation, requireUnblockedGuest } from '../state/guest-line.js'
import { inMergedConversation } from '../state/merged-conversation.js'
import { maySendStill, senderOf, type Sender } from '../messages/members.js'
import { unplacedMessage, type UnplacedMessage } from '../messages/unplaced-message.js'
import { messagesOfPostback, senderOfClick } from './postback.js'
import { checkNewMessage, processMessage, type MessageProcessing } from './process-message.js'
import type { Router } from '../routing/router.js'
import { requireTakeable, withoutEnded } from './take-proposal.js'

/** Processes a delayed message. */
export const MESSAGE_PROCESS = defineJob<DelayedMessage>('message.process', {
  conversation: 'string',
  id: 'string',
  sender: 'object',
  newMessage: 'object',
})

export interface SendDependencies {
  writer: ConversationWriter
  router: Router
  guestLimits: GuestLimits
  assignments: AssignmentCache
}

/** Types of messages that a guest may send: immediately, never as a command or backchannel message. */
const GUEST_TYPES: readonly NewMessage['type'][] = ['chat', 'postback', 'form', 'field']

/**
 * Sends messages in order (4.7, 4.8), in one transaction: all or none. Messages with a delay are processed later.
 * @returns the messages; delayed ones without their final position
 * @throws Forbidden if the caller may not send one of them; NotFound; errors of `processMessage`
 */
export async function sendMessages(
  { writer, router, guestLimits, assignments }: SendDependencies,
  ctx: Context,
  conversationId: string,
  given: readonly NewMessage[],
): Promise<MessageRow[]> {
  const clicks = authoriseMessages(ctx, given)
  const all = clicks.flatMap(({ newMessages }) => newMessages)
  const sender = senderOf(ctx)
  const { guestCaller: guest, address } = ctx
  if (guest) {
    // Messages that a click adds count as well.
    await guestLimits.countMessages({ guest, address }, conversationId, all.length)
    await noteGuestAddress(ctx, guest)
  }
  const operation = async (change: ConversationChange): Promise<MessageRow[]> => {
    requireTouchpoint(change.conversation, given, (index) => (given.length > 1 ? `messages[${index}].` : ''))
    await requireUnblockedGuest(ctx, change)
    const schedule = new Schedule(change, all.length)
    const isFree = isLastWord(all)
    const messages: MessageRow[] = []
    for (const { newMessages } of clicks) {
      const [message] = await schedule.processAll(newMessages, {
        router,
        sender: await senderOfClick(change, sender, newMessages),
        isFree,
      })
      messages.push(message!)
    }
    return messages
  }
  const locked = await agentsToLock(assignments, sender, all)
  const work = { newMessages: all, operation }
  return inGuestsConversation(ctx, conversationId, (id) => runMessages(writer, ctx, id, work, { agentsToLock: locked }))
}

/** Tells whether a bot gives the conversation away with a note for whoever gets it: it may, whatever it has said. */
function isLastWord(all: readonly NewMessage[]): boolean {
  const commands = all.filter(({ type }) => type === 'command')
  const said = all.filter(({ type }) => type !== 'command')
  if (said.length !== 1 || !said[0]!.isBackchannel) return false
  const names = commands.map((message) => commandOf(message).command.name)
  return names.includes('enqueue') && names.every((name) => LAST_COMMANDS.has(name))
}

/** Commands with which a bot gives a conversation away: it may also set what is to be known of it. */
const LAST_COMMANDS: ReadonlySet<string> = new Set(['set', 'enqueue', 'leave'])

/** A message that the caller may send, followed by the messages that a clicked button adds (2.10). */
export interface AuthorisedMessage {
  newMessages: readonly NewMessage[]
}

/** Checks that the caller may send the messages. @throws Forbidden, BadUserInput */
export function authoriseMessages(ctx: Context, given: readonly NewMessage[]): AuthorisedMessage[] {
  return given.map((newMessage) => {
    const own = authoriseMessage(ctx, newMessage)
    return { newMessages: [own, ...messagesOfPostback(own).map((each) => authoriseMessage(ctx, each))] }
  })
}

/**
 * Keeps the order of messages with delays (4.7, rule 5): each waits for its own delay and for earlier messages of the
 * same request. Messages that need not wait are processed immediately, the others become jobs.
 */
export class Schedule {
  /** One key per request: messages that others send later with a shorter delay do not wait for this one. */
  readonly #key: string | undefined
  #runAt: Date

  /** @param count number of messages in the request: a single message needs no ordering */
  constructor(
    private readonly change: ConversationChange,
    count: number,
  ) {
    this.#key = count > 1 ? `messages:${change.clock.newId()}` : undefined
    this.#runAt = change.now
  }

  async processAll(
    newMessages: readonly NewMessage[],
    processing: Omit<MessageProcessing, 'newMessage' | 'id'>,
  ): Promise<MessageRow[]> {
    const messages: MessageRow[] = []
    for (const newMessage of newMessages) {
      const sent = await messageSentBefore(this.change, newMessage, processing.sender)
      if (!sent) await this.#requireSeen(newMessage, processing.sender)
      const id = newMessage.id ?? this.change.clock.newId()
      messages.push(sent ?? (await this.#process({ ...processing, newMessage, id })))
    }
    return messages
  }

  /** Names the conversation that has the messages, if it was merged, before what happened in it. */
  async #requireSeen({ mark, user }: NewMessage, { member }: Sender): Promise<void> {
    if (this.change.conversation.status === 'archived') return
    await requireSeen(this.change, mark, [member?.userId, user])
  }

  async #process(message: MessageProcessing): Promise<MessageRow> {
    const { change } = this
    const { newMessage, id, sender, isInCreate } = message
    const dueAt = change.now.getTime() + newMessage.delayMs
    if (dueAt > this.#runAt.getTime()) this.#runAt = new Date(dueAt)
    if (this.#runAt.getTime() <= change.now.getTime()) return processMessage(change, message)
    const actor = await checkNewMessage(change, sender, newMessage)
    if (newMessage.proposal && !(await waitsAlready(change, id))) await requireTakeable(change, newMessage)
    const payload = { conversation: change.conversation.id, id, sender, newMessage, isInCreate: isInCreate ?? false }
    change.addJob(MESSAGE_PROCESS.create(payload, { key: this.#key, runAt: this.#runAt }))
    return futureMessage(change, unplacedMessage(id, newMessage, actor), this.#runAt)
  }
}

/**
 * Handles the job of a delayed message, in the conversation that now has the messages if it was merged. The message and
 * the end of the job are one transaction. Drops the message if its sender may no longer send it.
 */
export async function processDelayed(
  { writer, router, assignments }: Pick<SendDependencies, 'writer' | 'router' | 'assignments'>,
  system: Context,
  job: Job<DelayedMessage>,
): Promise<void> {
  const { conversation: named, id, sender, newMessage, isInCreate } = job.payload
  const process = async (change: ConversationChange): Promise<void> => {
    if (await wasSent(change, newMessage, sender)) return
    change.by = sender.member?.userId ?? null
    const maySend = (): Promise<boolean> => maySendStill(change.sql, sender, change.now)
    // Cached, since thousands of jobs from few senders may be due at once.
    if (!(await change.shared.once(`may send ${JSON.stringify(sender)}`, maySend))) {
      const user = sender.member?.userId
      system.log.info({ message: id, user }, 'dropped a delayed message of a user without access')
      return
    }
    const because = await heldNow(change, newMessage.mark, [sender.member?.userId, newMessage.user])
    if (because) throw new HeldWhenDue('mark', because)
    const due = await withoutEnded(change, newMessage)
    await processMessage(change, { router, sender, newMessage: due, id, isInCreate })
  }
  const work = { newMessages: [newMessage], operation: process }
  const locked = await agentsToLock(assignments, sender, [newMessage])
  const asBot = sender.isBot && sender.member ? { asBot: sender.member.userId } : {}
  await inMergedConversation(system.reads, named, (id) =>
    runMessages(writer, system, id, work, { job, agentsToLock: locked, ...asBot }).catch((error: unknown) => {
      if (!(error instanceof HeldWhenDue)) throw error
      const { because } = error
      const giveBack = (change: WritingChange): void => returnAsDraft(change, { newMessage, sender, because })
      return writer.runExclusive(system, id, giveBack, { job })
    }),
  )
}

/** Tells whether a delayed message that was accepted twice has already been sent, even if it was deleted since. */
async function wasSent(
  ...sent: [change: ConversationChange, newMessage: NewMessage, sender: Sender]
): Promise<boolean> {
  try {
    return (await messageSentBefore(...sent, { isDue: true })) !== null
  } catch (error) {
    if (error instanceof MessageDeleted || error instanceof MessageDiffers) return true
    throw error
  }
}

/** Checks what a role may send (section 5; open points). Guests send as the consumer. @throws Forbidden */
function authoriseMessage(ctx: Context, newMessage: NewMessage): NewMessage {
  ctx.require('message.create')
  refuseUnread(ctx, newMessage)
  if (ctx.guestCaller) {
    const isOwnVoice = newMessage.role === 'contact' || newMessage.role === 'bot'
    const isOther =
      newMessage.isBackchannel || newMessage.user !== null || newMessage.service !== null || newMessage.delayMs > 0
    if (!isOwnVoice || !GUEST_TYPES.includes(newMessage.type) || isOther) {
      throw new Forbidden(
        'a guest sends chat, postback, form and field messages as the consumer, without a delay and without a service',
      )
    }
    // A guest is on the web, whatever touchpoint answers take.
    return { ...newMessage, role: 'contact', touchpoint: 'web' }
  }
  if (newMessage.role === 'system') throw new Forbidden('only the server creates messages with the role system')
  if (newMessage.type === 'results') throw new BadUserInput('type', 'only /send creates messages of type results')
  if (newMessage.type === 'command') {
    return authoriseCommand(ctx, newMessage)
  }
  const { user } = ctx.userCaller
  if (newMessage.user !== null && newMessage.user !== user && !isAllowed(ctx.caller, 'message.createForOthers')) {
    throw new Forbidden('sending as another user needs the scope bot')
  }
  // To the consumer, or on the consumer's behalf (4.7, create rule 6).
  if (newMessage.role === 'agent' || newMessage.role === 'contact') ctx.require('conversation.command')
  return newMessage
}

/** The refusal of a provenance from whoever is no bot. */
export function provenanceOfBots(): BadUserInput {
  return new BadUserInput('provenance', 'provenance is for bots: it says what a message was made of that nobody wrote')
}

/** Refuses what would have no effect: consumers are never held, and only their pages tell what they showed. */
function refuseUnread(ctx: Context, { mark, seen, depth, provenance, proposal, user, mail }: NewMessage): void {
  if (proposal) {
    if (ctx.guestCaller || ctx.userCaller.isBot)
      throw new BadUserInput('proposal', 'proposal is for people: bots do what they propose once it is approved')
    if (user !== null && user !== ctx.userCaller.user)
      throw new BadUserInput('proposal', 'proposal must be absent in a message on behalf of another user')
    ctx.require('proposal.decide')
  }
  const isBot = !ctx.guestCaller && ctx.userCaller.isBot
  if (depth !== null && !isBot)
    throw new BadUserInput('depth', 'depth is for bots: people answer each other without end')
  if (provenance && !isBot) throw provenanceOfBots()
  // Mails quote what the consumer said, and answers to them would come to these addresses.
  if (mail && ctx.mask) throw new BotMasked('mail: its recipients would read what is masked for the bot', 'mail')
  if (ctx.guestCaller && mark) throw new BadUserInput(mark.field, `${mark.field}: a guest's message is never held`)
  if (!ctx.guestCaller && seen !== null)
    throw new BadUserInput('seen', 'seen is for guests: an agent or a bot names the mark that it saw')
}

/** Checks that a command runs for its sender, unless 4.8 defines a `user` for it. @throws Forbidden */
function authoriseCommand(ctx: Context, newMessage: NewMessage): NewMessage {
  const { command } = commandOf(newMessage)
  const { name } = command
  ctx.require(command.permission)
  const isOther = newMessage.user !== null && newMessage.user !== ctx.userCaller.user
  if (isOther && !command.takesUser) {
    throw new Forbidden(
      `user must be absent: ${name === 'bot' ? 'a bot command' : `/${name}`} is its sender's own (4.8)`,
    )
  }
  return newMessage
}

/** Estimated memory of a message, without its text and objects. */
const DRAFT_BYTES = 1_024

/** Runs an operation that processes these messages, including commands: exclusive if one of the commands is. */
export function runMessages<T>(
  writer: ConversationWriter,
  ctx: Context,
  conversation: string,
  { newMessages, operation }: { newMessages: readonly NewMessage[]; operation: Operation<T> },
  options: OperationOptions = {},
): Promise<T> {
  const { isExclusive, cost, ...needs } = needsOf(newMessages)
  const all = { ...needs, ...options, cost: cost + (options.cost ?? 0) }
  return isExclusive
    ? writer.runExclusive(ctx, conversation, operation, all)
    : writer.run(ctx, conversation, operation, all)
}

/** Options that the messages, including commands, require of the writer. */
function needsOf(newMessages: readonly NewMessage[]): {
  isExclusive: boolean
  alsoLock: string[]
  delivers: boolean
  bytes: number
  kind: string
  /** In sends, as far as it is known. */
  cost: number
} {
  let isExclusive = false
  const alsoLock: string[] = []
  let delivers = false
  let bytes = 0
  let cost = newMessages.length
  let kind = 'send'
  for (const message of newMessages) {
    const { type, text, actions, items, meta } = message
    bytes += DRAFT_BYTES + 2 * (text?.length ?? 0) + 2 * JSON.stringify([actions, items, meta]).length
    delivers ||= isToConsumer(message)
    if (type !== 'command') continue
    const { command, given } = commandOf(message)
    isExclusive ||= command.isExclusive === true
    alsoLock.push(...(command.alsoLocks?.(given) ?? []))
    kind = command.name
    cost += costOf({ events: command.streamsOf?.(given) ?? 0, rows: 0 }) - 1
  }
  return { isExclusive, alsoLock, delivers, bytes, kind, cost }
}

function futureMessage({ conversation }: ConversationChange, message: UnplacedMessage, at: Date): MessageRow {
  const { organizationId, org1, org2, org3 } = conversation
  return {
    ...message,
    organizationId,
    org1,
    org2,
    org3,
    conversationId: conversation.id,
    position: conversation.messageCount + 1,
    createdAt: at,
    updatedAt: at,
  }
}
