import { SendMessagesDocument, type MessageInput } from './generated/operations.js'
import { Refused, type Request } from './request.js'

/** A conversation as webhooks contain it, in its state at the event. */
export interface BotConversationData {
  id: string
  status: string
  name: string
  meta: Record<string, unknown>
}

/** A text to the consumer, or a message. */
export type Saying = string | MessageInput

/** Where `ask` keeps the name of the question that waits. */
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
  ) {}

  get id(): string {
    return this.data.id
  }

  /** Name of the question that waits for an answer; null when none does. */
  get asked(): string | null {
    const asked = this.data.meta[ASKED]
    return typeof asked === 'string' ? asked : null
  }

  /** All or none, in their order. @throws Refused, Unreachable: let them pass, and the event comes again */
  async say(...sayings: Saying[]): Promise<void> {
    const messages: MessageInput[] = []
    const first = this.#isSettled ? [] : [command(`/set ${ASKED}`)]
    this.#isSettled = true
    for (const saying of [...first, ...sayings]) {
      const message: MessageInput = typeof saying === 'string' ? { type: 'CHAT', role: 'AGENT', text: saying } : saying
      messages.push({ ...message, id: message.id ?? (await idOf(this.eventId, this.#sent++)) })
    }
    try {
      await this.request(SendMessagesDocument, { conversation: this.id, messages })
    } catch (error) {
      // The event comes again, and something else was said to it the first time.
      if (!(error instanceof Refused && error.reason === 'sentBefore')) throw error
    }
  }

  /** Says it, and has the consumer's next message handled by `answers[name]`. */
  async ask(name: string, ...sayings: Saying[]): Promise<void> {
    await this.say(...sayings, command(`/set ${ASKED} ${name}`))
  }

  /** Runs commands (section 4.8), such as `/enqueue` and `/leave`. All or none, in their order. */
  async run(...commands: string[]): Promise<void> {
    await this.say(...commands.map(command))
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
