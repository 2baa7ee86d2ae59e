import { execFileSync } from 'node:child_process'
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

const A_FILE = /^[\w.@-][\w.@/-]*\.(ts|tsx|mjs|js|md|json|ya?ml|css|html|graphql)$/
const A_PLACE = /^(src|test|bench|web|rest-compat|client|examples|docs|deploy|\.ci)\/(?!generated)[\w./-]*$/

const A_NAME = /[A-Za-z_]\w*/g
/** Names of PostgreSQL, OpenTelemetry and other programs, of platforms, and beginnings and ends of names. */
const OF_OTHERS =
  /^(?:pg_\w+|OTEL_\w+|\w+_|_\w+|cl_waiting|flush_lag|write_lag|restart_lsn|slot_name|sync_state|timeline_id|parentbased_always_on|process_unhealthy_cluster|generateRequestDetails|SendAsApp|message_deliveries|message_reads|messaging_postbacks)$/

/** Folders that contain a path, from the outermost. */
const ancestorsOf = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

describe('the pages', () => {
  it('list every setting of config.ts, and no other', () => {
    const files = ['src/platform/database-config.ts', 'src/platform/config.ts'].map((path) =>
      readFileSync(path, 'utf8'),
    )
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

  it('name files and folders of the source that exist', () => {
    const listed = (args: string[]) => execFileSync('git', ['ls-files', ...args], { encoding: 'utf8' }).split('\n')
    const files = new Set([...listed([]), ...listed(['--others', '--exclude-standard'])])
    const folders = new Set([...files].flatMap((path) => ancestorsOf(path)))
    const bases = new Set([...files].flatMap((path) => [...ancestorsOf(path), ''].map((at) => path.slice(at.length))))
    const named = [...pages, { path: 'SECURITY.md', text: readFileSync('SECURITY.md', 'utf8') }]
      .filter(({ path }) => path !== 'CHANGELOG.md')
      .flatMap(({ path, text }) =>
        [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\s<>*{}$]+)`/g)].map(([, name]) => ({
          path,
          name: name!,
        })),
      )
      .filter(({ name }) => A_FILE.test(name) || A_PLACE.test(name))
    expect(named.length).toBeGreaterThan(200)
    const missing = named.filter(
      ({ name }) => !bases.has(`/${name}`) && !bases.has(name) && !folders.has(name.replace(/\/$/, '')),
    )
    expect(missing).toEqual([])
  })

  it('name in backticks what the source has, in camel or snake case', () => {
    const sources = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
      .split('\n')
      .filter((path) => /\.(?:tsx?|mjs|js|json|ya?ml|graphql|sql|css)$/.test(path) && !path.startsWith('package-lock'))
      .filter((path) => existsSync(path))
    const known = new Set(sources.flatMap((path) => readFileSync(path, 'utf8').match(A_NAME) ?? []))
    // Metrics are named without their first word, and those of shares without their last one.
    const isKnown = (name: string): boolean =>
      known.has(name) || OF_OTHERS.test(name) || known.has(name.replaceAll(/^switchboard_|_(?:waiting|running)$/g, ''))
    const named = pages
      .filter(({ path }) => path !== 'CHANGELOG.md')
      .flatMap(({ path, text }) =>
        [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)]
          .flatMap(([, code]) => code!.match(A_NAME) ?? [])
          .filter((name) => /[a-z][A-Z]|\w_\w/.test(name))
          .map((name) => ({ path, name })),
      )
    expect(named.length).toBeGreaterThan(500)
    expect(named.filter(({ name }) => !isKnown(name))).toEqual([])
  })

  it('name only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => `${path}: ${name}`),
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
