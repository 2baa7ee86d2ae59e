import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { BadUserInput, Unavailable } from '../../../platform/errors.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { textOf } from '../sending/end-stream.js'
import { STREAM_BYTES_MAX, type OpenStream } from '../state/message-stream.js'
import { readOwnStream } from './finish-stream.js'
import { AGE_MS_MAX } from './lapse.js'
import { readStream } from './read-streams.js'
import { streamEnded, streamNotFound, tooManyStreams, wrongOffset } from './stream-errors.js'
import { frameOf } from './stream-frame.js'
import type { StreamRelay } from './stream-relay.js'

/** Parts within this time are stored together, with those of all streams of this node. */
const GATHER_MS = 50
/** Streams whose parts one statement stores; tenants take turns in it. */
const STREAMS_MAX = 250
const PARTS_PER_SECOND = 20
const PART_BYTES_MAX = 16_384
/** A part whose stream stays locked is refused after this time. */
const WAIT_MS_MAX = 10_000
/** Streams that are known without being read, and how long after they were: longer than any is open. */
const KNOWN_MAX = 10_000
const KNOWN_MS = AGE_MS_MAX + 60_000

interface Part {
  offset: number
  text: string
  since: number
  resolve(length: number): void
  reject(error: unknown): void
}

interface Known {
  stream: OpenStream
  readAt: number
  /** Parts that may be added now, see `PARTS_PER_SECOND`. */
  allowed: number
  allowedAt: number
  waiting: Part[]
}

export interface StreamAppenderOptions {
  sql: Sql
  clock: Clock
  log: Logger
  relay: StreamRelay
  /** Ends a stream that would become too long. */
  end(stream: OpenStream, ending: Exclude<StreamEnding, 'done'>): Promise<unknown>
}

/**
 * Adds to the texts of streams, outside the writer: what arrives within 50 ms, of whatever stream, is stored by one statement
 * and shown when that is committed. A first part does not wait. A stream whose row is locked is passed over and tried again, so
 * that this waits for no lock, and nobody who has locked a conversation for this.
 */
export class StreamAppender {
  readonly #known = new Map<string, Known>()
  readonly #waiting = new Set<Known>()
  #timer: NodeJS.Timeout | null = null
  #isStoring = false
  #storedAt = -Infinity

  constructor(private readonly options: StreamAppenderOptions) {}

  /**
   * Adds a part. A repeat of what is there is answered. An empty part says that the author is still there.
   * @param offset where it begins, in UTF-16 units; it may be in the middle of a character
   * @returns the length of the text, which is stored by now
   * @throws Unprocessable with the length, or the ending; RateLimited; NotFound; Forbidden; BadUserInput
   */
  async append(ctx: Context, id: string, offset: number, text: string): Promise<number> {
    if (offset < 0) throw new BadUserInput('offset', `offset must not be negative, not ${offset}`)
    const bytes = Buffer.byteLength(text)
    if (bytes > PART_BYTES_MAX)
      throw new BadUserInput('text', `text has ${bytes} bytes; at most ${PART_BYTES_MAX} are allowed in a part`)
    if (text.includes('\0')) throw new BadUserInput('text', 'text must not contain the character U+0000')
    const known = await this.#find(ctx, id)
    takeTurn(known)
    return new Promise((resolve, reject) => {
      known.waiting.push({ offset, text, since: performance.now(), resolve, reject })
      this.#waiting.add(known)
      this.#schedule()
    })
  }

  /** Forgets a stream that has ended. */
  forget(id: string): void {
    this.#known.delete(id)
  }

  /** Number of streams that are known without being read. */
  get known(): number {
    return this.#known.size
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    for (const { waiting } of this.#waiting) {
      for (const part of waiting.splice(0)) part.reject(new Unavailable('the server is stopping: try again'))
    }
  }

  async #find(ctx: Context, id: string): Promise<Known> {
    const isOwn = (known: Known | undefined): known is Known =>
      known !== undefined && ctx.maybeCaller?.kind === 'user' && known.stream.userId === ctx.userCaller.user
    const known = this.#known.get(id.toLowerCase())
    if (isOwn(known)) return known
    const { ending, length, ...stream } = await readOwnStream(ctx, id)
    if (ending) throw streamEnded(ending, length)
    // Several may have read it at the same time.
    const meanwhile = this.#known.get(stream.id)
    if (isOwn(meanwhile)) return meanwhile
    const found: Known = {
      stream: { ...stream, length },
      readAt: performance.now(),
      allowed: PARTS_PER_SECOND,
      allowedAt: performance.now(),
      waiting: [],
    }
    for (const [oldest, { readAt }] of this.#known) {
      // Ended on another node, or by a crash.
      if (this.#known.size < KNOWN_MAX && performance.now() - readAt < KNOWN_MS) break
      this.#known.delete(oldest)
    }
    this.#known.set(stream.id, found)
    return found
  }

  #schedule(): void {
    if (this.#isStoring || this.#timer || this.#waiting.size === 0) return
    const waitMs = Math.max(0, this.#storedAt + GATHER_MS - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#store()
    }, waitMs)
  }

  async #store(): Promise<void> {
    this.#isStoring = true
    this.#storedAt = performance.now()
    const taken = inTurns(oncePerStream(this.#waiting)).map((known) => ({ known, ...takeParts(known) }))
    for (const { known } of taken) if (known.waiting.length === 0) this.#waiting.delete(known)
    try {
      const lengths = await this.#write(taken)
      await Promise.all(taken.map((run) => this.#settle(run, lengths.get(run.known.stream.id))))
    } catch (error) {
      this.options.log.warn({ err: error }, 'failed to store parts of messages that are being written')
      const unavailable = new Unavailable('the database is temporarily unavailable: try again', { cause: error })
      for (const { parts } of taken) for (const part of parts) part.reject(unavailable)
    } finally {
      this.#isStoring = false
      this.#schedule()
    }
  }

  /** @returns the lengths of the streams to which something was added */
  async #write(runs: readonly Run[]): Promise<Map<string, number>> {
    const rows = await this.options.sql.query<{ id: string; length: number }>(
      APPEND,
      [
        runs.map(({ known }) => known.stream.id),
        runs.map(({ offset }) => offset),
        runs.map(({ text }) => text.length),
        runs.map(({ text }) => Buffer.byteLength(text)),
        runs.map(({ text }) => JSON.stringify(text)),
        this.options.clock.now(),
      ],
      'append-parts',
    )
    return new Map(rows.map(({ id, length }) => [id, length]))
  }

  async #settle(run: Run, length: number | undefined): Promise<void> {
    const { known, parts, offset, text } = run
    if (length !== undefined) {
      this.options.relay.show(frameOf(known.stream, { offset, text, ending: null }))
      for (const part of parts) part.resolve(part.offset + part.text.length)
      return
    }
    for (const part of parts) {
      try {
        const answer = await this.#explain(known.stream, part)
        if (answer !== null) part.resolve(answer)
        else if (performance.now() - part.since > WAIT_MS_MAX) throw new Unavailable('the stream is busy: try again')
        else {
          known.waiting.push(part)
          this.#waiting.add(known)
        }
      } catch (error) {
        part.reject(error)
      }
    }
  }

  /**
   * Finds why a part was not added. @returns the length if it was there before; null if it is to be tried again
   * @throws Unprocessable; NotFound
   */
  async #explain({ id }: OpenStream, { offset, text }: Part): Promise<number | null> {
    const { sql } = this.options
    const stream = await readStream(sql, id)
    if (!stream) this.#known.delete(id)
    if (!stream) throw streamNotFound()
    const { length, bytes, ending } = stream
    if (ending) this.#known.delete(id)
    if (ending) throw streamEnded(ending, length)
    if (offset === length) {
      if (bytes + Buffer.byteLength(text) <= STREAM_BYTES_MAX) return null
      await this.options.end(stream, 'limit')
      throw streamEnded('limit', length)
    }
    const end = offset + text.length
    if (end <= length) {
      const stored = textOf(await sql.query<{ text: string }>(PARTS, [id], 'parts-of-open-stream'))
      if (stored.slice(offset, end) === text) return length
    }
    throw wrongOffset('offset', offset, length)
  }
}

/** Parts of a stream that follow each other, and are stored as one. */
interface Run {
  known: Known
  parts: Part[]
  offset: number
  text: string
}

function takeParts({ waiting }: Known): Omit<Run, 'known'> {
  const { offset } = waiting[0]!
  let text = ''
  let count = 0
  for (const part of waiting) {
    if (part.offset !== offset + text.length || Buffer.byteLength(text + part.text) > PART_BYTES_MAX) break
    text += part.text
    count += 1
  }
  return { parts: waiting.splice(0, count), offset, text }
}

/** A stream that was forgotten and read again while parts of it waited is stored by one run at a time. */
function oncePerStream(waiting: Iterable<Known>): Known[] {
  const first = new Map<string, Known>()
  for (const known of waiting) if (!first.has(known.stream.id)) first.set(known.stream.id, known)
  return [...first.values()]
}

/** Takes one stream of each tenant after the other, up to as many as one statement stores. */
function inTurns(waiting: readonly Known[]): Known[] {
  if (waiting.length <= STREAMS_MAX) return [...waiting]
  const byTenant = [...Map.groupBy(waiting, ({ stream }) => stream.org1).values()]
  const taken: Known[] = []
  for (let turn = 0; taken.length < STREAMS_MAX; turn += 1)
    taken.push(...byTenant.flatMap((streams) => streams[turn] ?? []))
  return taken.slice(0, STREAMS_MAX)
}

/** @throws RateLimited */
function takeTurn(known: Known): void {
  const now = performance.now()
  const refilled = known.allowed + ((now - known.allowedAt) / 1_000) * PARTS_PER_SECOND
  known.allowed = Math.min(PARTS_PER_SECOND, refilled)
  known.allowedAt = now
  if (known.allowed < 1) throw tooManyStreams(`${PARTS_PER_SECOND} parts were added in a second: send longer ones`)
  known.allowed -= 1
}

/** The rows are locked in their order, without waiting; a row that has changed since is seen as it is now. */
const APPEND = `
with given as materialized (
  select * from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::text[]) as g(id, at, units, bytes, text)
), free as materialized (
  select s.id from message_stream s where s.id = any($1::uuid[]) order by s.id for no key update skip locked
), grown as (
  update message_stream s set length = s.length + g.units, bytes = s.bytes + g.bytes, touched_at = $6,
    first_text_at = coalesce(s.first_text_at, case when g.units > 0 then $6::timestamptz end)
  from given g join free f on f.id = g.id
  where s.id = g.id and s.length = g.at and s.ending is null and s.bytes + g.bytes <= ${STREAM_BYTES_MAX}
  returning s.id, s.length, g.at, g.units, g.text
), stored as (
  insert into message_stream_part (stream_id, at, text) select id, at, text from grown where units > 0
)
select id, length from grown`
const PARTS = 'select text from message_stream_part where stream_id = $1 order by at'
