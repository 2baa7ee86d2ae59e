import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { SealedPlace } from '../sealing/sealed-places.js'
import type { Sealer } from '../sealing/sealer.js'
import type { Ephemeral, HintBus, HintReceiver } from './dispatcher.js'
import type { StoredEvent } from './event.js'
import { openPubSub, type PubSub } from './redis-pub-sub.js'

export interface RedisHintsOptions {
  url: string
  /** Identifies this node's messages, which it has delivered itself. */
  nodeId: string
  /**
   * Seals hints with a key that all nodes have: who reaches Redis reads none, and makes none. Separates installations that share
   * a Redis, also a copy from its original.
   */
  sealer: Sealer
  now: () => Date
  log: Logger
}

/** The `server_secret` by which hints are sealed: each installation's own. */
export const HINTS_SECRET = 'hints'

/** Streams share topics, which bounds the number of a node's Redis subscriptions. */
const TOPICS = 256
/** A hint is bound to its topic. */
const HINT: SealedPlace = { table: 'redis', column: 'hint', id: 'topic' }
const WARN_EVERY_MS = 60_000

/** Publications without an answer from Redis; beyond that hints are dropped. */
const UNANSWERED_MAX = 1_000

/** A hint that is published again tells nothing new, except for what is not stored: that is late after this time. */
const EPHEMERAL_MS_MAX = 10_000

interface Hint {
  node: string
  at: number
  events?: (Omit<StoredEvent, 'at'> & { at: string })[]
  ephemeral?: Ephemeral
}

/**
 * Forwards events to other nodes by Redis pub/sub. It may lose any of them: hints are faster than the check of stream
 * heads but do not replace it. While Redis is unavailable, hints are dropped; nothing waits or fails.
 */
export class RedisHints implements HintBus {
  readonly #pubSub: PubSub
  readonly #wanted = new Map<string, number>()
  #receiver: HintReceiver | null = null
  #unanswered = 0
  #warnAt = 0

  constructor(private readonly options: RedisHintsOptions) {
    this.#pubSub = openPubSub(options.url, {
      topics: () => this.#wanted.keys(),
      receive: (topic, message) => this.#receive(topic, message),
      interrupted: () => this.#receiver?.interrupted(),
      failed: (error) => options.log.debug({ err: error }, 'Redis is unavailable, or a hint was lost'),
    })
  }

  connect(receiver: HintReceiver): void {
    this.#receiver = receiver
  }

  publish(events: readonly StoredEvent[]): void {
    const byTopic = new Map<string, StoredEvent[]>()
    for (const event of events) {
      const topic = this.#topicOf(event.stream)
      const ofTopic = byTopic.get(topic)
      if (ofTopic) ofTopic.push(event)
      else byTopic.set(topic, [event])
    }
    for (const [topic, ofTopic] of byTopic) this.#send(topic, { events: ofTopic })
  }

  publishEphemeral(event: Ephemeral): void {
    this.#send(this.#topicOf(event.stream), { ephemeral: event })
  }

  want(stream: string): void {
    const topic = this.#topicOf(stream)
    const count = (this.#wanted.get(topic) ?? 0) + 1
    this.#wanted.set(topic, count)
    if (count === 1) this.#pubSub.subscribe(topic)
  }

  unwant(stream: string): void {
    const topic = this.#topicOf(stream)
    const count = (this.#wanted.get(topic) ?? 0) - 1
    if (count > 0) {
      this.#wanted.set(topic, count)
    } else if (this.#wanted.delete(topic)) {
      this.#pubSub.unsubscribe(topic)
    }
  }

  async close(): Promise<void> {
    this.#receiver = null
    this.#pubSub.close()
  }

  #topicOf(stream: string): string {
    const bucket = createHash('sha1').update(stream).digest().readUInt16BE() % TOPICS
    return `switchboard:${this.options.sealer.keyId}:events:${bucket}`
  }

  /** Publishes at once or not at all. */
  #send(topic: string, hint: Omit<Hint, 'node' | 'at' | 'events'> & { events?: readonly StoredEvent[] }): void {
    if (this.#unanswered >= UNANSWERED_MAX) return
    this.#unanswered += 1
    const { nodeId: node, now, sealer } = this.options
    const message = sealer.seal(HINT, topic, JSON.stringify({ node, at: now().getTime(), ...hint }))
    void this.#pubSub.publish(topic, message).finally(() => (this.#unanswered -= 1))
  }

  #receive(topic: string, message: string): void {
    const { now, sealer } = this.options
    try {
      const { node, at, events, ephemeral } = JSON.parse(sealer.open(HINT, topic, message)) as Hint
      if (node === this.options.nodeId) return
      if (events) this.#receiver?.events(events.map((event) => ({ ...event, at: new Date(event.at) })))
      if (ephemeral && now().getTime() - at <= EPHEMERAL_MS_MAX) this.#receiver?.ephemeral(ephemeral)
    } catch (error) {
      this.#warn(error)
    }
  }

  /** Once a minute: whoever sends what is no hint of ours may send much of it. */
  #warn(error: unknown): void {
    const now = performance.now()
    if (now < this.#warnAt) return
    this.#warnAt = now + WARN_EVERY_MS
    this.options.log.warn({ err: error }, 'a hint in Redis is not from a node of this installation: it is dropped')
  }
}
