import { createHash } from 'node:crypto'
import type { Context } from '../context.js'
import type { Database } from '../db/database.js'

/** Counts up to this are exact; larger ones may be cached. */
export const EXACT_COUNT_MAX = 10_000
const LARGE_COUNT_AGE_MS = 60_000
/** Number of lists whose large counts are cached (LRU). */
const REMEMBERED_MAX = 1_000

interface LargeCount {
  count: number
  at: number
}

const largeCounts = new WeakMap<Database, Map<string, LargeCount>>()

/**
 * Counts the rows that match a condition. A list of up to 10,000 rows is counted each time; the count of a longer one,
 * which takes longer than its page, is cached for a minute on this node.
 * @param source `from … where …`
 */
export async function countRows(ctx: Context, source: string, values: readonly unknown[]): Promise<number> {
  const remembered = largeCounts.get(ctx.database) ?? new Map<string, LargeCount>()
  largeCounts.set(ctx.database, remembered)
  // A client's filter may be long, so the key is hashed.
  const key = createHash('sha256')
    .update(JSON.stringify([source, values]))
    .digest('base64')
  const now = ctx.now().getTime()
  const known = remembered.get(key)
  if (known && Math.abs(now - known.at) < LARGE_COUNT_AGE_MS) return known.count
  const count = async (from: string): Promise<number> =>
    (await ctx.lists.query<{ count: number }>(`select count(*) as count from ${from}`, [...values]))[0]!.count
  const few = await count(`(select 1 from ${source} limit ${EXACT_COUNT_MAX + 1}) few`)
  if (few <= EXACT_COUNT_MAX) return few
  const all = await count(source)
  remembered.delete(key)
  remembered.set(key, { count: all, at: now })
  if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!)
  return all
}
