import {
  LatestMessagesDocument,
  ProposeDocument,
  SendMessagesDocument,
  type LatestMessagesQuery,
  type MessageInput,
} from './generated/operations.js'
import { MessageStream } from './message-stream.js'
import { Refused, type Request } from './request.js'

/** A conversation as webhooks contain it, in its state at the event. */
export interface BotConversationData {
  id: string
  status: string
  name: string
  meta: Record<string, unknown>
  /** Names what had happened by the event. */
  mark?: string
}

/** Others have written or done something since the event: the run ends, and nothing of what it said was sent. */
export class MovedOn extends Error {
  override readonly name = 'MovedOn'
}

/** A message that is written while others may do something: then it ends with what was shown. */
export class ConversationStream extends MessageStream {
  /** @throws MovedOn; Refused, such as `NO_GRANT`; StreamEnded */
  override async begin(): Promise<void> {
    await super.begin().catch(throwHeld)
  }

  /** @throws MovedOn; StreamEnded */
  override async finish(...given: Parameters<MessageStream['finish']>): ReturnType<MessageStream['finish']> {
    try {
      return await super.finish(...given).catch(throwHeld)
    } catch (error) {
      if (error instanceof MovedOn) await this.stop(error)
      throw error
    }
  }
}

/** @throws MovedOn in place of the server's word for it; the error */
function throwHeld(error: unknown): never {
  throw error instanceof Refused && error.reason === 'MOVED_ON' ? new MovedOn(error.message, { cause: error }) : error
}

/** A text to the consumer, or a message. */
export type Saying = string | MessageInput

type Latest = NonNullable<LatestMessagesQuery['conversation']>
type LatestMessage = Latest['messages']['edges'][number]['node']

/** Key at which `ask` keeps the name of the question that waits. */
const ASKED = 'asked'

/** One conversation while an event of it is handled. */
export class BotConversation {
  #sent = 0
  /** The question that was answered is to be forgotten with what is said next. */
  #isSettled = true

  constructor(
    private readonly request: Request,
    readonly data: BotConversationData,
    private readonly eventId: string,
    /** Depth of the message that is answered: what is said is one deeper, and the server ends loops of bots. */
    private readonly depth: number,
    /** Messages that are being written here. */
    readonly streams = new Set<MessageStream>(),
  ) {}

  get id(): string {
    return this.data.id
  }

  /** Name of the question that waits for an answer; null when none does. */
  get asked(): string | null {
    const asked = this.data.meta[ASKED]
    return typeof asked === 'string' ? asked : null
  }

  /**
   * All or none, in their order; none if others have written or done something since the event.
   * @throws MovedOn; Refused, Unreachable: let them pass, and the event comes again
   */
  async say(...sayings: Saying[]): Promise<void> {
    const messages: MessageInput[] = []
    const first = this.#isSettled ? [] : [command(`/set ${ASKED}`)]
    this.#isSettled = true
    for (const saying of [...first, ...sayings]) {
      const message = messageOf(saying)
      messages.push({ depth: this.depth, ...message, id: message.id ?? (await idOf(this.eventId, this.#sent++)) })
    }
    const { mark } = this.data
    // What the messages of one request do themselves is no news to the later ones.
    if (mark !== undefined && messages[0]) messages[0] = { mark, ...messages[0] }
    await once('SENT_BEFORE', this.request(SendMessagesDocument, { conversation: this.id, messages }))
  }

  /**
   * Has a person decide whether it is said or done: for what the bot's grants let it propose (`NO_GRANT`, with `details.mode`). It takes
   * the place of what the bot proposed before of that kind.
   * @throws MovedOn; Refused, Unreachable: let them pass, and the event comes again
   */
  async propose(saying: Saying): Promise<void> {
    const message = { depth: this.depth, mark: this.data.mark, ...messageOf(saying) }
    const key = await idOf(this.eventId, this.#sent++)
    await once('IDEMPOTENCY_KEY_REUSED', this.request(ProposeDocument, { conversation: this.id, message, key }))
  }

  /**
   * Begins a message that the consumer sees grow, by `write`, until `finish` makes it one; nothing is sent before the first token.
   * Its `signal` aborts when it was stopped, when a person takes over, and when the consumer writes again: give it to the model. An
   * event that comes again says nothing twice: what was finished is known, and what was not is begun anew.
   */
  async stream(message: MessageInput = {}): Promise<ConversationStream> {
    const { mark } = this.data
    const id = message.id ?? (await idOf(this.eventId, this.#sent++))
    const whole: MessageInput = { depth: this.depth, ...(mark !== undefined && { mark }), ...message, id }
    const stream = new ConversationStream({ request: this.request, conversation: this.id, message: whole })
    this.streams.add(stream)
    return stream
  }

  /** Says it, and has the consumer's next message handled by `answers[name]`. */
  async ask(name: string, ...sayings: Saying[]): Promise<void> {
    await this.say(...sayings, command(`/set ${ASKED} ${name}`))
  }

  /** Runs commands (section 4.8), such as `/enqueue` and `/leave`. All or none, in their order. */
  async run(...commands: string[]): Promise<void> {
    await this.say(...commands.map(command))
  }

  /** Texts of the consumer that nobody has answered, the oldest first: of a burst, only the last begins a run. */
  async unanswered(): Promise<string[]> {
    const messages = await this.#messages()
    return messages
      .slice(messages.findLastIndex(isAnswer) + 1)
      .flatMap(({ role, text }) => (role === 'CONTACT' && text ? [text] : []))
  }

  /** Tells whether the consumer has written again: that message has an event of its own. */
  async isOvertaken(message: string): Promise<boolean> {
    return (await this.#messages()).findLast(({ role }) => role === 'CONTACT')?.id !== message
  }

  /**
   * Leaves it to people, with a summary as a note that the consumer does not see: then it is queued for them. Without one it is queued
   * again only if the consumer waits for an answer and nobody else has accepted it. @throws MovedOn, with a summary
   */
  async handOver(summary?: string): Promise<void> {
    if (summary !== undefined)
      return this.say({ type: 'CHAT', text: summary, isBackchannel: true }, command(ENQUEUE), command('/leave'))
    const messages = [{ ...command('/leave'), id: await idOf(this.eventId, this.#sent++) }]
    await this.request(SendMessagesDocument, { conversation: this.id, messages })
  }

  /** Tells whether a person has accepted it, or is to: it was handed over, and nobody has answered since. */
  async isWithPeople(): Promise<boolean> {
    const { participants, messages } = await this.#latest()
    if (participants.some(({ role, accepted }) => accepted && role !== 'BOT')) return true
    const nodes = messages.edges.map(({ node }) => node)
    return nodes
      .slice(nodes.findLastIndex(isAnswer) + 1)
      .some(({ type, text }) => type === 'COMMAND' && text === ENQUEUE)
  }

  async #messages(): Promise<LatestMessage[]> {
    return (await this.#latest()).messages.edges.map(({ node }) => node)
  }

  /** Nothing, once the conversation is gone. */
  async #latest(): Promise<Latest> {
    const { conversation } = await this.request(LatestMessagesDocument, { conversation: this.id })
    return conversation ?? { id: this.id, participants: [], messages: { edges: [] } }
  }

  /** Fills a field of a form. */
  async fill(form: string, key: string, value: string): Promise<void> {
    await this.say({ type: 'FIELD', text: `.${key} ${value}`, meta: { form } })
  }

  /** Runs the handler of an answer, and forgets the question with the first thing that it says, or after it. */
  async answer(handle: () => Promise<void> | void): Promise<void> {
    this.#isSettled = false
    await handle()
    if (!this.#isSettled) await this.say()
  }
}

const ENQUEUE = '/enqueue'

/** Whole: one that was stopped or lost has answered nothing. */
function isAnswer({ role, isBackchannel, ending }: LatestMessage): boolean {
  return role === 'AGENT' && !isBackchannel && ending === null
}

function messageOf(saying: Saying): MessageInput {
  return typeof saying === 'string' ? { type: 'CHAT', role: 'AGENT', text: saying } : saying
}

/**
 * Waits for what an event's run sends. If the event comes again, and something else was sent for it the first time, that stands.
 * @param before reason of that refusal. @throws MovedOn; Refused; Unreachable
 */
async function once(before: string, sending: Promise<unknown>): Promise<void> {
  await sending.catch((error: unknown) => {
    if (!(error instanceof Refused && error.reason === before)) throwHeld(error)
  })
}

function command(text: string): MessageInput {
  return { type: 'COMMAND', text }
}

/** A UUIDv7 that is the same for the same event and number: what is sent again is known to the server. */
async function idOf(eventId: string, number: number): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${eventId} ${number}`))
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'[Number.parseInt(hex[4]!, 16) % 4]!
  return `${eventId.slice(0, 13)}-7${hex.slice(0, 3)}-${variant}${hex.slice(5, 8)}-${hex.slice(8, 20)}`
}
