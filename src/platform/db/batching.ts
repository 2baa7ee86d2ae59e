import DataLoader from 'dataloader'
import type { Sql } from './database.js'

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

/**
 * The same for reads of a database, or of a transaction: the calls of one turn on each go together. What one call gives may be what
 * PostgreSQL refuses, so those that fail together are loaded one by one.
 */
export function batchingOn<Key, Value>(
  load: (sql: Sql, keys: readonly Key[]) => Promise<readonly Value[]>,
): (sql: Sql, key: Key) => Promise<Value> {
  const loaders = new WeakMap<Sql, (key: Key) => Promise<Value>>()
  const loaderOn = (sql: Sql): ((key: Key) => Promise<Value>) => {
    const together = batching<Key, { value: Value } | { error: unknown }>(async (keys) => {
      const answers = (part: readonly Key[]) => load(sql, part).then((values) => values.map((value) => ({ value })))
      if (keys.length === 1) return answers(keys)
      const alone = (key: Key) =>
        answers([key]).then(
          ([answer]) => answer!,
          (error: unknown) => ({ error }),
        )
      return answers(keys).catch(() => Promise.all(keys.map(alone)))
    })
    return async (key) => {
      const answer = await together(key)
      if ('error' in answer) throw answer.error
      return answer.value
    }
  }
  return (sql, key) => {
    const loader = loaders.get(sql) ?? loaderOn(sql)
    loaders.set(sql, loader)
    return loader(key)
  }
}
