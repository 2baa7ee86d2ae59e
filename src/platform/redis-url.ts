// Separate from `redis.ts`: settings are read before anything is connected.

/** Protocol, credentials and hosts of a Cluster. */
export const CLUSTER_URL =
  /^(rediss?)-cluster:\/\/(?:([^:@/]*):([^@/]*)@)?([\w.-]+(?::\d{1,5})?(?:,[\w.-]+(?::\d{1,5})?)*)\/?$/

/** Accepts `redis[s]://…` for one server, or `redis[s]-cluster://[user:password@]host:port,host:port`. */
export function isRedisUrl(url: string): boolean {
  return CLUSTER_URL.test(url) || ['redis:', 'rediss:'].includes(URL.parse(url)?.protocol ?? '')
}

export function isClusterUrl(url: string): boolean {
  return CLUSTER_URL.test(url)
}
