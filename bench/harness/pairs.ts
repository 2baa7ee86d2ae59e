import { isQuick, median, quantile } from './figures.js'

const PAIRS = 40
/** Time of a round that counts; those that warm up take longer. */
export const ROUND_MS = 400
const WARM_UP_MS = 4_000

/** Rounds with a part of the product, and without it. */
export interface Pair<Round> {
  with: Round
  without: Round
}

/**
 * Measures the same process with a part of it and without, in pairs of rounds, each pair in the other order, so that what
 * else the machine does falls on both.
 */
export async function runInPairs<Round>(
  run: (isBypassed: boolean, ms: number) => Promise<Round>,
): Promise<Pair<Round>[]> {
  const pairs: Pair<Round>[] = []
  for (const isBypassed of [false, true]) await run(isBypassed, isQuick() ? ROUND_MS : WARM_UP_MS)
  for (let pair = 0; pair < (isQuick() ? 1 : PAIRS); pair++) {
    const isBypassedFirst = pair % 2 === 0
    const first = await run(isBypassedFirst, ROUND_MS)
    const second = await run(!isBypassedFirst, ROUND_MS)
    pairs.push(isBypassedFirst ? { with: second, without: first } : { with: first, without: second })
  }
  return pairs
}

/** The median of what rounds with the part took over what those without took, and how the pairs were run, in words. */
export function ratioOf<Round>(
  pairs: readonly Pair<Round>[],
  take: (round: Round) => number,
): { ratio: number; how: string } {
  const ratios = pairs.map((pair) => take(pair.with) / take(pair.without))
  const quartiles = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(3))
  return {
    ratio: median(ratios),
    how: `Medians of ${pairs.length} pairs of ${ROUND_MS} ms; quartiles of the ratio ${quartiles.join(' and ')}.`,
  }
}
