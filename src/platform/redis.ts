import type { Logger } from 'pino'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Metrics } from './metrics.js'
import { CLUSTER_URL, isClusterUrl } from './redis-url.js'

/** One server or a Cluster: the same for commands with one key each. */
export type RedisClient = Redis | Cluster

export interface RedisUse {
  url: string
  /** Called whenever it is unavailable; it reconnects by itself. */
  onError: (error: Error) => void
  /**
   * A command without an answer for this long fails together with the connection: a hanging Redis counts as
   * unavailable.
   */
  answerMs: number
  /** Number of times that a command is repeated on a new connection; 0 fails immediately. */
  retries: number
  /** Maximum delay between reconnects. */
  reconnectMsMax: number
  /**
   * For subscriptions to topics, which its user restores after each reconnect; for a Cluster at the masters of their
   * slots, with a connection to each.
   */
  isSubscriber?: boolean
}

const PORT = 6379
/** Some servers cannot be reached, and some never close the connection: neither may keep the process from ending. */
const CONNECT_MS_MAX = 2_000
/** ioredis waits this long for a connection to end, even if it has ended. */
const DISCONNECT_MS_MAX = 100

/** Connects in the background; commands fail immediately while it is unavailable. @param url see {@link isRedisUrl} */
export function openRedis(use: RedisUse): RedisClient {
  const { url, onError, reconnectMsMax } = use
  const delay = (times: number): number => Math.min(reconnectMsMax, times * 100)
  const client = isClusterUrl(url) ? openCluster(use, delay) : openServer(use, delay)
  client.on('error', onError)
  return client
}

function openServer(use: RedisUse, delay: (times: number) => number): Redis {
  const options = { enableOfflineQueue: false, retryStrategy: delay, autoResubscribe: use.isSubscriber !== true }
  return new Redis(use.url, { ...common(use), ...options })
}

function openCluster(use: RedisUse, delay: (times: number) => number): Cluster {
  const [, scheme, username, password, hosts] = CLUSTER_URL.exec(use.url)!
  const nodes = hosts!.split(',').map((each) => {
    const [host, port = PORT] = each.split(':')
    return { host: host!, port: Number(port) }
  })
  return new Cluster(nodes, {
    enableOfflineQueue: false,
    clusterRetryStrategy: delay,
    shardedSubscribers: use.isSubscriber === true,
    redisOptions: {
      ...common(use),
      ...(password && { password: decodeURIComponent(password) }),
      ...(username && { username: decodeURIComponent(username) }),
      ...(scheme === 'rediss' && { tls: {} }),
    },
  })
}

function common({ answerMs, retries }: RedisUse): RedisOptions {
  return {
    maxRetriesPerRequest: retries,
    commandTimeout: answerMs,
    socketTimeout: answerMs,
    connectTimeout: CONNECT_MS_MAX,
    disconnectTimeout: DISCONNECT_MS_MAX,
  }
}

/** Immediately, whatever it is doing: neither a connection nor a timer keeps the process alive. */
export function closeRedis(client: RedisClient): void {
  const connections = client instanceof Cluster ? client.nodes() : [client]
  client.disconnect()
  for (const connection of connections) (connection.stream as Redis['stream'] | undefined)?.destroy()
}

/** Emitted by the client whenever a node counts for itself because Redis gave no answer. */
export const COUNTED_ALONE = 'counted-alone'

/** Opens Redis for limits shared by nodes. Nothing waits for it while it is unavailable. */
export function connectRedis(url: string, log: Logger, metrics: Pick<Metrics, 'countedAlone'>): RedisClient {
  const onError = (error: Error): void => log.warn({ err: error }, 'Redis is unavailable')
  const client = openRedis({ url, onError, answerMs: 500, retries: 1, reconnectMsMax: 2_000 })
  client.on(COUNTED_ALONE, () => metrics.countedAlone.inc())
  return client
}
