import type { Seeder } from './seed.js'

/** Sessions tell their statistics at most once a second. */
const STATISTICS_MS = 1_200

/**
 * How many blocks of the database a request reads, most from memory: what it costs whatever else the machine does. What
 * the server does by itself counts too, so that of several measurements the lowest is given.
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
    // A request more: what is idle tells nothing.
    await ask(asked++)
    const [row] = await seeder.query<{ blocks: string }>(
      'select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()',
    )
    return Number(row!.blocks)
  }
  let lowest = Infinity
  let before = await read()
  for (let time = 0; time < times; time++) {
    for (let round = 0; round < rounds; round++) await ask(asked++)
    const after = await read()
    lowest = Math.min(lowest, (after - before) / (rounds + 1))
    before = after
  }
  return lowest
}
