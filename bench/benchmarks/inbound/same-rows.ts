import { isDeepStrictEqual } from 'node:util'
import type { LoadResult } from '../../harness/load.js'
import type { Seeder } from '../../harness/seed.js'

type Rows = Record<string, number>

/**
 * Compares what the two leave in the database: a floor that writes something else would be none.
 * @throws Error when they differ in the rows that a turn inserts into any table
 */
export async function requireSameRows(
  seeder: Seeder,
  product: () => Promise<LoadResult>,
  floor: () => Promise<LoadResult>,
): Promise<void> {
  // Once before: what is made only once does not count.
  await product()
  const [ofProduct, ofFloor] = [await rowsOf(seeder, product), await rowsOf(seeder, floor)]
  if (isDeepStrictEqual(ofProduct, ofFloor)) return
  throw new Error(`the product inserts ${JSON.stringify(ofProduct)}, the floor ${JSON.stringify(ofFloor)}`)
}

/** Of what the two are about: jobs, leases and presence go on by themselves. */
const TABLES = ['contact', 'conversation', 'participant', 'message', 'delivery', 'routing_decision', 'event', 'job']

/** By table, those that one turn adds. */
async function rowsOf(seeder: Seeder, act: () => Promise<LoadResult>): Promise<Rows> {
  const before = await countAll(seeder)
  const { done } = await act()
  const after = await countAll(seeder)
  return Object.fromEntries(TABLES.map((table) => [table, (after[table]! - before[table]!) / done]))
}

async function countAll(seeder: Seeder): Promise<Rows> {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await seeder.query<Rows>(`select ${counts.join(', ')}`)
  return row!
}
