import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const README_BYTES_MAX = 8192
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const textOf = (path: string) => pages.find((page) => page.path === path)!.text

describe('the pages', () => {
  it('list every setting of config.ts, and no other', () => {
    const files = ['src/database-config.ts', 'src/config.ts'].map((path) => readFileSync(path, 'utf8'))
    const config = files.join('\n').split('export function programEnvironment')[0]
    const settings = [...config!.matchAll(/\benv\.([A-Z][A-Z0-9_]+)|\benv,\s*'([A-Z][A-Z0-9_]+)'/g)].map(
      (found) => found[1] ?? found[2],
    )
    // Of OpenTelemetry's own the one that turns it on: docs/operating/traces.md has the others.
    settings.push('OTEL_EXPORTER_OTLP_ENDPOINT')
    const rows = [
      ...textOf('docs/operating/settings.md').matchAll(/^\| (`[A-Z][A-Z0-9_]+`(?:, `[A-Z][A-Z0-9_]+`)*) \|/gm),
    ]
    const named = rows.flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '))
    expect(named.toSorted()).toEqual([...new Set(settings)].toSorted())
    const examples = [...readFileSync('.env.example', 'utf8').matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name)
    expect(examples).toEqual(named)
  })

  it('link to files that exist', () => {
    const links = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => ({ path, target, file: normalize(join(dirname(path), target)) })),
    )
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ file }) => !existsSync(file))).toEqual([])
  })

  it('can all be reached from the README', () => {
    const reached = new Set(['README.md'])
    for (const path of reached) {
      const text = pages.find((page) => page.path === path)?.text ?? ''
      for (const [, target] of text.matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)) {
        if (!/^[a-z]+:/.test(target!)) reached.add(normalize(join(dirname(path), target!)))
      }
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([])
  })

  it('name only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => `${path}: ${name}`),
    )
    expect([...new Set(named)].filter((entry) => !Object.hasOwn(scripts, entry.split(': ')[1]!))).toEqual([])
  })

  it('show the example of a live client unchanged', () => {
    expect(textOf('docs/guide/live.md')).toContain(readFileSync('examples/watch-queue.js', 'utf8').trim())
  })

  it('begin with a README of at most 8 KB', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(README_BYTES_MAX)
  })
})
