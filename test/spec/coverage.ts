import { existsSync, readFileSync } from 'node:fs'
import { readCitations, type Citation } from './citations.ts'
import { readSpecRows, type SpecRows } from './rows.ts'
import { readSpecUnits } from './spec-units.ts'

/**
 * `npm run spec:coverage [-- path/to/interface.md]`: each row of the interface specification, and the tests that cite
 * it. Fails when a row has none or holds several statements, when a test cites what is no row, and, where the specification
 * is found, when a statement of it has no row or a row's statement has changed.
 */
function main(path = '../shared/spec/interface.md'): void {
  const spec = readSpecRows(new URL('../../docs/specification/', import.meta.url))
  const citations = readCitations(new URL('../', import.meta.url))
  const known = new Set(spec.rows.map(({ id }) => id))
  const problems = citations
    .filter(({ row }) => !known.has(row))
    .map(({ row, file, line }) => `test/${file}:${line} cites [${row}], which is no row`)
  const uncovered = printRows(
    spec,
    Map.groupBy(citations, ({ row }) => row),
  )
  problems.push(...uncovered.map((row) => `[${row}] is cited by no test`))
  problems.push(
    ...spec.rows.filter(({ marks }) => marks.length > 1).map(({ id }) => `[${id}] is of several statements: split it`),
  )
  const isThere = existsSync(path)
  if (isThere) problems.push(...unlike(spec, path))
  const tests = new Set(citations.map(({ file, test }) => `${file} ${test}`))
  const open = new Set(uncovered)
  const held = new Set(spec.rows.filter(({ id }) => !open.has(id)).flatMap(({ marks }) => marks))
  const stated = new Set([...spec.rows.flatMap(({ marks }) => marks), ...spec.notes])
  print(
    `${spec.rows.length} rows, ${spec.rows.length - uncovered.length} of them cited by ${tests.size} tests; ` +
      `of ${stated.size} statements ${held.size} are held and ${stated.size - held.size} state nothing to hold; ` +
      (isThere ? `compared with ${path}` : `${path} is not here: the rows are not compared with it`),
  )
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}

/** @returns the rows that no test cites */
function printRows({ rows, titles }: SpecRows, cited: Map<string, Citation[]>): string[] {
  const uncovered: string[] = []
  for (const [section, inSection] of Map.groupBy(rows, (row) => row.section)) {
    print(`${section} ${titles.get(section)}`)
    for (const { id, key, text } of inSection) {
      const tests = [...new Map((cited.get(id) ?? []).map((each) => [`${each.file}: ${each.test}`, each])).keys()]
      if (tests.length === 0) uncovered.push(id)
      print(`  ${tests.length > 0 ? '✓' : '✗'} ${key}: ${text}`)
      for (const test of tests) print(`      ${test}`)
    }
    print('')
  }
  return uncovered
}

/** Finds where the rows and the specification differ. */
function unlike({ rows, notes }: SpecRows, path: string): string[] {
  const units = readSpecUnits(readFileSync(path, 'utf8'))
  const marks = new Set(rows.flatMap((row) => row.marks))
  const present = new Set(units.map(({ mark }) => mark))
  return [
    ...units
      .filter(({ mark }) => !marks.has(mark) && !notes.has(mark))
      .map(
        ({ section, line, text, mark }) =>
          `${path}:${line} (${section}) has no row, mark ${mark}: ${text.slice(0, 80)}`,
      ),
    ...rows.flatMap((row) =>
      row.marks.filter((mark) => !present.has(mark)).map((mark) => `[${row.id}] has mark ${mark} of no statement`),
    ),
  ]
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

main(process.argv[2])
