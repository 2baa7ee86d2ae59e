/** The middle one; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of one measure of several rounds. */
export function medianOf<Key extends string>(rounds: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return median(rounds.map((round) => round[key]))
}

/** The value that a share of the values does not exceed. @param share from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** Three significant digits, with thin groups: `12,300`, `4.56`. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: Math.min(digits, 2) })
}

export interface Rounds {
  rounds: number
  /** Run for this long before the first round, each: code is compiled, caches are filled. */
  warmUpMs: number
  roundMs: number
}

/** Runs two measurements as {@link inTurns} does. @returns what each gave, by round */
export async function alternate<Floor, Product>(
  rounds: Rounds,
  floor: (ms: number) => Promise<Floor>,
  product: (ms: number) => Promise<Product>,
): Promise<{ floor: Floor[]; product: Product[] }> {
  const results = await inTurns<Floor | Product>(rounds, [floor, product])
  return { floor: results[0] as Floor[], product: results[1] as Product[] }
}

/**
 * Runs measurements one after the other, each round in the other order, so that what else the machine does falls on all.
 * @returns what each gave, by round
 */
export async function inTurns<Result>(
  { rounds, warmUpMs, roundMs }: Rounds,
  measurements: readonly ((ms: number) => Promise<Result>)[],
): Promise<Result[][]> {
  if (isQuick()) [rounds, warmUpMs, roundMs] = [1, QUICK_MS, QUICK_MS]
  for (const measure of measurements) await measure(warmUpMs)
  const results = measurements.map((): Result[] => [])
  const order = [...measurements.keys()]
  for (let round = 0; round < rounds; round++) {
    for (const index of order) results[index]!.push(await measurements[index]!(roundMs))
    order.reverse()
  }
  return results
}

/** Tells whether the benchmarks are only to show that they run, in seconds: `npm run bench -- --quick`. */
export function isQuick(): boolean {
  return process.env.BENCH_QUICK === '1'
}

/** Time of a round that only shows that it runs. */
const QUICK_MS = 100

/** One line of the result. */
export interface Figure {
  name: string
  /** The product's part of the floor; 1 is as fast. */
  ratio: number
  /** The aim that was set for it; null when there is none. */
  aim: number | null
  /** True when less is better: the ratio is the product's time over the floor's. */
  isTime?: boolean
  product: string
  floor: string
  /** The floor, and the way in which both were measured. */
  how: string
  /** Reason for which it is below its aim, when that is known. */
  note?: string
}

export function printFigure({ name, ratio, aim, isTime, product, floor, how, note }: Figure): void {
  const isMet = aim === null || (isTime ? ratio <= aim : ratio >= aim)
  const bound = aim === null ? '' : `  (aim ${isTime ? 'at most' : 'at least'} ${aim}: ${isMet ? 'met' : 'NOT met'})`
  const lines = [
    `${name}: ${ratio.toFixed(2)} of the floor${bound}`,
    `    product  ${product}`,
    `    floor    ${floor}`,
  ]
  lines.push(...wrap(how).map((line, index) => `    ${index === 0 ? 'how      ' : '         '}${line}`))
  if (note) lines.push(...wrap(note).map((line, index) => `    ${index === 0 ? 'note     ' : '         '}${line}`))
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** A promise that holds or does not, where there is no floor to compare with. */
export interface Check {
  name: string
  aim: string
  /** The parts of it that do not hold, in words; none when it holds. */
  failures: string[]
  /** The measured values. */
  found: string[]
  how: string
}

export function printCheck({ name, aim, failures, found, how }: Check): void {
  const lines = [
    `${name}: ${failures.length === 0 ? 'holds' : `does NOT hold: ${failures.join('; ')}`}`,
    `    aim      ${aim}`,
  ]
  for (const line of found)
    lines.push(...wrap(line).map((each, index) => `    ${index === 0 ? 'found    ' : '         '}${each}`))
  lines.push(...wrap(how).map((line, index) => `    ${index === 0 ? 'how      ' : '         '}${line}`))
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** The parts that do not hold. */
export function failuresOf(parts: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(parts).flatMap(([what, holds]) => (holds ? [] : [what]))
}

const WIDTH = 105

function wrap(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line && line.length + word.length >= WIDTH) {
      lines.push(line)
      line = word
    } else {
      line = line ? `${line} ${word}` : word
    }
  }
  return line ? [...lines, line] : lines
}
