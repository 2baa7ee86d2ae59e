import type { Context, LoaderMemory } from '../../platform/context.js'
import { DomainError, Forbidden, Unavailable } from '../../platform/errors.js'
import type { LiveFeed, LiveSource } from '../../platform/events/live-feed.js'
import type { LoopTurns } from '../../platform/fairness/loop-turns.js'
import type { FanOutGroups } from './fan-out-groups.js'
import type { LiveDocument } from './live-document.js'
import type { LiveSocket } from './live-socket.js'
import type { SocketOperation } from './caller-sockets.js'
import { PresenceSpan, type PresenceEnds } from './presence-span.js'
import type { SharedReads } from './shared-reads.js'
import { GroupSubscriber } from './group-subscriber.js'

export interface SubscriptionServices {
  groups: FanOutGroups
  reads: SharedReads
  presenceEnds: PresenceEnds
  /** Slices of the event loop for sockets and subscriptions that begin. */
  turns: LoopTurns
  newContext(socket: LiveSocket, memory?: LoaderMemory): Context
}

export interface SubscriptionOptions {
  socket: LiveSocket
  id: string
  document: LiveDocument
  source: LiveSource
  /** Called when it is live or has ended, possibly more than once. */
  isSetUp(): void
}

/** Answer of a feed about a live subscription. */
export interface AccessAnswer {
  isAllowed: boolean
  /** The streams it would follow now, if they may change. */
  streams: readonly string[] | undefined
  /** The caller's part in them now, if it may change. */
  part: string | undefined
}

/**
 * One subscription of a socket. For the protocol it is an iterable without values: its frames go directly to the
 * socket. It ends when the client completes it, when the socket is closed, or with an error that is sent to the client.
 */
export class Subscription implements SocketOperation, AsyncIterableIterator<never> {
  #feed: LiveFeed | null = null
  #accessKey: string | null = null
  #presence: PresenceSpan | null = null
  #member: GroupSubscriber | null = null
  #isEnded = false
  #fail: (error: Error) => void = () => undefined
  #finish: () => void = () => undefined

  readonly socket: LiveSocket
  readonly id: string

  constructor(
    private readonly services: SubscriptionServices,
    private readonly options: SubscriptionOptions,
  ) {
    this.socket = options.socket
    this.id = options.id
  }

  get isLive(): boolean {
    return this.#member?.isLive === true
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** @throws DomainError when the caller may not subscribe */
  async open(isReopened = false): Promise<void> {
    const { source, document } = this.options
    this.#feed = await source.open(this.services.newContext(this.socket), document.args, isReopened)
    this.#accessKey = null
  }

  /** Called once by the protocol; rejects if the subscription fails, and is done when nothing follows. */
  next(): Promise<IteratorResult<never>> {
    const ended = new Promise<IteratorResult<never>>((resolve, reject) => {
      this.#fail = reject
      this.#finish = () => resolve({ done: true, value: undefined })
    })
    const { after } = this.options.document.args
    this.#begin(typeof after === 'string' ? after : null, false).catch((error: unknown) => this.fail(error))
    return ended
  }

  /** The client has completed it. `next` never settles, since the client may have reused the id already. */
  async return(): Promise<IteratorResult<never>> {
    this.drop()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  drop(isLost = false): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.options.isSetUp()
    if (this.socket.operations.get(this.id) === this) this.socket.operations.delete(this.id)
    this.#member?.leave()
    this.#presence?.end(isLost)
  }

  /** Ends it because nothing follows. */
  #complete(): void {
    if (this.#isEnded) return
    this.drop()
    this.#finish()
  }

  /** Ends it with an error that is sent to the client. */
  fail(error: unknown): void {
    if (this.#isEnded) return
    this.drop()
    this.#fail(error instanceof Error ? error : new Error(String(error)))
  }

  /** Key of subscriptions that get the same answer from `ask`; null when there is nothing to ask now. */
  get accessKey(): string | null {
    const feed = this.#feed
    const { caller } = this.socket
    if (!feed || !caller || !this.isLive) return null
    const { field, args } = this.options.document
    const { after: _after, ...own } = args
    this.#accessKey ??= JSON.stringify([field, feed.accessKey ?? [caller.key, [...caller.scopes], own]])
    return this.#accessKey
  }

  /** Rejects with a DomainError when access has ended; with any other error it is unknown. */
  async ask(): Promise<AccessAnswer> {
    const feed = this.#feed!
    const ctx = this.services.newContext(this.socket)
    const isAllowed = (await feed.isStillAllowed?.(ctx)) ?? true
    if (!isAllowed) return { isAllowed, streams: undefined, part: undefined }
    return { isAllowed, streams: await feed.currentStreams?.(ctx), part: await feed.currentPart?.(ctx) }
  }

  /** Ends it if access has ended, and begins anew if its streams or the caller's part in them have changed. */
  async take({ isAllowed, streams, part }: AccessAnswer): Promise<void> {
    const feed = this.#feed
    if (!feed || !this.isLive) return
    if (!isAllowed)
      return this.fail(new Forbidden(`the subscription ${this.options.document.field} is no longer allowed`))
    const hasStreams = !streams || isSameSet(streams, feed.streams)
    if (hasStreams && (part === undefined || part === feed.part)) return
    await this.#reopen().catch((error: unknown) => this.fail(error))
  }

  async #begin(after: string | null, resync: boolean): Promise<void> {
    const feed = this.#feed
    if (!feed || this.#isEnded) return
    const ctx = this.services.newContext(this.socket)
    const presence = new PresenceSpan(feed, ctx.newId(), this.services.presenceEnds)
    this.#presence = presence
    await presence.begin()
    await this.services.turns.enter()
    // Ended in the meantime: `drop` has ended the presence too.
    if (this.#hasEnded()) return
    const { groups, reads, turns, newContext } = this.services
    const { socket, id, document, isSetUp } = this.options
    const member = new GroupSubscriber({
      groups,
      reads,
      turns,
      socket,
      id,
      document,
      feed,
      newContext: (memory) => newContext(socket, memory),
      reconsider: () => void this.#reconsider(),
      completed: () => this.#complete(),
      failed: (error) => this.fail(error),
      live: isSetUp,
    })
    this.#member = member
    member.start(after, resync)
  }

  async #reconsider(): Promise<void> {
    try {
      await this.take(await this.ask())
    } catch (error) {
      // The next access check tries again.
      if (error instanceof DomainError && !(error instanceof Unavailable)) this.fail(error)
    }
  }

  /** Reopens the feed, with a snapshot that replaces the client's state. */
  async #reopen(): Promise<void> {
    this.#member?.leave()
    this.#member = null
    this.#presence?.end(false)
    this.#presence = null
    await this.open(true)
    await this.#begin(null, true)
  }

  #hasEnded(): boolean {
    return this.#isEnded
  }
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const set = new Set(one)
  return set.size === new Set(other).size && other.every((each) => set.has(each))
}
