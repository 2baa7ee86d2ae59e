import { hidesContacts, maskOf } from '../../platform/access/caller.js'
import type { MaskedKind } from '../../platform/masking/masker.js'
import type { Context, LoaderMemory } from '../../platform/context.js'
import type { LoopTurns } from '../../platform/fairness/loop-turns.js'
import { readCursor } from '../../platform/events/cursor.js'
import { follows, isSamePosition, positionOf } from '../../platform/events/event.js'
import type { LiveFeed } from '../../platform/events/live-feed.js'
import type { FanOutGroup, GroupMember } from './fan-out-group.js'
import type { Positions } from './group-snapshot.js'
import type { FanOutGroups } from './fan-out-groups.js'
import { encodeId, type EncodedId, type NextFrames } from './frames.js'
import type { LiveDocument } from './live-document.js'
import type { LiveSocket } from './live-socket.js'
import type { SharedReads } from './shared-reads.js'

export interface StreamMemberOptions {
  groups: FanOutGroups
  reads: SharedReads
  /** Slices of the event loop for subscriptions that begin. */
  turns: LoopTurns
  socket: LiveSocket
  id: string
  document: LiveDocument
  feed: LiveFeed
  newContext: (memory: LoaderMemory) => Context
  /** The streams that the feed follows may have changed. */
  reconsider: () => void
  /** The last event has been sent. */
  completed: () => void
  /** Following the streams has failed permanently. */
  failed: (error: unknown) => void
  /** The initial state is sent, and events follow. */
  live: () => void
}

/** A client with this much of a backlog gets no parts, then the whole. */
const PARTS_BACKLOG_BYTES = 65_536
/** A replay with more events than this does not buffer concurrent ones; it reads them from the log too. */
const HELD_EVENTS_MAX = 200
const REPLAY_BATCH = 100

/**
 * Brings one subscriber from its start, a cursor or a snapshot, to the position of its group, and keeps it there.
 *
 * The start is a position: the last event seen of each stream. The group is brought to that position or past it; the
 * member is attached, and frames of the group are buffered; the events between the two positions are read from the log;
 * the buffered frames follow; from then on frames go directly to the socket. So each event after the start is delivered
 * exactly once, whatever commits in the meantime. If the position does not belong to the database's current history, it
 * starts again with a snapshot.
 */
export class GroupSubscriber implements GroupMember {
  readonly feed: LiveFeed
  readonly callerKey: string | null
  readonly hidesContacts: boolean
  readonly mask: readonly MaskedKind[] | null
  readonly newContext: (memory: LoaderMemory) => Context
  readonly #options: StreamMemberOptions
  /** Cached because every frame needs it. */
  readonly #socket: LiveSocket
  readonly #encodedId: EncodedId
  #group: FanOutGroup | null = null
  #state: 'joining' | 'live' | 'left' = 'joining'
  /** Frames after the position of attachment, while the events before it are read. */
  #held: NextFrames[] | null = null
  #heldBytes = 0
  /** True if the last event is among those that it sends while joining. */
  #isComplete = false
  /** True if events were lost while joining. */
  #stale = false
  /** True while it is sent the wholes of what others get in parts. */
  #isCatchingUp = false

  constructor(options: StreamMemberOptions) {
    this.#options = options
    this.#socket = options.socket
    this.#encodedId = encodeId(options.id)
    this.feed = options.feed
    const { caller } = options.socket
    this.callerKey = caller?.key ?? null
    this.hidesContacts = hidesContacts(caller)
    this.mask = maskOf(caller)
    this.newContext = options.newContext
  }

  get isLive(): boolean {
    return this.#state === 'live'
  }

  /**
   * Starts after the cursor if it is valid, else with a snapshot. Its presence must have begun.
   * @param resync whether the first snapshot is marked as replacing the client's state
   */
  start(after: string | null, resync = false): void {
    const group = this.#options.groups.enter(this, this.#options.document)
    this.#group = group
    this.#run(group, async () => {
      await group.ready
      const position = after === null ? null : await this.#positionOf(group, after)
      if (after !== null && !position) group.services.metrics.resyncs.inc({ cause: 'cursor' })
      await this.#join(group, position, resync || after !== null)
    })
  }

  /** Leaves immediately and permanently. */
  leave(): void {
    if (this.#state === 'left') return
    this.#state = 'left'
    this.#release()
    if (this.#group) this.#options.groups.leave(this, this.#group)
  }

  deliver(frames: NextFrames): void {
    // Those before it is live are in the wholes that follow.
    if (frames.isPart && (this.#held || !this.#mayTakePart())) return
    if (!this.#held) {
      this.#socket.write(frames, this.#encodedId)
      return
    }
    const bytes = frames.byteLength(this.#encodedId)
    this.#held.push(frames)
    this.#heldBytes += bytes
    this.#socket.hold(bytes)
  }

  reconsider(): void {
    // One that is still joining is checked in the next round.
    if (this.#state === 'live') this.#options.reconsider()
  }

  complete(): void {
    if (this.#state === 'live') this.#options.completed()
    else this.#isComplete = true
  }

  resync(): void {
    const group = this.#group
    if (this.#state === 'joining') this.#stale = true
    if (this.#state !== 'live' || !group) return
    this.#state = 'joining'
    group.detach(this)
    this.#run(group, () => this.#join(group, null, true))
  }

  #run(group: FanOutGroup, join: () => Promise<void>): void {
    join().catch((error: unknown) => {
      if (this.#hasLeft()) return
      group.detach(this)
      this.#options.failed(error)
    })
  }

  async #join(group: FanOutGroup, from: Positions | null, resync: boolean): Promise<void> {
    let position = from
    for (let replaces = resync; !this.#hasLeft(); replaces = true) {
      this.#stale = false
      const isFresh = position === null
      position ??= await this.#sendSnapshot(group, replaces)
      if (this.#hasLeft() || (await this.#catchUp(group, position))) return
      // The group's position does not belong to the database's history: one of the two may be outdated by now.
      if (isFresh && !this.#stale) await group.verify()
      position = null
    }
  }

  async #sendSnapshot(group: FanOutGroup, resync: boolean): Promise<Positions> {
    const snapshot = await group.snapshot()
    for (let page = 0; page < snapshot.pageCount && !this.#hasLeft(); page += 1) {
      await this.#socket.inTurn(async () => {
        const frames = await snapshot.page(page, resync)
        if (!this.#hasLeft()) await this.#socket.writeInFull(frames, this.#encodedId)
      })
    }
    return new Map(snapshot.positions)
  }

  /** @returns whether the member is live, or has left; false if the log does not continue from the position */
  async #catchUp(group: FanOutGroup, position: Positions): Promise<boolean> {
    await group.reach(position)
    while (!this.#hasLeft() && !this.#stale) {
      if (distance(position, group.delivered) > HELD_EVENTS_MAX) {
        if (!(await this.#replay(group, position, new Map(group.delivered)))) return this.#hasLeft()
        continue
      }
      this.#held = []
      const target = group.attach(this)
      const isComplete = await this.#replay(group, position, target)
      if (this.#hasLeft()) return true
      if (!isComplete || this.#stale) {
        group.detach(this)
        this.#release()
        return false
      }
      this.#state = 'live'
      this.feed.attached?.()
      this.#options.live()
      const held = this.#release()
      for (const frames of held) this.#socket.write(frames, this.#encodedId)
      if (this.#isComplete) this.#options.completed()
      else this.#sendOwn(group)
      return true
    }
    return this.#hasLeft()
  }

  #mayTakePart(): boolean {
    if (this.#socket.backlog <= PARTS_BACKLOG_BYTES) return true
    if (this.#group) this.#sendOwn(this.#group)
    return false
  }

  /** Sends, alone, the wholes of what others get in parts, once the client has taken what was sent before. */
  #sendOwn(group: FanOutGroup): void {
    const { own } = this.feed
    if (this.#isCatchingUp || this.mask || !own || !group.document.types.has(own.__typename)) return
    this.#isCatchingUp = true
    const send = async (): Promise<void> => {
      await this.#socket.waitForRoom(PARTS_BACKLOG_BYTES)
      // Parts pass from here on: they follow what is read now.
      this.#isCatchingUp = false
      const wholes = await own.read()
      if (this.#state !== 'live') return
      for (const frames of await group.executeOwn(wholes))
        if (this.#state === 'live') this.#socket.write(frames, this.#encodedId)
    }
    send().catch((error: unknown) =>
      group.services.log.warn({ err: error }, 'failed to send the whole of what is in parts'),
    )
  }

  /**
   * Sends the events of the log after `position` up to `target`, and advances `position`. False if some have expired,
   * or the two are not of one history.
   */
  async #replay(group: FanOutGroup, position: Positions, target: Positions): Promise<boolean> {
    const { reads } = this.#options
    for (const [stream, end] of target) {
      let at = position.get(stream)!
      while (at.number < end.number) {
        const events = await reads.events(stream, at.number, end.number, REPLAY_BATCH)
        if (events.length === 0) return false
        for (const event of events) {
          if (this.#hasLeft() || !follows(at, event)) return false
          at = positionOf(event)
          position.set(stream, at)
          const live = this.feed.toEvent(event)
          if (!live) continue
          const cursor = group.cursorOf(position)
          const key = `${cursor} ${stream} ${group.key}`
          const frames = await reads.frames(key, () => group.execute(live, { cursor, at: event.at, isStored: true }))
          if (this.#hasLeft()) return false
          this.#socket.write(frames, this.#encodedId)
          if (this.feed.isLast?.(event)) this.#isComplete = true
        }
        await this.#socket.waitForRoom()
      }
      if (!isSamePosition(at, end)) return false
    }
    return true
  }

  /**
   * Returns the position of a valid cursor; null for one of another installation, of the future, or of other streams.
   */
  async #positionOf(group: FanOutGroup, after: string): Promise<Positions | null> {
    const cursor = readCursor(after)
    if (!cursor) return null
    const heads = await this.#options.reads.heads(group.streams)
    await this.#options.turns.enter()
    // Entries of a stream that is no longer followed would stay on the screen: nothing would remove them.
    const followed = new Set(group.streams.map((stream) => group.keys.get(stream)!))
    if ([...cursor.keys()].some((key) => !followed.has(key))) return null
    const position: Positions = new Map()
    for (const stream of group.streams) {
      const known = cursor.get(group.keys.get(stream)!)
      const head = heads.get(stream)?.head
      if (!known || !head || known.number > head.number) return null
      if (known.number === head.number && known.tag !== head.tag) return null
      position.set(stream, known)
    }
    // The group may be behind the head; committed events are delivered before this member starts.
    await group.reach(new Map([...heads.values()].map(({ name, head }) => [name, head])))
    return position
  }

  /** A method, because the compiler would assume that a check before an `await` still holds after it. */
  #hasLeft(): boolean {
    return this.#state === 'left'
  }

  #release(): NextFrames[] {
    const held = this.#held ?? []
    this.#held = null
    this.#socket.hold(-this.#heldBytes)
    this.#heldBytes = 0
    return held
  }
}

function distance(from: Positions, to: Positions): number {
  let sum = 0
  for (const [stream, { number }] of to) sum += number - from.get(stream)!.number
  return sum
}
