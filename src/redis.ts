import type { Logger } from 'pino'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { CLUSTER_URL, isClusterUrl } from './redis-url.js'

/** One server, or a Cluster: for commands of one key each they are the same. */
export type RedisClient = Redis | Cluster

export interface RedisUse {
  url: string
  /** Called whenever it is away; it comes back by itself. */
  onError: (error: Error) => void
  /** A command that is not answered for this long fails, and so does the connection: a Redis that hangs is away. */
  answerMs: number
  /** Repeated on a connection that is made anew; 0 fails at once. */
  retries: number
  /** Never more than this between two attempts to come back. */
  reconnectMsMax: number
  /**
   * It is subscribed to topics, anew by its user whenever it comes back; those of a Cluster at the masters of their
   * slots, with a connection to each.
   */
  isSubscriber?: boolean
}

const PORT = 6379
/** Some servers are never reached, and some never say good-bye: neither may keep a process that is to end. */
const CONNECT_MS_MAX = 2_000
/** ioredis waits for so long for the end of a connection, also of one that has ended. */
const DISCONNECT_MS_MAX = 100

/** Connects, in the background; commands fail at once while it is away. @param url see {@link isRedisUrl} */
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

/** At once, in whatever it is doing: no connection and no timer of it keeps the process. */
export function closeRedis(client: RedisClient): void {
  const connections = client instanceof Cluster ? client.nodes() : [client]
  client.disconnect()
  for (const connection of connections) (connection.stream as Redis['stream'] | undefined)?.destroy()
}

/** For limits that nodes share. It may be away: nobody waits for it. */
export function connectRedis(url: string, log: Logger): RedisClient {
  const onError = (error: Error): void => log.warn({ err: error }, 'Redis is away')
  return openRedis({ url, onError, answerMs: 500, retries: 1, reconnectMsMax: 2_000 })
}
