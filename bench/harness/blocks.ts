import { median } from './figures.js'
import type { Seeder } from './seed.js'

/** Sessions report their statistics at most once a second. */
const STATISTICS_MS = 1_200

/**
 * Counts the blocks of the database that a request reads, most from memory: what it costs whatever else the machine
 * does. What the server does by itself counts too, and what an idle session has read is told later: of several
 * measurements the median is given.
 * @param ask numbers its calls from 0
 */
export async function blocksOf(
  seeder: Seeder,
  { rounds, times = 1 }: { rounds: number; times?: number },
  ask: (nth: number) => Promise<unknown>,
): Promise<number> {
  let asked = 0
  const read = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, STATISTICS_MS))
    // One more request: idle sessions report nothing.
    await ask(asked++)
    const [row] = await seeder.query<{ blocks: string }>(
      'select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()',
    )
    return Number(row!.blocks)
  }
  const each: number[] = []
  let before = await read()
  for (let time = 0; time < times; time++) {
    for (let round = 0; round < rounds; round++) await ask(asked++)
    const after = await read()
    each.push((after - before) / (rounds + 1))
    before = after
  }
  return median(each)
}
