import DataLoader from 'dataloader'

/** Keeps the arrays of one statement small enough for PostgreSQL to plan and read well. */
const BATCH_MAX = 1_000

export interface BatchingOptions {
  /** Calls that are loaded at once; the next ones wait and go together. Without it, each turn's go at once. */
  atOnce?: number
}

/**
 * Combines all calls of one turn of the event loop into one, for reads that thousands of sockets make at the same time,
 * for example when they all reconnect. Nothing is cached: each answer was read after its call.
 * @param load gets the keys in the order of the calls and returns one value per key, in the same order; if it rejects,
 *   all these calls reject
 */
export function batching<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { atOnce = Infinity }: BatchingOptions = {},
): (key: Key) => Promise<Value> {
  let loading = 0
  const waiting: (() => void)[] = []
  const begin = (): void => {
    if (loading < atOnce) waiting.shift()?.()
  }
  const loader = new DataLoader<Key, Value>(
    (keys) => {
      loading += 1
      return load(keys).finally(() => {
        loading -= 1
        begin()
      })
    },
    {
      cache: false,
      maxBatchSize: BATCH_MAX,
      // Until it is dispatched, a batch takes further calls.
      batchScheduleFn: (dispatch) => {
        waiting.push(dispatch)
        setImmediate(begin)
      },
    },
  )
  return (key) => loader.load(key)
}

/** The same with batches of their own for each group, so that none waits for what another one loads. */
export function batchingBy<Key, Value>(
  groupOf: (key: Key) => string,
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  options: BatchingOptions = {},
): (key: Key) => Promise<Value> {
  const groups = new Map<string, { load: (key: Key) => Promise<Value>; calls: number }>()
  return async (key) => {
    const name = groupOf(key)
    let group = groups.get(name)
    if (!group) groups.set(name, (group = { load: batching(load, options), calls: 0 }))
    group.calls += 1
    try {
      return await group.load(key)
    } finally {
      group.calls -= 1
      if (group.calls === 0) groups.delete(name)
    }
  }
}
