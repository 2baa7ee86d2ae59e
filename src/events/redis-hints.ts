import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { JsonObject } from '../json.js'
import type { Ephemeral, HintBus, HintReceiver } from './dispatcher.js'
import type { StoredEvent } from './event.js'

export interface RedisHintsOptions {
  url: string
  /** Tells the messages of this node, which it has delivered itself. */
  nodeId: string
  /** Of the database: two that share a Redis must not hear each other. */
  epoch: number
  log: Logger
}

/** Streams share topics, so that a node that follows many has a bounded number of Redis subscriptions. */
const TOPICS = 256
/** Publications that Redis has not answered; past it hints are dropped. */
const UNANSWERED_MAX = 1_000
const RECONNECT_MS_MAX = 2_000

interface Hint {
  node: string
  events?: { stream: string; number: number; type: string; at: string; data: JsonObject }[]
  ephemeral?: Ephemeral
}

/**
 * Carries events to the other nodes by Redis pub/sub. It may lose any of them: what it brings is ahead of the check of
 * stream heads and never instead of it. With Redis away it drops what it is given; nothing waits, nothing fails.
 */
export class RedisHints implements HintBus {
  readonly #publisher: Redis
  readonly #subscriber: Redis
  readonly #wanted = new Map<string, number>()
  #receiver: HintReceiver | null = null
  #unanswered = 0
  #hasBeenReady = false

  constructor(private readonly options: RedisHintsOptions) {
    const retryStrategy = (times: number): number => Math.min(RECONNECT_MS_MAX, times * 100)
    const shared = { enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy }
    this.#publisher = new Redis(options.url, shared)
    this.#subscriber = new Redis(options.url, { ...shared, autoResubscribe: false })
    for (const [role, redis] of Object.entries({ publisher: this.#publisher, subscriber: this.#subscriber })) {
      redis.on('error', (error: Error) => options.log.debug({ err: error, role }, 'Redis is away'))
    }
    this.#subscriber.on('ready', () => void this.#ready())
    this.#subscriber.on('message', (_topic: string, message: string) => this.#receive(message))
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
    if (count === 1) this.#whenReady(this.#subscriber, (redis) => redis.subscribe(topic))
  }

  unwant(stream: string): void {
    const topic = this.#topicOf(stream)
    const count = (this.#wanted.get(topic) ?? 0) - 1
    if (count > 0) {
      this.#wanted.set(topic, count)
    } else if (this.#wanted.delete(topic)) {
      this.#whenReady(this.#subscriber, (redis) => redis.unsubscribe(topic))
    }
  }

  async close(): Promise<void> {
    this.#receiver = null
    this.#publisher.disconnect()
    this.#subscriber.disconnect()
  }

  #topicOf(stream: string): string {
    const bucket = createHash('sha1').update(stream).digest().readUInt16BE() % TOPICS
    return `switchboard:${this.options.epoch}:events:${bucket}`
  }

  /** Runs now or not at all: once Redis is back, `#ready` brings the subscriptions to what is wanted then. */
  #whenReady(redis: Redis, command: (redis: Redis) => Promise<unknown>): void {
    if (redis.status !== 'ready') return
    command(redis).catch((error: unknown) => this.options.log.debug({ err: error }, 'a hint was lost'))
  }

  #send(topic: string, hint: Omit<Hint, 'node' | 'events'> & { events?: readonly StoredEvent[] }): void {
    if (this.#unanswered >= UNANSWERED_MAX) return
    const message = JSON.stringify({ node: this.options.nodeId, ...hint })
    this.#whenReady(this.#publisher, async (redis) => {
      this.#unanswered += 1
      try {
        await redis.publish(topic, message)
      } finally {
        this.#unanswered -= 1
      }
    })
  }

  async #ready(): Promise<void> {
    const isBack = this.#hasBeenReady
    this.#hasBeenReady = true
    try {
      const topics = [...this.#wanted.keys()]
      if (topics.length > 0) await this.#subscriber.subscribe(...topics)
      if (isBack) this.#receiver?.interrupted()
    } catch (error) {
      // Lost again: the next connection begins anew.
      this.options.log.debug({ err: error }, 'could not subscribe to hints')
    }
  }

  #receive(message: string): void {
    try {
      const { node, events, ephemeral } = JSON.parse(message) as Hint
      if (node === this.options.nodeId) return
      if (events) this.#receiver?.events(events.map((event) => ({ ...event, at: new Date(event.at) })))
      if (ephemeral) this.#receiver?.ephemeral(ephemeral)
    } catch (error) {
      this.options.log.warn({ err: error }, 'a hint could not be read')
    }
  }
}
