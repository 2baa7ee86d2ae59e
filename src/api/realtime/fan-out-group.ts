import type { Logger } from 'pino'
import type { Context, LoaderMemory } from '../../platform/context.js'
import type { MaskedKind } from '../../platform/masking/masker.js'
import type { Clock } from '../../platform/db/clock.js'
import { Unavailable } from '../../platform/errors.js'
import { writeCursor } from '../../platform/events/cursor.js'
import type { Dispatcher, Ephemeral, StreamListener } from '../../platform/events/dispatcher.js'
import { positionOf, type StoredEvent, type StreamPosition } from '../../platform/events/event.js'
import type { LiveEvent, LiveFeed } from '../../platform/events/live-feed.js'
import type { StreamHead } from '../../platform/events/streams.js'
import type { Operations } from '../graphql/operations.js'
import type { Metrics } from '../../platform/metrics.js'
import { inFanOutSpan } from './fan-out-span.js'
import { NextFrames } from './frames.js'
import { NextSnapshot, pagesOf, readState, type GroupSnapshot, type Positions } from './group-snapshot.js'
import type { LiveDocument } from './live-document.js'
import type { SharedReads } from './shared-reads.js'

export interface GroupServices {
  dispatcher: Dispatcher
  operations: Operations
  clock: Clock
  log: Logger
  metrics: Metrics
  reads: SharedReads
  loaderCache: LoaderMemory
}

/** A subscription, as seen by its group. */
export interface GroupMember {
  readonly feed: LiveFeed
  /** Identifies the member's caller. */
  readonly callerKey: string | null
  /** True if contacts are kept from its caller. */
  readonly hidesContacts: boolean
  /** Kinds that are masked for its caller; null for none. */
  readonly mask: readonly MaskedKind[] | null
  /** Creates a context for one execution, with the member's caller. */
  newContext(memory: LoaderMemory): Context
  /** Delivers frames after the position at which the member was attached. */
  deliver(frames: NextFrames): void
  /** The member missed events and needs a new snapshot. */
  resync(): void
  /** The streams that its feed follows may have changed. */
  reconsider(): void
  /** The last event has been delivered. */
  complete(): void
}

/** Cursor without streams: resuming from it gives a fresh snapshot. */
const UNFINISHED = writeCursor(new Map())

/** Events waiting for their execution; beyond that they are dropped in favour of a fresh snapshot. */
const PENDING_MAX = 1_000
const REACH_TRIES = 5
const REACH_RETRY_MS = 200

/** The members that every event has, see `StreamEvent`. */
export interface EventMark {
  cursor: string
  at: Date
  isStored: boolean
}

/**
 * Subscribers with the same document, variables, audience and streams. Each event is executed and serialized once for
 * all of them, in order. `delivered` advances together with the frames: a member attached at some moment gets exactly
 * the events after `delivered` at that moment.
 */
export class FanOutGroup implements StreamListener {
  readonly members = new Set<GroupMember>()
  /** Position after the last delivered frames. */
  readonly delivered: Positions = new Map()
  /** The key of each stream in cursors. */
  readonly keys = new Map<string, number>()
  readonly ready: Promise<void>
  readonly #received: Positions = new Map()
  readonly #attached = new Set<GroupMember>()
  #unlisten: (() => void)[] = []
  #tail: Promise<void> = Promise.resolve()
  #pending = 0
  #lost = false
  #breaks = 0
  #stopped = false
  #turnContext: Context | null = null
  readonly #snapshots = new NextSnapshot(() => this.#takeSnapshot())

  constructor(
    readonly services: GroupServices,
    readonly document: LiveDocument,
    /** Sorted. */
    readonly streams: readonly string[],
    readonly key: string,
  ) {
    this.ready = this.#start()
    // Joining members await it; the handler prevents an unhandled rejection if there are none.
    this.ready.catch(() => undefined)
  }

  stop(): void {
    this.#stopped = true
    for (const unlisten of this.#unlisten) unlisten()
    this.#unlisten = []
  }

  /** Attaches the member, which gets every frame from now on. @returns the position that those frames follow */
  attach(member: GroupMember): Positions {
    this.#attached.add(member)
    return new Map(this.delivered)
  }

  detach(member: GroupMember): void {
    this.#attached.delete(member)
  }

  cursorOf(positions: Positions): string {
    const byKey = new Map<number, StreamPosition>()
    for (const [stream, position] of positions) byKey.set(this.keys.get(stream)!, position)
    return writeCursor(byKey)
  }

  /** Resolves when `delivered` has reached these committed positions, or the history has broken. @throws Unavailable */
  async reach(positions: Positions): Promise<void> {
    const breaks = this.#breaks
    for (let tries = 0; !this.#stopped; tries += 1) {
      const behind = [...positions].filter(([stream, { number }]) => this.#received.get(stream)!.number < number)
      await Promise.all(behind.map(([stream, { number }]) => this.services.dispatcher.reach(stream, number)))
      await this.#settled()
      if (this.#breaks > breaks) return
      if ([...positions].every(([stream, { number }]) => this.delivered.get(stream)!.number >= number)) return
      if (tries >= REACH_TRIES) throw new Unavailable('events are temporarily unavailable; retry')
      await new Promise((resolve) => setTimeout(resolve, REACH_RETRY_MS))
    }
  }

  /** Compares the delivered position with the database's current history; members are notified of a break. */
  async verify(): Promise<void> {
    await Promise.all(this.streams.map((stream) => this.services.dispatcher.verify(stream)))
    await this.#settled()
  }

  /** Returns the state, read after this call, once for all members that ask in the meantime. */
  snapshot(): Promise<GroupSnapshot> {
    return this.#snapshots.take()
  }

  /** Executes the subscription for one event. @param mark.cursor position of a client that has received it */
  async execute(event: LiveEvent, mark: EventMark, ctx = this.#payloadContext()): Promise<NextFrames> {
    const { prepared, field, variables } = this.document
    const result = await prepared.run({ [field]: { ...event, ...mark } }, ctx, variables)
    const { errors, data } = this.services.operations.answer(ctx, result)
    return new NextFrames(JSON.stringify({ errors, data }), mark.cursor, event.isPart)
  }

  /** Tells whether anything of the event would be sent: parts are for documents that select them. */
  #shows({ __typename, isPart }: LiveEvent): boolean {
    // A part may end within what is masked.
    return isPart === undefined || (this.document.types.has(__typename) && !this.#someone().mask)
  }

  /** Executes what only one member needs, at the position after the last delivered frames. */
  async executeOwn(events: readonly LiveEvent[]): Promise<NextFrames[]> {
    const mark = { cursor: this.cursorOf(this.delivered), at: this.services.clock.now(), isStored: false }
    return Promise.all(events.map((event) => this.execute(event, mark)))
  }

  onEvent(event: StoredEvent): void {
    this.#received.set(event.stream, positionOf(event))
    const cursor = this.cursorOf(this.#received)
    const begun = this.#attached.size > 0 && !this.#lost ? this.#executeStored(event, cursor) : null
    // Awaited when its turn comes.
    begun?.catch(() => undefined)
    this.#enqueue(async () => {
      // Without members, the event is skipped at once: a member that attaches meanwhile would wait for it.
      if (!begun && this.#attached.size === 0) return this.#pass(event)
      // There was no member when the event arrived, but there is one now.
      this.#deliver(event, await (begun ?? this.#executeStored(event, cursor)))
    })
  }

  onEphemeral(event: Ephemeral): void {
    const cursor = this.cursorOf(this.#received)
    const at = this.services.clock.now()
    this.#enqueue(async () => {
      if (this.#attached.size === 0) return
      const live = this.#someone().feed.toEphemeral?.(event)
      if (live && this.#shows(live)) this.#send(await this.execute(live, { cursor, at, isStored: false }))
    })
  }

  onBreak(stream: string, position: StreamPosition): void {
    this.#breaks += 1
    this.#received.set(stream, position)
    this.#enqueue(async () => {
      this.delivered.set(stream, position)
      this.#resyncAll('history')
    })
  }

  async #start(): Promise<void> {
    const { reads, dispatcher } = this.services
    const heads = await reads.madeHeads(this.streams)
    if (this.#stopped) return
    this.#noteKeys(heads)
    for (const stream of this.streams) {
      this.#unlisten.push(dispatcher.listen(stream, heads.get(stream)!.head, this))
      // If others already listen this is their position, before or after the head.
      const position = dispatcher.positionOf(stream)!
      this.#received.set(stream, position)
      this.delivered.set(stream, position)
    }
  }

  #noteKeys(heads: ReadonlyMap<string, StreamHead>): void {
    for (const stream of this.streams) {
      const head = heads.get(stream)
      if (!head) throw new Error(`the stream ${stream} has not been created`)
      this.keys.set(stream, head.key)
    }
  }

  /** Runs one task after the other: a slow execution delays only this group's events, and keeps their order. */
  #enqueue(task: () => Promise<void>): void {
    if (this.#lost || this.#pending >= PENDING_MAX) {
      this.#lost = true
      return
    }
    this.#pending += 1
    this.#tail = this.#tail.then(task).then(
      () => this.#taskDone(),
      (error: unknown) => {
        this.services.log.error({ err: error, streams: this.streams }, 'failed to deliver an event')
        // Its number is skipped, and every member resynchronizes.
        this.#lost = true
        this.#taskDone()
      },
    )
  }

  #taskDone(): void {
    this.#pending -= 1
    if (this.#pending > 0 || !this.#lost) return
    this.#lost = false
    for (const [stream, position] of this.#received) this.delivered.set(stream, position)
    this.#resyncAll('delivery')
  }

  async #settled(): Promise<void> {
    while (this.#pending > 0) await this.#tail
  }

  /** Returns null for an event that these subscribers do not see. Events of one tick share their loads. */
  async #executeStored(event: StoredEvent, cursor: string): Promise<NextFrames | null> {
    const live = this.#someone().feed.toEvent(event)
    if (!live) return null
    if (!this.#turnContext) setImmediate(() => (this.#turnContext = null))
    const ctx = (this.#turnContext ??= this.#payloadContext())
    return inFanOutSpan(event, this.#attached.size, () =>
      this.execute(live, { cursor, at: event.at, isStored: true }, ctx),
    )
  }

  #pass(event: StoredEvent): void {
    this.delivered.set(event.stream, positionOf(event))
  }

  #deliver(event: StoredEvent, frames: NextFrames | null): void {
    this.#pass(event)
    if (!frames || this.#attached.size === 0) return
    this.#send(frames)
    const { feed } = this.#someone()
    feed.taken?.(event)
    if (feed.isLast?.(event)) for (const member of [...this.#attached]) member.complete()
    else if (feed.movesOn?.(event)) for (const member of [...this.members]) member.reconsider()
    const sinceMs = this.services.clock.now().getTime() - event.at.getTime()
    this.services.metrics.commitToDelivery.observe(Math.max(0, sinceMs) / 1_000)
  }

  #send(frames: NextFrames): void {
    for (const member of this.#attached) member.deliver(frames)
  }

  #resyncAll(cause: 'history' | 'delivery'): void {
    this.services.metrics.resyncs.inc({ cause }, this.members.size)
    for (const member of [...this.members]) member.resync()
  }

  async #takeSnapshot(): Promise<GroupSnapshot> {
    const { feed } = this.#someone()
    const ctx = this.#payloadContext()
    const { event, heads } = await readState(this.services.reads, this.streams, { ctx, feed })
    // After a restore of the database the keys may differ.
    this.#noteKeys(heads)
    const positions: Positions = new Map([...heads].map(([stream, { head }]) => [stream, head]))
    const cursor = this.cursorOf(positions)
    const at = this.services.clock.now()
    const pages = pagesOf(event, feed.pages)
    const frames = new Map<string, Promise<NextFrames>>()
    return {
      positions,
      pageCount: pages.length,
      page: (index, resync) => {
        const key = index === 0 ? `0 ${resync}` : String(index)
        let made = frames.get(key)
        if (!made) {
          const snapshot = index === 0 ? { ...pages[0]!, resync } : pages[index]!
          // A client with only some of the parts cannot resume from them.
          const isLast = index === pages.length - 1
          const mark = { cursor: isLast ? cursor : UNFINISHED, at, isStored: false }
          frames.set(key, (made = this.execute(snapshot, mark)))
        }
        return made
      },
    }
  }

  #payloadContext(): Context {
    return this.#someone().newContext(this.services.loaderCache)
  }

  /** Returns any member: everything that determines what they see is equal. */
  #someone(): GroupMember {
    for (const member of this.members) return member
    throw new Unavailable('the subscription has ended')
  }
}
