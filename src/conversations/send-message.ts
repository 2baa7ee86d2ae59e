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
import { senderOf, type Sender } from './members.js'
import { processMessage } from './process-message.js'
import type { Router } from './router.js'

/** The job that processes a delayed message. */
export const MESSAGE_PROCESS = 'message.process'

export interface SendDependencies {
  writer: ConversationWriter
  router: Router
}

/** What a guest may send: its own words, never a command or a backchannel message. */
const GUEST_TYPES: readonly MessageDraft['type'][] = ['chat', 'postback', 'form', 'field']

/**
 * Sends messages in order (4.7, 4.8), in one transaction: all or none. One with a delay is processed when that has passed.
 * @returns the messages; a delayed one as it will be, but for its position.
 * @throws Forbidden when the caller may not send this; NotFound; what `processMessage` throws.
 */
export function sendMessages(
  { writer, router }: SendDependencies,
  ctx: Context,
  conversationId: string,
  given: readonly MessageDraft[],
): Promise<MessageRow[]> {
  const drafts = given.map((draft) => authoriseDraft(ctx, draft))
  const sender = senderOf(ctx)
  const isAlone = drafts.some(writesBeyondDraft)
  const schedule = new Schedule(ctx.now())
  const operation = async (work: ConversationWork): Promise<MessageRow[]> => {
    const messages: MessageRow[] = []
    for (const draft of drafts) {
      messages.push(await schedule.process(work, { router, sender, draft, id: ctx.newId() }))
    }
    return messages
  }
  return writer.run(ctx, conversationId, operation, { isAlone })
}

/**
 * Keeps the order of messages with delays (4.7, rule 5): each waits for its own delay and for those before it. What need
 * not wait is processed now, the rest becomes a job.
 */
export class Schedule {
  #runAt: Date

  constructor(private readonly now: Date) {
    this.#runAt = now
  }

  async process(
    work: ConversationWork,
    message: { router: Router; sender: Sender; draft: MessageDraft; id: string; isInCreate?: boolean },
  ): Promise<MessageRow> {
    const { draft, id, sender, isInCreate } = message
    const dueAt = this.now.getTime() + draft.delayMs
    if (dueAt > this.#runAt.getTime()) this.#runAt = new Date(dueAt)
    if (this.#runAt.getTime() <= this.now.getTime()) return processMessage(work, message)
    const payload = { conversation: work.conversation.id, id, sender, draft, isInCreate: isInCreate ?? false }
    work.addJob({
      kind: MESSAGE_PROCESS,
      key: `conversation:${work.conversation.id}`,
      runAt: this.#runAt,
      payload: payload as unknown as JsonObject,
    })
    return futureMessage(work, id, draft, sender, this.#runAt)
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
  await writer.run(system, payload.conversation, process, { job, isAlone: writesBeyondDraft(draft) })
}

/** Which role may send what (section 5; open points). Guests speak as the consumer. @throws Forbidden */
export function authoriseDraft(ctx: Context, draft: MessageDraft): MessageDraft {
  ctx.require('message.create')
  if (ctx.guestCaller) {
    const isOwnVoice = draft.role === 'contact' || draft.role === 'bot'
    if (!isOwnVoice || !GUEST_TYPES.includes(draft.type) || draft.isBackchannel || draft.user !== null) {
      throw new Forbidden('a guest sends chat, postback, form and field messages as the consumer')
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

function writesBeyondDraft({ type, text }: MessageDraft): boolean {
  return type === 'command' && COMMANDS.get(parseCommand(text ?? '').name)?.isAlone === true
}

function futureMessage(work: ConversationWork, id: string, draft: MessageDraft, sender: Sender, at: Date): MessageRow {
  const { organizationId, org1, org2, org3 } = work.conversation
  const { delayMs, user, service, ...content } = draft
  return {
    ...content,
    id, organizationId, org1, org2, org3,
    conversationId: work.conversation.id,
    position: work.conversation.messageCount + 1,
    userId: user ?? sender.member?.userId ?? null,
    serviceId: service,
    likes: [],
    comments: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}
