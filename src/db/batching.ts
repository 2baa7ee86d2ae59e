import DataLoader from 'dataloader'

/** Keeps the arrays of one statement small enough for PostgreSQL to plan and read well. */
const BATCH_MAX = 1_000

/**
 * Combines all calls of one turn of the event loop into one, for reads that thousands of sockets make at the same time,
 * for example when they all reconnect. Nothing is cached: each answer was read after its call.
 * @param load gets the keys in the order of the calls and returns one value per key, in the same order; if it rejects,
 *   all these calls reject
 */
export function batching<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader<Key, Value>(load, {
    cache: false,
    maxBatchSize: BATCH_MAX,
    batchScheduleFn: (run) => void setImmediate(run),
  })
  return (key) => loader.load(key)
}
