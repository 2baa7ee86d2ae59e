import { LRUCache } from 'lru-cache'

/**
 * Keeps the values that were used last, at most this many. With lru-cache's own `max` each cache has the memory of all of
 * them from the start: those of one server took 30 ms and several megabytes.
 */
export function lastUsed<Value extends {}>(max: number, options: { ttl?: number } = {}): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ ...options, maxSize: max, sizeCalculation: () => 1 })
}
