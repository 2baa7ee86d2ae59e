import {
  AppendMessageDocument,
  BeginMessageDocument,
  FinishMessageDocument,
  StopMessageDocument,
  type FinishMessageMutation,
  type FinishMessageMutationVariables,
  type MessageInput,
} from './generated/operations.js'
import { newId } from './ids.js'
import { pause } from './pause.js'
import { isSpent, passes, Refused, type Request } from './request.js'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** Length of a part; less than the server takes, in whatever script. */
const PART_UNITS_MAX = 4_000
/** Time between two parts: readers see it flow, and each part costs every one of them a frame. */
const PACE_MS = 120
/** Says often enough that more is to come. */
const ALIVE_MS = 5_000

/** The message was stopped, taken over by a person, lost or too long: nothing is added to it any more. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'

  /** The ending, as the server tells: `LOST` may be said anew, all else is over. */
  get ending(): string | null {
    const { cause } = this
    return cause instanceof Refused && typeof cause.details.ending === 'string' ? cause.details.ending : null
  }
}

export interface MessageStreamOptions {
  request: Request
  conversation: string
  /** The message without its text; to the consumer unless its role says otherwise. */
  message?: MessageInput
}

/**
 * A message that its readers see grow. `write` takes tokens as they come, and may be called as often as there are any: one part
 * is sent after the other, at least 120 ms apart, each with what was written meanwhile. A request that fails is sent again, and changes
 * nothing twice.
 */
export class MessageStream {
  readonly #abort = new AbortController()
  /** Aborts when no part has to wait for further tokens. */
  #hurry = new AbortController()
  readonly #options: MessageStreamOptions
  #id: string
  #isOver = false
  #isDone = false
  #begun: Promise<void> | null = null
  #sending: Promise<void> | null = null
  #length = 0
  #waiting = ''
  #sentAt = -Infinity
  #alive: ReturnType<typeof setInterval> | undefined

  constructor(options: MessageStreamOptions) {
    this.#options = options
    this.#id = options.message?.id ?? newId()
  }

  /** Id of the message that it becomes. */
  get id(): string {
    return this.#id
  }

  /** True once it was finished, or the signal has aborted. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Aborts when nothing is added any more: give it to the model, which stops then. Its reason is a `StreamEnded`, or what `abort` was given. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /**
   * Begins it before its first token, for which readers see that an answer is on its way, and by which one knows that it may be sent.
   * @throws Refused, such as `NO_GRANT`, `MOVED_ON`; the signal's reason
   */
  async begin(): Promise<void> {
    await (this.#begun ??= this.#begin())
  }

  /** Adds a token, which may end within a character. @throws the signal's reason once that has aborted */
  write(token: string): void {
    this.signal.throwIfAborted()
    this.#waiting += token
    this.#start()
  }

  /**
   * Makes it the message, once all is stored. @param provenance model, tools and sources: consumers see the sources
   * @throws the signal's reason; Refused, such as `MOVED_ON`
   */
  async finish(
    provenance?: FinishMessageMutationVariables['provenance'],
  ): Promise<FinishMessageMutation['finishMessage']> {
    await this.#begun
    this.#hurry.abort()
    await this.#sending
    this.signal.throwIfAborted()
    const { id } = this
    // More is not to come; if it is finished already, saying so would be refused.
    clearInterval(this.#alive)
    try {
      const { finishMessage } = await this.#repeat(() =>
        this.#options.request(FinishMessageDocument, { id, length: this.#length, provenance }, this.signal),
      )
      this.#isOver = true
      return finishMessage
    } finally {
      // One that is held stays open.
      if (!this.#isOver) this.#keepAlive()
      this.#hurry = new AbortController()
    }
  }

  /** Ends it with what was shown, and aborts the signal. */
  async stop(reason: unknown = new StreamEnded('the message was stopped')): Promise<void> {
    this.#end(reason)
    // What was refused at its beginning is not there to be stopped.
    const hasBegun = await this.#begun?.then(
      () => true,
      () => false,
    )
    if (hasBegun) await this.#options.request(StopMessageDocument, { id: this.id })
  }

  /** Sends what waits, unless that is under way. @param isAlive sends a part even if nothing waits: more is to come */
  #start(isAlive = false): void {
    this.#sending ??= this.#send(isAlive)
    // It is told by `finish`, and by the signal.
    this.#sending.catch(() => undefined)
  }

  async #send(isAlive: boolean): Promise<void> {
    try {
      await (this.#begun ??= this.#begin())
      for (let isDue = isAlive; (isDue || this.#waiting !== '') && !this.#isDone; isDue = false) {
        await this.#pace()
        const text = this.#waiting.slice(0, PART_UNITS_MAX)
        await this.#append(text)
        this.#length += text.length
        this.#waiting = this.#waiting.slice(text.length)
      }
    } finally {
      // In the same moment as nothing waits: what is written from now on starts it again.
      this.#sending = null
    }
  }

  /** Waits until the next part is due. A full one, and the rest of what is finished, is due at once. */
  async #pace(): Promise<void> {
    if (this.#waiting.length < PART_UNITS_MAX)
      await pause(this.#sentAt + PACE_MS - performance.now(), this.#hurry.signal)
    this.signal.throwIfAborted()
    this.#sentAt = performance.now()
  }

  async #begin(): Promise<void> {
    const { request, conversation, message } = this.#options
    const begin = async () => {
      const whole: MessageInput = { role: 'AGENT', ...message, id: this.#id }
      const begun = await this.#repeat(() =>
        request(BeginMessageDocument, { conversation, message: whole }, this.signal),
      )
      return begun.beginMessage!
    }
    const { ending, length } = await begin()
    this.#isDone = ending === 'DONE'
    if (this.#isDone) return
    if (ending !== null || length > 0) {
      // An earlier run has left it, which had other words.
      if (ending === null) await request(StopMessageDocument, { id: this.#id })
      this.#id = newId()
      await begin()
    }
    this.#keepAlive()
  }

  #keepAlive(): void {
    this.#alive = setInterval(() => this.#start(true), ALIVE_MS)
  }

  async #append(text: string): Promise<void> {
    const variables = { id: this.id, offset: this.#length, text }
    await this.#repeat(() => this.#options.request(AppendMessageDocument, variables, this.signal))
  }

  /** Sends a request until it is answered. @throws the signal's reason; Refused */
  async #repeat<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    for (let failures = 0; ; failures++) {
      try {
        return await send()
      } catch (error) {
        this.signal.throwIfAborted()
        if (error instanceof Refused && error.reason === 'STREAM_ENDED')
          throw this.#end(new StreamEnded(error.message, { cause: error }))
        if (!passes(error) || isSpent(error))
          throw error instanceof Refused && error.reason === 'MOVED_ON' ? error : this.#end(error)
        const atLeastMs = error instanceof Refused ? error.retryAfterSeconds * 1_000 : 0
        const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
        await pause(Math.max(atLeastMs, bound * (0.5 + Math.random() / 2)), this.signal)
        this.signal.throwIfAborted()
      }
    }
  }

  #end<Reason>(reason: Reason): Reason {
    clearInterval(this.#alive)
    this.#isOver = true
    this.#abort.abort(reason)
    this.#hurry.abort()
    return reason
  }
}
