import type { LoadResult } from './load.js'
import type { Seeder } from './seed.js'

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
  if (TABLES.every((table) => Math.abs(ofProduct[table]! - ofFloor[table]!) <= TOLERANCE)) return
  throw new Error(`the product inserts ${JSON.stringify(ofProduct)}, the floor ${JSON.stringify(ofFloor)}`)
}

/** Rows a turn: changes that one batch makes to the same entry share an event. */
const TOLERANCE = 0.1

/** Tables of what the two are about: jobs, leases and presence go on by themselves. */
const TABLES = [
  'contact',
  'conversation',
  'participant',
  'message',
  'delivery',
  'routing_decision',
  'milestone',
  'event',
  'job',
]

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
