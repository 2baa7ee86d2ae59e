import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Ephemeral, HintBus, HintReceiver } from './dispatcher.js'
import type { StoredEvent } from './event.js'
import { openPubSub, type PubSub } from './redis-pub-sub.js'

export interface RedisHintsOptions {
  url: string
  /** Identifies this node's messages, which it has delivered itself. */
  nodeId: string
  /** Epoch of the database: separates installations that share a Redis. */
  epoch: number
  log: Logger
}

/** Streams share topics, which bounds the number of a node's Redis subscriptions. */
const TOPICS = 256
/** Publications without an answer from Redis; beyond that hints are dropped. */
const UNANSWERED_MAX = 1_000

interface Hint {
  node: string
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

  constructor(private readonly options: RedisHintsOptions) {
    this.#pubSub = openPubSub(options.url, {
      topics: () => this.#wanted.keys(),
      receive: (message) => this.#receive(message),
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
    return `switchboard:${this.options.epoch}:events:${bucket}`
  }

  /** Publishes at once or not at all. */
  #send(topic: string, hint: Omit<Hint, 'node' | 'events'> & { events?: readonly StoredEvent[] }): void {
    if (this.#unanswered >= UNANSWERED_MAX) return
    this.#unanswered += 1
    const message = JSON.stringify({ node: this.options.nodeId, ...hint })
    void this.#pubSub.publish(topic, message).finally(() => (this.#unanswered -= 1))
  }

  #receive(message: string): void {
    try {
      const { node, events, ephemeral } = JSON.parse(message) as Hint
      if (node === this.options.nodeId) return
      if (events) this.#receiver?.events(events.map((event) => ({ ...event, at: new Date(event.at) })))
      if (ephemeral) this.#receiver?.ephemeral(ephemeral)
    } catch (error) {
      this.options.log.warn({ err: error }, 'failed to parse a hint')
    }
  }
}
