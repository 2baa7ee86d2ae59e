import {
  LatestMessagesDocument,
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
  /** @throws MovedOn; StreamEnded */
  override async finish(): ReturnType<MessageStream['finish']> {
    try {
      return await super.finish()
    } catch (error) {
      if (!(error instanceof Refused && error.reason === 'MOVED_ON')) throw error
      const held = new MovedOn(error.message, { cause: error })
      await this.stop(held)
      throw held
    }
  }
}

/** A text to the consumer, or a message. */
export type Saying = string | MessageInput

type LatestMessage = NonNullable<LatestMessagesQuery['conversation']>['messages']['edges'][number]['node']

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
      const message: MessageInput = typeof saying === 'string' ? { type: 'CHAT', role: 'AGENT', text: saying } : saying
      messages.push({ depth: this.depth, ...message, id: message.id ?? (await idOf(this.eventId, this.#sent++)) })
    }
    const { mark } = this.data
    // What the messages of one request do themselves is no news to the later ones.
    if (mark !== undefined && messages[0]) messages[0] = { mark, ...messages[0] }
    try {
      await this.request(SendMessagesDocument, { conversation: this.id, messages })
    } catch (error) {
      if (error instanceof Refused && error.reason === 'MOVED_ON') throw new MovedOn(error.message, { cause: error })
      // The event comes again, and something else was said to it the first time.
      if (!(error instanceof Refused && error.reason === 'SENT_BEFORE')) throw error
    }
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
    const messages = await this.#latest()
    const answered = messages.findLastIndex(({ role, isBackchannel }) => role === 'AGENT' && !isBackchannel)
    return messages.slice(answered + 1).flatMap(({ role, text }) => (role === 'CONTACT' && text ? [text] : []))
  }

  /** Tells whether the consumer has written again: that message has an event of its own. */
  async isOvertaken(message: string): Promise<boolean> {
    return (await this.#latest()).findLast(({ role }) => role === 'CONTACT')?.id !== message
  }

  /** Leaves it to people: queued again if the consumer waits for an answer and nobody else has accepted it. */
  async handOver(): Promise<void> {
    const messages = [{ ...command('/leave'), id: await idOf(this.eventId, this.#sent++) }]
    await this.request(SendMessagesDocument, { conversation: this.id, messages })
  }

  async #latest(): Promise<LatestMessage[]> {
    const { conversation } = await this.request(LatestMessagesDocument, { conversation: this.id })
    return conversation?.messages.edges.map(({ node }) => node) ?? []
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
