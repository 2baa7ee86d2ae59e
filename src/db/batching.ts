import DataLoader from 'dataloader'

/** One statement's arrays stay of a size that PostgreSQL plans and reads well. */
const BATCH_MAX = 1_000

/**
 * Makes one call of those that come within one turn of the event loop: for what thousands of sockets ask at the same
 * time, as when they all come back. Nothing is remembered: each answer is from after its call.
 * @param load gets the keys in the order of the calls, and gives a value for each, in that order; if it rejects, all of
 *   these calls do
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
