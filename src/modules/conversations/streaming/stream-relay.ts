import type { Logger } from 'pino'
import type { Sql } from '../../../platform/db/database.js'
import type { Dispatcher } from '../../../platform/events/dispatcher.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { readOpenLengths, readOpenStreams, readStream } from './read-streams.js'
import { ephemeralOf, frameIn, frameOf, type ShownStream, type StreamFrame } from './stream-frame.js'

const CHECK_MS = 1_000

/** The progress of this node's readers in a stream. */
interface Progress {
  stream: ShownStream
  length: number
}

/**
 * Shows stored parts of streams to the readers of all nodes. Redis brings them; what it loses, or all of it where there is
 * none, is read once a second for the conversations that somebody watches here.
 */
export class StreamRelay {
  readonly #watched = new Map<string, number>()
  readonly #shown = new Map<string, Progress>()
  #timer: NodeJS.Timeout | null = null
  #isChecking = false

  constructor(private readonly options: { dispatcher: Dispatcher; sql: Sql; log: Logger }) {
    options.dispatcher.onEphemeral((event) => {
      const frame = frameIn(event)
      if (frame && this.#watched.has(frame.conversationId)) this.#note(frame)
    })
  }

  start(): void {
    this.#timer = setInterval(() => void this.check(), CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  /** Shows what has been stored. */
  show(frame: StreamFrame): void {
    this.options.dispatcher.publishEphemeral(ephemeralOf(frame))
  }

  /** Remembers a stream that a reader here was told of alone, to tell its end; what others have read of it is not known. */
  learn(stream: ShownStream): void {
    if (this.#watched.has(stream.conversationId) && !this.#shown.has(stream.id))
      this.#shown.set(stream.id, { stream, length: 0 })
  }

  /** Keeps the readers of a conversation up to date. @returns how to stop */
  watch(conversation: string): () => void {
    this.#watched.set(conversation, (this.#watched.get(conversation) ?? 0) + 1)
    return () => {
      const left = this.#watched.get(conversation)! - 1
      if (left > 0) return void this.#watched.set(conversation, left)
      this.#watched.delete(conversation)
      for (const [id, { stream }] of this.#shown) if (stream.conversationId === conversation) this.#shown.delete(id)
    }
  }

  #note({ offset, text, ending, ...stream }: StreamFrame): void {
    const { id } = stream
    if (ending) return void this.#shown.delete(id)
    const known = this.#shown.get(id)?.length ?? 0
    // After a gap it stands still, until the check has closed it.
    if (offset <= known) this.#shown.set(id, { stream, length: Math.max(known, offset + text.length) })
  }

  /** Shows what readers here have not been shown, and the ends that they have not been told. */
  async check(): Promise<void> {
    if (this.#isChecking || this.#watched.size === 0) return
    this.#isChecking = true
    try {
      // Before it is read: what begins meanwhile must not look as if it had ended.
      const before = [...this.#shown]
      const { sql } = this.options
      const open = await readOpenLengths(sql, [...this.#watched.keys()])
      const ids = new Set(open.map(({ id }) => id))
      for (const [id, { stream }] of before) if (!ids.has(id)) await this.#tellEnd(id, stream)
      // Texts are read where something is missing: with Redis, seldom.
      const missed = open.filter(({ id, length }) => (this.#shown.get(id)?.length ?? -1) < length)
      if (missed.length === 0) return
      const whole = await readOpenStreams(sql, [...new Set(missed.map(({ conversationId }) => conversationId))])
      for (const { text, ...stream } of whole) {
        const offset = this.#shown.get(stream.id)?.length
        if (!this.#watched.has(stream.conversationId) || (offset ?? -1) >= text.length) continue
        this.#showHere(frameOf(stream, { offset: offset ?? 0, text: text.slice(offset ?? 0), ending: null }))
      }
    } catch (error) {
      this.options.log.warn({ err: error }, 'failed to look for parts of messages that are being written')
    } finally {
      this.#isChecking = false
    }
  }

  async #tellEnd(id: string, stream: ShownStream): Promise<void> {
    const { length } = this.#shown.get(id) ?? {}
    if (length === undefined) return
    // Of a conversation that is gone there is no row.
    const ending: StreamEnding = (await readStream(this.options.sql, id))?.ending ?? 'stopped'
    this.#showHere({ ...stream, offset: length, text: '', ending })
  }

  #showHere(frame: StreamFrame): void {
    this.options.dispatcher.ephemeral(ephemeralOf(frame))
  }
}
