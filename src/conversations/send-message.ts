import { isAllowed } from '../access/permissions.js'
import { Context } from '../context.js'
import { BadUserInput, Forbidden } from '../errors.js'
import type { Job } from '../jobs/job.js'
import type { JsonObject } from '../json.js'
import { parseCommand } from '../messages/command-text.js'
import type { MessageDraft } from '../messages/message-content.js'
import type { MessageRow } from '../messages/message-row.js'
import { COMMANDS } from './commands/index.js'
import type { ConversationWork } from './conversation-work.js'
import type { ConversationWriter } from './conversation-writer.js'
import { noteGuestAddress } from './guest-address.js'
import { senderOf, type Sender } from './members.js'
import { newMessage, type NewMessage } from './new-message.js'
import { messagesOfPostback } from './postback.js'
import { checkDraft, processMessage, type MessageProcessing } from './process-message.js'
import type { Router } from './router.js'

/** The job that processes a delayed message. */
export const MESSAGE_PROCESS = 'message.process'

export interface SendDependencies {
  writer: ConversationWriter
  router: Router
}

/** What a guest may send: its own words, at once; never a command or a backchannel message. */
const GUEST_TYPES: readonly MessageDraft['type'][] = ['chat', 'postback', 'form', 'field']

/**
 * Sends messages in order (4.7, 4.8), in one transaction: all or none. One with a delay is processed when that has
 * passed.
 * @returns the messages; a delayed one as it will be, but for its position.
 * @throws Forbidden when the caller may not send this; NotFound; what `processMessage` throws.
 */
export async function sendMessages(
  { writer, router }: SendDependencies,
  ctx: Context,
  conversationId: string,
  given: readonly MessageDraft[],
): Promise<MessageRow[]> {
  const clicks = authoriseDrafts(ctx, given)
  const sender = senderOf(ctx)
  if (ctx.guestCaller) await noteGuestAddress(ctx, ctx.guestCaller)
  const operation = async (work: ConversationWork): Promise<MessageRow[]> => {
    const schedule = new Schedule(work)
    const messages: MessageRow[] = []
    for (const { drafts } of clicks) {
      const [message] = await schedule.processAll(drafts, { router, sender })
      messages.push(message!)
    }
    return messages
  }
  return writer.run(ctx, conversationId, operation, needsOf(clicks.flatMap(({ drafts }) => drafts)))
}

/** A draft that the caller may send, followed by what a clicked button brings with it (2.10). */
export interface AuthorisedDraft {
  drafts: readonly MessageDraft[]
}

/** @throws Forbidden, BadUserInput */
export function authoriseDrafts(ctx: Context, given: readonly MessageDraft[]): AuthorisedDraft[] {
  return given.map((draft) => {
    const own = authoriseDraft(ctx, draft)
    return { drafts: [own, ...messagesOfPostback(own).map((each) => authoriseDraft(ctx, each))] }
  })
}

/**
 * Keeps the order of messages with delays (4.7, rule 5): each waits for its own delay and for those before it in the
 * same request. What need not wait is processed now, the rest becomes jobs.
 */
export class Schedule {
  /** One for the request: what others send later with a shorter delay does not wait for it. */
  readonly #key: string
  #runAt: Date

  constructor(private readonly work: ConversationWork) {
    this.#key = `messages:${work.clock.newId()}`
    this.#runAt = work.now
  }

  async processAll(
    drafts: readonly MessageDraft[],
    processing: Omit<MessageProcessing, 'draft' | 'id'>,
  ): Promise<MessageRow[]> {
    const messages: MessageRow[] = []
    for (const draft of drafts) {
      messages.push(await this.#process({ ...processing, draft, id: this.work.clock.newId() }))
    }
    return messages
  }

  async #process(message: MessageProcessing): Promise<MessageRow> {
    const { work } = this
    const { draft, id, sender, isInCreate } = message
    const dueAt = work.now.getTime() + draft.delayMs
    if (dueAt > this.#runAt.getTime()) this.#runAt = new Date(dueAt)
    if (this.#runAt.getTime() <= work.now.getTime()) return processMessage(work, message)
    const actor = await checkDraft(work, sender, draft)
    const payload = { conversation: work.conversation.id, id, sender, draft, isInCreate: isInCreate ?? false }
    work.addJob({
      kind: MESSAGE_PROCESS,
      key: this.#key,
      runAt: this.#runAt,
      payload: payload as unknown as JsonObject,
    })
    return futureMessage(work, newMessage(id, draft, actor), this.#runAt)
  }
}

/** Does a delayed message's job; the message and the job's end are one transaction. */
export async function processDelayed(
  { writer, router }: SendDependencies,
  system: Context,
  job: Job,
): Promise<void> {
  const payload = job.payload as unknown as {
    conversation: string
    id: string
    sender: Sender
    draft: MessageDraft
    isInCreate: boolean
  }
  const { id, sender, draft, isInCreate } = payload
  const process = (work: ConversationWork) => processMessage(work, { router, sender, draft, id, isInCreate })
  await writer.run(system, payload.conversation, process, { job, ...needsOf([draft]) })
}

/** Which role may send what (section 5; open points). Guests speak as the consumer. @throws Forbidden */
function authoriseDraft(ctx: Context, draft: MessageDraft): MessageDraft {
  ctx.require('message.create')
  if (ctx.guestCaller) {
    const isOwnVoice = draft.role === 'contact' || draft.role === 'bot'
    const isOther = draft.isBackchannel || draft.user !== null || draft.service !== null || draft.delayMs > 0
    if (!isOwnVoice || !GUEST_TYPES.includes(draft.type) || isOther) {
      throw new Forbidden(
        'a guest sends chat, postback, form and field messages as the consumer, at once, and names no service',
      )
    }
    return { ...draft, role: 'contact' }
  }
  if (draft.role === 'system') throw new Forbidden('messages with the role system are the service\'s own')
  if (draft.type === 'results') throw new BadUserInput('type', 'type results is made by /send')
  if (draft.type === 'command') {
    const command = COMMANDS.get(parseCommand(draft.text ?? '').name)
    ctx.require(command?.permission ?? 'conversation.command')
    return draft
  }
  const { user } = ctx.userCaller
  const isOther = draft.role === 'contact' || (draft.user !== null && draft.user !== user)
  if (isOther && !isAllowed(ctx.caller, 'message.createForOthers')) {
    throw new Forbidden(`sending as ${draft.role === 'contact' ? 'the consumer' : 'another user'} needs the scope bot`)
  }
  if (draft.role === 'agent') ctx.require('conversation.command')
  return draft
}

/** What the messages, and the commands among them, need of the writer. */
export function needsOf(drafts: readonly MessageDraft[]): { isAlone: boolean; alsoLock: string[]; delivers: boolean } {
  let isAlone = false
  const alsoLock: string[] = []
  let delivers = false
  for (const { type, role, text, isBackchannel } of drafts) {
    delivers ||= role === 'agent' && !isBackchannel
    if (type !== 'command') continue
    const parsed = parseCommand(text ?? '')
    const command = COMMANDS.get(parsed.name)
    isAlone ||= command?.isAlone === true
    alsoLock.push(...(command?.alsoLocks?.(parsed as never) ?? []))
  }
  return { isAlone, alsoLock, delivers }
}

function futureMessage({ conversation }: ConversationWork, message: NewMessage, at: Date): MessageRow {
  const { organizationId, org1, org2, org3 } = conversation
  return {
    ...message,
    organizationId, org1, org2, org3,
    conversationId: conversation.id,
    position: conversation.messageCount + 1,
    createdAt: at,
    updatedAt: at,
  }
}
