import { Random } from '../../bench/fuzz/random.ts'
import { readCitations } from './citations.ts'
import { readSpecRows } from './rows.ts'

/**
 * `node test/spec/draw.ts 20 29112026`: draws rows at random, to break each in the code and see its test fail. The same seed
 * draws the same rows.
 */
function main(count: number, seed: number): void {
  const { rows } = readSpecRows(new URL('../../docs/specification/', import.meta.url))
  const cited = Map.groupBy(readCitations(new URL('../', import.meta.url)), ({ row }) => row)
  const random = new Random(seed)
  const drawn = rows.map((row) => ({ row, place: random.next() })).toSorted((one, other) => one.place - other.place)
  process.stdout.write(`seed ${seed}\n`)
  for (const { row } of drawn.slice(0, count)) {
    process.stdout.write(`[${row.id}] ${row.text}\n`)
    for (const { file, line, test } of cited.get(row.id) ?? []) process.stdout.write(`  test/${file}:${line} ${test}\n`)
  }
}

main(Number(process.argv[2] ?? 20), Number(process.argv[3] ?? Date.now()))
