import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'

it('holds every row of the contract of legacy clients by a test, and cites no other', () => {
  const rows = rowsOf(readFileSync('docs/specification/legacy-clients.md', 'utf8'))
  const cited = new Set(readdirSync('test/legacy-clients').flatMap((file) => citedIn(`test/legacy-clients/${file}`)))
  expect(rows.length).toBeGreaterThan(40)
  expect(new Set(rows).size).toBe(rows.length)
  expect(rows.filter((row) => !cited.has(row))).toEqual([])
  expect([...cited].filter((row) => !rows.includes(row))).toEqual([])
})

function rowsOf(page: string): string[] {
  let section = ''
  return page.split('\n').flatMap((line) => {
    section = /^## (.+)$/.exec(line)?.[1] ?? section
    const key = /^\| ([^|]+) \| [^|]+ \|$/.exec(line)?.[1]
    return key && key !== 'row' ? [`${section}.${key}`] : []
  })
}

function citedIn(file: string): string[] {
  if (!/(?<!rows)\.test\.ts$/.test(file)) return []
  const comments = readFileSync(file, 'utf8').matchAll(/^\/\/ \[legacy ([^\]]+)\]\n(?:\/\/.*\n)*it\(/gm)
  return [...comments].flatMap(([, rows]) => rows!.split(',').map((row) => row.trim()))
}
