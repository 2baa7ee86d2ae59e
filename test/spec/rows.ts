import { readdirSync, readFileSync } from 'node:fs'

/** A rule of the interface specification that a test is to hold. */
export interface SpecRow {
  /** As tests cite it: `2.2 email`. */
  id: string
  section: string
  key: string
  /** In our words. */
  text: string
  /** Hashes of the statements that it is taken from, see `spec-units.ts`. One, or a row is refused. */
  marks: string[]
}

export interface SpecRows {
  rows: SpecRow[]
  /** Titles by section. */
  titles: Map<string, string>
  /** Marks of statements that hold no rule: introductions, heads, what is said to be open. */
  notes: Set<string>
}

/** Reads `docs/specification/<section>-*.md`. @throws Error for a line that is none of a table's, and for a row given twice. */
export function readSpecRows(folder: URL): SpecRows {
  const read: SpecRows = { rows: [], titles: new Map(), notes: new Set() }
  const seen = new Set<string>()
  for (const file of readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .toSorted()) {
    let section = ''
    for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n')) {
      const heading = /^## ([\d.]+) (.+)$/.exec(line)
      if (heading) {
        section = heading[1]!
        read.titles.set(section, heading[2]!)
      }
      if (heading || line === '' || line.startsWith('# ') || /^\|(-| row )/.test(line)) continue
      const [, key, text, said] = /^\| ([^|]+) \| ([^|]+) \| ((?:[0-9a-f]{8} ?)+) \|$/.exec(line) ?? []
      const marks = said?.split(' ')
      if (!key || !text || !marks) throw new Error(`${file}: ${JSON.stringify(line)} is no row`)
      if (key === '–') {
        for (const mark of marks) read.notes.add(mark)
        continue
      }
      const id = `${section} ${key}`
      if (seen.has(id)) throw new Error(`${file}: ${id} is there twice`)
      seen.add(id)
      read.rows.push({ id, section, key, text, marks })
    }
  }
  return read
}
