import { defineJob } from '../../jobs/job-type.js'
import { isAllowed } from '../../access/permissions.js'
import { Context } from '../../context.js'
import { BadUserInput, Forbidden } from '../../errors.js'
import type { Job } from '../../jobs/job.js'
import type { GuestLimits } from '../../limits/guest-limits.js'
import type { AssignmentCache } from '../../channels/assignment-cache.js'
import { claimsOf } from './claims-of.js'
import { parseCommand } from '../commands/parse-command.js'
import type { MessageDraft } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { COMMANDS } from '../commands/index.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { requireTouchpoint } from './require-touchpoint.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import type { Operation, OperationOptions } from '../writing/pending-write.js'
import { noteGuestAddress } from './guest-address.js'
import { MessageDeleted, MessageDiffers } from '../messages/deleted-messages.js'
import { messageSentBefore } from '../messages/sent-before.js'
import { inGuestsConversation, requireUnblockedGuest } from '../writing/guest-line.js'
import { inMergedConversation } from '../writing/merged-conversation.js'
import { maySendStill, senderOf, type Sender } from '../messages/members.js'
import { newMessage, type NewMessage } from '../messages/new-message.js'
import { messagesOfPostback, senderOfClick } from './postback.js'
import { checkDraft, processMessage, type MessageProcessing } from './process-message.js'
import type { Router } from '../routing/router.js'

export interface DelayedMessage {
  conversation: string
  id: string
  sender: Sender
  messageDraft: MessageDraft
  isInCreate?: boolean
}

/** Processes a delayed message. */
export const MESSAGE_PROCESS = defineJob<DelayedMessage>('message.process', {
  conversation: 'string',
  id: 'string',
  sender: 'object',
  messageDraft: 'object',
})

export interface SendDependencies {
  writer: ConversationWriter
  router: Router
  guestLimits: GuestLimits
  assignments: AssignmentCache
}

/** Types of messages that a guest may send: immediately, never as a command or backchannel message. */
const GUEST_TYPES: readonly MessageDraft['type'][] = ['chat', 'postback', 'form', 'field']

/**
 * Sends messages in order (4.7, 4.8), in one transaction: all or none. Messages with a delay are processed later.
 * @returns the messages; delayed ones without their final position
 * @throws Forbidden if the caller may not send one of them; NotFound; errors of `processMessage`
 */
export async function sendMessages(
  { writer, router, guestLimits, assignments }: SendDependencies,
  ctx: Context,
  conversationId: string,
  given: readonly MessageDraft[],
): Promise<MessageRow[]> {
  const clicks = authoriseDrafts(ctx, given)
  const all = clicks.flatMap(({ drafts }) => drafts)
  const sender = senderOf(ctx)
  const { guestCaller: guest, address } = ctx
  if (guest) {
    // Messages that a click adds count as well.
    await guestLimits.countMessages({ guest, address }, conversationId, all.length)
    await noteGuestAddress(ctx, guest)
  }
  const operation = async (draft: ConversationDraft): Promise<MessageRow[]> => {
    requireTouchpoint(draft.conversation, given, (index) => (given.length > 1 ? `messages[${index}].` : ''))
    await requireUnblockedGuest(ctx, draft)
    const schedule = new Schedule(draft, all.length)
    const messages: MessageRow[] = []
    for (const { drafts } of clicks) {
      const [message] = await schedule.processAll(drafts, {
        router,
        sender: await senderOfClick(draft, sender, drafts),
      })
      messages.push(message!)
    }
    return messages
  }
  const claims = claimsOf(assignments, sender, all)
  const work = { drafts: all, operation }
  return inGuestsConversation(ctx, conversationId, (id) => runMessages(writer, ctx, id, work, { claims }))
}

/** A draft that the caller may send, followed by the messages that a clicked button adds (2.10). */
export interface AuthorisedDraft {
  drafts: readonly MessageDraft[]
}

/** Checks that the caller may send the drafts. @throws Forbidden, BadUserInput */
export function authoriseDrafts(ctx: Context, given: readonly MessageDraft[]): AuthorisedDraft[] {
  return given.map((messageDraft) => {
    const own = authoriseDraft(ctx, messageDraft)
    return { drafts: [own, ...messagesOfPostback(own).map((each) => authoriseDraft(ctx, each))] }
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
    private readonly draft: ConversationDraft,
    count: number,
  ) {
    this.#key = count > 1 ? `messages:${draft.clock.newId()}` : undefined
    this.#runAt = draft.now
  }

  async processAll(
    drafts: readonly MessageDraft[],
    processing: Omit<MessageProcessing, 'messageDraft' | 'id'>,
  ): Promise<MessageRow[]> {
    const messages: MessageRow[] = []
    for (const messageDraft of drafts) {
      const sent = await messageSentBefore(this.draft, messageDraft, processing.sender)
      const id = messageDraft.id ?? this.draft.clock.newId()
      messages.push(sent ?? (await this.#process({ ...processing, messageDraft, id })))
    }
    return messages
  }

  async #process(message: MessageProcessing): Promise<MessageRow> {
    const { draft } = this
    const { messageDraft, id, sender, isInCreate } = message
    const dueAt = draft.now.getTime() + messageDraft.delayMs
    if (dueAt > this.#runAt.getTime()) this.#runAt = new Date(dueAt)
    if (this.#runAt.getTime() <= draft.now.getTime()) return processMessage(draft, message)
    const actor = await checkDraft(draft, sender, messageDraft)
    const payload = { conversation: draft.conversation.id, id, sender, messageDraft, isInCreate: isInCreate ?? false }
    draft.addJob(MESSAGE_PROCESS.create(payload, { key: this.#key, runAt: this.#runAt }))
    return futureMessage(draft, newMessage(id, messageDraft, actor), this.#runAt)
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
  const { conversation: named, id, sender, messageDraft, isInCreate } = job.payload
  const process = async (draft: ConversationDraft): Promise<void> => {
    if (await wasSent(draft, messageDraft, sender)) return
    const maySend = (): Promise<boolean> => maySendStill(draft.sql, sender)
    // Cached, since thousands of jobs from few senders may be due at once.
    if (await draft.shared.once(`may send ${JSON.stringify(sender)}`, maySend))
      await processMessage(draft, { router, sender, messageDraft, id, isInCreate })
    else
      system.log.info(
        { message: id, user: sender.member?.userId },
        'dropped a delayed message of a user without access',
      )
  }
  const work = { drafts: [messageDraft], operation: process }
  const claims = claimsOf(assignments, sender, [messageDraft])
  await inMergedConversation(system.reads, named, (id) => runMessages(writer, system, id, work, { job, claims }))
}

/** Whether a delayed message that was accepted twice has already been sent, even if it was deleted since. */
async function wasSent(...sent: Parameters<typeof messageSentBefore>): Promise<boolean> {
  try {
    return (await messageSentBefore(...sent)) !== null
  } catch (error) {
    if (error instanceof MessageDeleted || error instanceof MessageDiffers) return true
    throw error
  }
}

/** Checks what a role may send (section 5; open points). Guests send as the consumer. @throws Forbidden */
function authoriseDraft(ctx: Context, messageDraft: MessageDraft): MessageDraft {
  ctx.require('message.create')
  if (ctx.guestCaller) {
    const isOwnVoice = messageDraft.role === 'contact' || messageDraft.role === 'bot'
    const isOther =
      messageDraft.isBackchannel ||
      messageDraft.user !== null ||
      messageDraft.service !== null ||
      messageDraft.delayMs > 0
    if (!isOwnVoice || !GUEST_TYPES.includes(messageDraft.type) || isOther) {
      throw new Forbidden(
        'a guest sends chat, postback, form and field messages as the consumer, without a delay and without a service',
      )
    }
    return { ...messageDraft, role: 'contact' }
  }
  if (messageDraft.role === 'system') throw new Forbidden('only the server creates messages with the role system')
  if (messageDraft.type === 'results') throw new BadUserInput('type', 'only /send creates messages of type results')
  if (messageDraft.type === 'command') {
    return authoriseCommand(ctx, messageDraft)
  }
  const { user } = ctx.userCaller
  if (messageDraft.user !== null && messageDraft.user !== user && !isAllowed(ctx.caller, 'message.createForOthers')) {
    throw new Forbidden('sending as another user needs the scope bot')
  }
  // To the consumer, or on the consumer's behalf (4.7, create rule 6).
  if (messageDraft.role === 'agent' || messageDraft.role === 'contact') ctx.require('conversation.command')
  return messageDraft
}

/** Checks that a command runs for its sender, unless 4.8 defines a `user` for it. @throws Forbidden */
function authoriseCommand(ctx: Context, messageDraft: MessageDraft): MessageDraft {
  const { name } = parseCommand(messageDraft.text ?? '')
  const command = COMMANDS.get(name)
  ctx.require(command?.permission ?? 'conversation.command')
  const isOther = messageDraft.user !== null && messageDraft.user !== ctx.userCaller.user
  if (isOther && !command?.takesUser) {
    throw new Forbidden(
      `user must be absent: ${name === 'bot' ? 'a bot command' : `/${name}`} is its sender's own (4.8)`,
    )
  }
  return messageDraft
}

/** Estimated memory of a message, without its text and objects. */
const DRAFT_BYTES = 1_024

/** Runs an operation that processes these messages, including commands: exclusive if one of the commands is. */
export function runMessages<T>(
  writer: ConversationWriter,
  ctx: Context,
  conversation: string,
  { drafts, operation }: { drafts: readonly MessageDraft[]; operation: Operation<T> },
  options: OperationOptions = {},
): Promise<T> {
  const { isExclusive, ...needs } = needsOf(drafts)
  const all = { ...needs, ...options }
  return isExclusive
    ? writer.runExclusive(ctx, conversation, operation, all)
    : writer.run(ctx, conversation, operation, all)
}

/** Options that the messages, including commands, require of the writer. */
function needsOf(drafts: readonly MessageDraft[]): {
  isExclusive: boolean
  alsoLock: string[]
  delivers: boolean
  bytes: number
} {
  let isExclusive = false
  const alsoLock: string[] = []
  let delivers = false
  let bytes = 0
  for (const { type, role, text, isBackchannel, actions, items, meta } of drafts) {
    bytes += DRAFT_BYTES + 2 * (text?.length ?? 0) + 2 * JSON.stringify([actions, items, meta]).length
    delivers ||= role === 'agent' && !isBackchannel
    if (type !== 'command') continue
    const parsed = parseCommand(text ?? '')
    const command = COMMANDS.get(parsed.name)
    isExclusive ||= command?.isExclusive === true
    alsoLock.push(...(command?.alsoLocks?.(parsed) ?? []))
  }
  return { isExclusive, alsoLock, delivers, bytes }
}

function futureMessage({ conversation }: ConversationDraft, message: NewMessage, at: Date): MessageRow {
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
