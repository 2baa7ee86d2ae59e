import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'

const readme = readFileSync('README.md', 'utf8')

describe('the README', () => {
  it('has every setting of config.ts in its table, and no other', () => {
    const config = readFileSync('src/config.ts', 'utf8').split('export function programEnvironment')[0]
    const settings = [...config.matchAll(/\benv\.([A-Z][A-Z0-9_]+)|\benv, '([A-Z][A-Z0-9_]+)'/g)].map((found) => found[1] ?? found[2])
    const rows = [...readme.matchAll(/^\| (`[A-Z][A-Z0-9_]+`(?:, `[A-Z][A-Z0-9_]+`)*) \|/gm)]
    const named = rows.flatMap(([, cell]) => cell.replaceAll('`', '').split(', '))
    expect(named.toSorted()).toEqual([...new Set(settings)].toSorted())
  })

  it('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target)
    expect(links.length).toBeGreaterThan(4)
    expect(links.filter((target) => !target.startsWith('http') && !existsSync(target))).toEqual([])
  })

  it('shows the scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const named = [...readme.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name)
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
  })

  it('shows the example of a live client as it is', () => {
    expect(readme).toContain(readFileSync('examples/watch-queue.js', 'utf8').trim())
  })
})
