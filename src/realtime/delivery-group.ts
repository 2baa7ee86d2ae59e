import type { Logger } from 'pino'
import type { Context, LoaderMemory } from '../context.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import { Unavailable } from '../errors.js'
import { writeCursor } from '../events/cursor.js'
import type { Dispatcher, Ephemeral, StreamListener } from '../events/dispatcher.js'
import type { StoredEvent } from '../events/event.js'
import type { LiveEvent, LiveFeed } from '../events/live-feed.js'
import { readHeads } from '../events/streams.js'
import type { Operations } from '../graphql/operations.js'
import type { Metrics } from '../metrics.js'
import { NextFrames } from './frames.js'
import type { LiveDocument } from './live-document.js'
import type { SharedReads } from './shared-reads.js'

/** The number that somebody has of each stream. */
export type StreamNumbers = Map<string, number>

export interface GroupServices {
  database: Database
  dispatcher: Dispatcher
  operations: Operations
  clock: Clock
  log: Logger
  metrics: Metrics
  reads: SharedReads
  recentLoads: LoaderMemory
  epoch: number
}

/** One subscription as its group sees it. */
export interface GroupMember {
  readonly feed: LiveFeed
  /** A context for one execution, of the member's caller. */
  newContext(memory: LoaderMemory): Context
  /** Frames past the position at which the member was attached. */
  deliver(frames: NextFrames): void
  /** Events were lost to it: it needs the state anew. */
  resync(): void
}

/** The state as of exactly these numbers. */
export interface GroupSnapshot {
  numbers: StreamNumbers
  frames(resync: boolean): Promise<NextFrames>
}

/** Events waiting for their execution; past it they are given up for a fresh snapshot. */
const PENDING_MAX = 1_000
const REACH_TRIES = 5
const REACH_RETRY_MS = 200

/**
 * Subscribers with the same document, variables, audience and streams. Each event is executed once and serialised once
 * for all of them, in order. `delivered` moves on together with the frames: a member attached at some instant gets
 * exactly the events past `delivered` of that instant.
 */
export class DeliveryGroup implements StreamListener {
  readonly members = new Set<GroupMember>()
  /** Where the frames written last stand. */
  readonly delivered: StreamNumbers = new Map()
  /** The key of each stream in cursors. */
  readonly keys = new Map<string, number>()
  readonly ready: Promise<void>
  readonly #heard: StreamNumbers = new Map()
  readonly #attached = new Set<GroupMember>()
  #unlisten: (() => void)[] = []
  #tail: Promise<void> = Promise.resolve()
  #pending = 0
  #lost = false
  #stopped = false
  #turnContext: Context | null = null
  #snapshot: Promise<GroupSnapshot> | null = null
  #snapshotBefore: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly services: GroupServices,
    readonly document: LiveDocument,
    /** Sorted. */
    readonly streams: readonly string[],
    readonly key: string,
  ) {
    this.ready = this.#start()
    // Who joins awaits it; nobody may be left to.
    this.ready.catch(() => undefined)
  }

  stop(): void {
    this.#stopped = true
    for (const unlisten of this.#unlisten) unlisten()
    this.#unlisten = []
  }

  /** From now on the member gets every frame. @returns the position that those frames follow */
  attach(member: GroupMember): StreamNumbers {
    this.#attached.add(member)
    return new Map(this.delivered)
  }

  detach(member: GroupMember): void {
    this.#attached.delete(member)
  }

  cursorOf(numbers: StreamNumbers): string {
    const byKey = new Map<number, number>()
    for (const [stream, number] of numbers) byKey.set(this.keys.get(stream)!, number)
    return writeCursor({ epoch: this.services.epoch, numbers: byKey })
  }

  /** Resolves when `delivered` has come to these numbers, which are committed. @throws Unavailable */
  async reach(numbers: StreamNumbers): Promise<void> {
    for (let tries = 0; !this.#stopped; tries += 1) {
      const behind = [...numbers].filter(([stream, number]) => this.#heard.get(stream)! < number)
      await Promise.all(behind.map(([stream, number]) => this.services.dispatcher.reach(stream, number)))
      await this.#settled()
      if ([...numbers].every(([stream, number]) => this.delivered.get(stream)! >= number)) return
      if (tries >= REACH_TRIES) throw new Unavailable('the events cannot be read for the moment; retry')
      await new Promise((resolve) => setTimeout(resolve, REACH_RETRY_MS))
    }
  }

  /**
   * The state, read after this call. Members that ask while one is being read share the next one, so that any number of
   * them arriving together cost two reads.
   */
  snapshot(): Promise<GroupSnapshot> {
    if (!this.#snapshot) {
      const taken = this.#snapshotBefore.then(() => {
        this.#snapshot = null
        return this.#takeSnapshot()
      })
      this.#snapshot = taken
      this.#snapshotBefore = taken.catch(() => undefined)
    }
    return this.#snapshot
  }

  /** Executes the subscription for one event. @param cursor where a client stands that has it */
  async execute(event: LiveEvent, cursor: string, at: Date, ctx = this.#payloadContext()): Promise<NextFrames> {
    const { prepared, field, variables } = this.document
    const result = await prepared.run({ [field]: { ...event, cursor, at } }, ctx, variables)
    const { errors, data } = this.services.operations.answer(ctx, result)
    return new NextFrames(JSON.stringify({ errors, data }))
  }

  onEvent(event: StoredEvent): void {
    this.#heard.set(event.stream, event.number)
    const cursor = this.cursorOf(this.#heard)
    const begun = this.#attached.size > 0 && !this.#lost ? this.#executeStored(event, cursor) : null
    // Awaited in its turn.
    begun?.catch(() => undefined)
    this.#enqueue(async () => {
      // Nobody was there to hear it when it came, and somebody is now.
      const frames = begun ?? (this.#attached.size > 0 ? this.#executeStored(event, cursor) : null)
      this.#deliver(event, await frames)
    })
  }

  onEphemeral(event: Ephemeral): void {
    const cursor = this.cursorOf(this.#heard)
    const at = this.services.clock.now()
    this.#enqueue(async () => {
      if (this.#attached.size === 0) return
      const live = this.#someone().feed.toEphemeral?.(event)
      if (live) this.#send(await this.execute(live, cursor, at))
    })
  }

  onGap(stream: string, next: number): void {
    this.#heard.set(stream, next - 1)
    this.#enqueue(async () => {
      this.delivered.set(stream, next - 1)
      this.#resyncAll()
    })
  }

  async #start(): Promise<void> {
    const { reads, dispatcher } = this.services
    const heads = await reads.madeHeads(this.streams)
    if (this.#stopped) return
    for (const stream of this.streams) {
      const head = heads.get(stream)
      if (!head) throw new Error(`the stream ${stream} has not been made`)
      this.keys.set(stream, head.key)
      this.#unlisten.push(dispatcher.listen(stream, head.head, this))
      // With others listening already this is their position, before or past the head.
      const position = dispatcher.positionOf(stream)!
      this.#heard.set(stream, position)
      this.delivered.set(stream, position)
    }
  }

  /** Ends one task after the other: a slow execution delays this group's events, and only these, in their order. */
  #enqueue(task: () => Promise<void>): void {
    if (this.#lost || this.#pending >= PENDING_MAX) {
      this.#lost = true
      return
    }
    this.#pending += 1
    this.#tail = this.#tail.then(task).then(
      () => this.#taskDone(),
      (error: unknown) => {
        this.services.log.error({ err: error, streams: this.streams }, 'an event could not be delivered')
        // Its number is passed over, and nobody is left without knowing.
        this.#lost = true
        this.#taskDone()
      },
    )
  }

  #taskDone(): void {
    this.#pending -= 1
    if (this.#pending > 0 || !this.#lost) return
    this.#lost = false
    for (const [stream, number] of this.#heard) this.delivered.set(stream, number)
    this.#resyncAll()
  }

  async #settled(): Promise<void> {
    while (this.#pending > 0) await this.#tail
  }

  /** Null for an event that these subscribers do not see. Those of one turn of the event loop load together. */
  async #executeStored(event: StoredEvent, cursor: string): Promise<NextFrames | null> {
    const live = this.#someone().feed.toEvent(event)
    if (!live) return null
    if (!this.#turnContext) {
      this.#turnContext = this.#payloadContext()
      setImmediate(() => {
        this.#turnContext = null
      })
    }
    return this.execute(live, cursor, event.at, this.#turnContext)
  }

  #deliver(event: StoredEvent, frames: NextFrames | null): void {
    this.delivered.set(event.stream, event.number)
    if (!frames || this.#attached.size === 0) return
    this.#send(frames)
    this.#someone().feed.taken?.(event)
    const sinceMs = this.services.clock.now().getTime() - event.at.getTime()
    this.services.metrics.commitToDelivery.observe(Math.max(0, sinceMs) / 1_000)
  }

  #send(frames: NextFrames): void {
    for (const member of this.#attached) member.deliver(frames)
  }

  #resyncAll(): void {
    for (const member of [...this.members]) member.resync()
  }

  async #takeSnapshot(): Promise<GroupSnapshot> {
    const { feed } = this.#someone()
    const { event, numbers } = await this.services.database.snapshot(async (sql) => {
      const heads = await readHeads(sql, this.streams)
      const noted: StreamNumbers = new Map(this.streams.map((stream) => [stream, heads.get(stream)!.head]))
      return { numbers: noted, event: await feed.snapshot(sql) }
    })
    const cursor = this.cursorOf(numbers)
    const at = this.services.clock.now()
    const frames = new Map<boolean, Promise<NextFrames>>()
    return {
      numbers,
      frames: (resync) => {
        let made = frames.get(resync)
        if (!made) frames.set(resync, (made = this.execute({ ...event, resync }, cursor, at)))
        return made
      },
    }
  }

  #payloadContext(): Context {
    return this.#someone().newContext(this.services.recentLoads)
  }

  /** Any member does: what decides what they see is the same for all. */
  #someone(): GroupMember {
    for (const member of this.members) return member
    throw new Unavailable('the subscription has ended')
  }
}
