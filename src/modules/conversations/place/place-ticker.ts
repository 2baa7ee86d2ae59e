import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../../../platform/db/clock.js'
import type { Dispatcher } from '../../../platform/events/dispatcher.js'
import { conversationStream } from '../../../platform/events/event.js'
import type { JsonObject } from '../../../platform/json.js'
import type { PlaceReader } from './place-reader.js'
import { isSamePlace, type QueuePlace } from './queue-place.js'

const TICK_MS = 1_000
/** The further back, the rarer: a thousandth place that is a minute old is as good as a new one. */
const PERIOD_MS_MIN = 2_000
const PERIOD_MS_MAX = 60_000
const PERIOD_MS_PER_PLACE = 100
/** Asked for together; the others follow with the next tick, those that have waited longest first. */
const ASKED_MAX = 1_000
/** Keeps counting to a twentieth of the time of a node's connection. */
const PAUSE_PER_READ = 20
/** After a read that failed, however soon: what waits is still due. */
const PAUSE_MS_AFTER_FAILURE = 5_000

export const PLACE_CHANGED = 'place'

interface Watch {
  conversation: string
  /** Place that its subscriber was sent last; undefined: none yet. */
  told: QueuePlace | null | undefined
  dueAt: number
}

interface Center {
  watches: Map<string, Set<Watch>>
  isReading: boolean
  /** The end of the pause after the last read: until then it is kept, also if nobody watches any more. */
  notBefore: number
}

export interface PlaceTickerOptions {
  places: Pick<PlaceReader, 'readAll'>
  dispatcher: Pick<Dispatcher, 'ephemeral'>
  log: Pick<Logger, 'warn'>
  clock: Pick<Clock, 'pace'>
  /** Called with the number of conversations asked for, and of the frames sent. */
  observe?: (asked: number, sent: number) => void
}

/**
 * Sends consumers of this node their place in line, if it has changed: at most every 2 seconds (`PERIOD_MS_MIN`), and
 * less often further back; sooner when their own conversation changes. Nothing is stored, and an accept does nothing
 * for it: what follows from a hundred accepts is sent together.
 */
export class PlaceTicker {
  readonly #centers = new Map<string, Center>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly options: PlaceTickerOptions) {}

  /** Begins to send the place of a conversation: the current one first. @returns a function that ends it */
  watch(tenant: string, conversation: string): () => void {
    const center = this.#centers.get(tenant) ?? { watches: new Map(), isReading: false, notBefore: 0 }
    this.#centers.set(tenant, center)
    const watch: Watch = { conversation, told: undefined, dueAt: 0 }
    const all = center.watches.get(conversation) ?? new Set()
    center.watches.set(conversation, all.add(watch))
    this.#timer ??= setInterval(() => this.#tickAll(), pacedMs(this.options.clock, TICK_MS)).unref()
    return () => {
      if (!all.delete(watch) || all.size > 0) return
      if (center.watches.get(conversation) === all) center.watches.delete(conversation)
    }
  }

  /** The conversation has changed: it may wait now, or no longer. */
  hasten(tenant: string, conversation: string): void {
    for (const watch of this.#centers.get(tenant)?.watches.get(conversation) ?? []) watch.dueAt = 0
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  #tickAll(): void {
    const now = performance.now()
    for (const [tenant, center] of this.#centers) {
      if (center.isReading || now < center.notBefore) continue
      // Not sooner: who closes and opens again would not have to pause.
      if (center.watches.size === 0) this.#centers.delete(tenant)
      else void this.#tick(tenant, center, now)
    }
    if (this.#centers.size === 0) this.stop()
  }

  async #tick(tenant: string, center: Center, now: number): Promise<void> {
    const due = dueAmong(center, now)
    if (due.length === 0) return
    const asked = due.flatMap((conversation) => [...center.watches.get(conversation)!])
    // A watch that is hastened, or begun, while places are counted is due once more: the count may be of before.
    for (const watch of asked) watch.dueAt = Infinity
    center.isReading = true
    let pauseMs = PAUSE_MS_AFTER_FAILURE
    try {
      const places = await this.options.places.readAll(tenant, due)
      pauseMs = 0
      let sent = 0
      for (const [index, conversation] of due.entries()) if (this.#tell(center, conversation, places[index]!)) sent++
      this.options.observe?.(due.length, sent)
    } catch (error) {
      this.options.log.warn({ err: error, organization: tenant }, 'failed to read places in line')
      for (const watch of asked) watch.dueAt = 0
    } finally {
      const took = performance.now() - now
      center.notBefore = now + Math.max(pauseMs, took * PAUSE_PER_READ)
      center.isReading = false
    }
  }

  /** @returns whether it was sent */
  #tell(center: Center, conversation: string, place: QueuePlace | null): boolean {
    const watches = [...(center.watches.get(conversation) ?? [])]
    const isNews = watches.some(({ told }) => told === undefined || !isSamePlace(told, place))
    const dueAt = performance.now() + pacedMs(this.options.clock, periodOf(place))
    for (const watch of watches) {
      watch.told = place
      if (watch.dueAt === Infinity) watch.dueAt = dueAt
    }
    if (!isNews) return false
    const data: object = { place }
    this.options.dispatcher.ephemeral({
      stream: conversationStream(conversation),
      type: PLACE_CHANGED,
      data: data as JsonObject,
    })
    return true
  }
}

/** One who does not wait in line is asked for seldom: what queues a conversation hastens it. */
function periodOf(place: QueuePlace | null): number {
  if (!place?.position) return PERIOD_MS_MAX
  return Math.min(PERIOD_MS_MAX, Math.max(PERIOD_MS_MIN, place.position * PERIOD_MS_PER_PLACE))
}

function dueAmong({ watches }: Center, now: number): string[] {
  const due: { conversation: string; dueAt: number }[] = []
  for (const [conversation, all] of watches) {
    const dueAt = Math.min(...[...all].map((watch) => watch.dueAt))
    if (dueAt <= now) due.push({ conversation, dueAt })
  }
  if (due.length > ASKED_MAX) due.sort((one, other) => one.dueAt - other.dueAt)
  return due.slice(0, ASKED_MAX).map(({ conversation }) => conversation)
}
