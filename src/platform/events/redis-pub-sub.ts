import { Cluster, type Redis } from 'ioredis'
import { isClusterUrl } from '../redis-url.js'
import { closeRedis, openRedis, type RedisClient, type RedisUse } from '../redis.js'

/**
 * Messages by topic. While Redis is unavailable, messages are dropped; it reconnects and subscribes again by itself.
 */
export interface PubSub {
  /** Resolves when the message is sent or lost; never rejects. */
  publish(topic: string, message: string): Promise<void>
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  close(): void
}

export interface PubSubListener {
  /** All topics that should be subscribed now. */
  topics(): Iterable<string>
  receive(topic: string, message: string): void
  /** Called after a reconnect with all subscriptions restored: messages may have been lost. */
  interrupted(): void
  failed(error: unknown): void
}

const RECONNECT_MS_MAX = 2_000
const ANSWER_MS = 1_000

/** @param url of one server, or of a Cluster, whose sharded topics stay on the master that has them */
export function openPubSub(url: string, listener: PubSubListener): PubSub {
  const use = {
    url,
    onError: listener.failed,
    answerMs: ANSWER_MS,
    retries: 0,
    reconnectMsMax: RECONNECT_MS_MAX,
    isSubscriber: true,
  }
  return isClusterUrl(url) ? new ShardedPubSub(use, listener) : new PlainPubSub(use, listener)
}

/** One server, with two connections: one in subscribe mode cannot publish. */
class PlainPubSub implements PubSub {
  readonly #publisher: Redis
  readonly #subscriber: Redis
  #hasBeenReady = false

  constructor(
    use: RedisUse,
    private readonly listener: PubSubListener,
  ) {
    this.#publisher = openRedis(use) as Redis
    this.#subscriber = openRedis(use) as Redis
    this.#subscriber.on('message', (topic: string, message: string) => listener.receive(topic, message))
    this.#subscriber.on('ready', () => void this.#ready())
  }

  async publish(topic: string, message: string): Promise<void> {
    await whenReady(this.#publisher, () => this.#publisher.publish(topic, message), this.listener)
  }

  subscribe(topic: string): void {
    void whenReady(this.#subscriber, () => this.#subscriber.subscribe(topic), this.listener)
  }

  unsubscribe(topic: string): void {
    void whenReady(this.#subscriber, () => this.#subscriber.unsubscribe(topic), this.listener)
  }

  close(): void {
    closeRedis(this.#publisher)
    closeRedis(this.#subscriber)
  }

  async #ready(): Promise<void> {
    const isBack = this.#hasBeenReady
    this.#hasBeenReady = true
    const topics = [...this.listener.topics()]
    if (topics.length > 0) await whenReady(this.#subscriber, () => this.#subscriber.subscribe(...topics), this.listener)
    if (isBack) this.listener.interrupted()
  }
}

/** A Cluster, with sharded topics: ioredis keeps a subscriber per master, and moves topics when slots move. */
class ShardedPubSub implements PubSub {
  readonly #cluster: Cluster
  /** Topics known to ioredis, which it passes to each new subscriber. */
  readonly #subscribed = new Set<string>()

  constructor(
    use: RedisUse,
    private readonly listener: PubSubListener,
  ) {
    this.#cluster = openRedis(use) as Cluster
    this.#cluster.on('smessage', (topic: string, message: string) => listener.receive(topic, message))
    this.#cluster.on('ready', () => this.#reconcile())
    this.#cluster.on('subscribersReady', () => {
      this.#reconcile()
      listener.interrupted()
    })
  }

  async publish(topic: string, message: string): Promise<void> {
    await whenReady(this.#cluster, () => this.#cluster.spublish(topic, message), this.listener)
  }

  subscribe(topic: string): void {
    if (this.#cluster.status !== 'ready' || this.#subscribed.has(topic)) return
    this.#subscribed.add(topic)
    this.#cluster.ssubscribe(topic).catch((error: unknown) => {
      this.#subscribed.delete(topic)
      this.listener.failed(error)
    })
  }

  unsubscribe(topic: string): void {
    if (this.#cluster.status !== 'ready' || !this.#subscribed.delete(topic)) return
    void whenReady(this.#cluster, () => this.#cluster.sunsubscribe(topic), this.listener)
  }

  close(): void {
    closeRedis(this.#cluster)
  }

  /** Topics of one call must share a slot: one call per topic. */
  #reconcile(): void {
    const wanted = new Set(this.listener.topics())
    for (const topic of wanted) this.subscribe(topic)
    for (const topic of this.#subscribed.difference(wanted)) this.unsubscribe(topic)
  }
}

/** Runs the command now or not at all: after a reconnect the subscriptions are reconciled. */
async function whenReady(redis: RedisClient, command: () => Promise<unknown>, listener: PubSubListener): Promise<void> {
  if (redis.status !== 'ready') return
  try {
    await command()
  } catch (error) {
    listener.failed(error)
  }
}
