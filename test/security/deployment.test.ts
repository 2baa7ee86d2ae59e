import { describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { stagesOf } from './dockerfile.js'

const compose = readFileSync('docker-compose.yml', 'utf8')

/** Those that Scorecard has, by its own page. */
const CHECKS = [
  'Binary-Artifacts',
  'Branch-Protection',
  'CI-Tests',
  'CII-Best-Practices',
  'Code-Review',
  'Contributors',
  'Dangerous-Workflow',
  'Dependency-Update-Tool',
  'Fuzzing',
  'License',
  'Maintained',
  'Packaging',
  'Pinned-Dependencies',
  'SAST',
  'SBOM',
  'Security-Policy',
  'Signed-Releases',
  'Token-Permissions',
  'Vulnerabilities',
  'Webhooks',
]

/** The text below a key, by its indentation. */
function below(text: string, key: string, indent: number): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`${' '.repeat(indent)}${key}:`))
  expect([key, start]).not.toEqual([key, -1])
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith(' '.repeat(indent + 1)))
  return rest.slice(0, end < 0 ? undefined : end).join('\n')
}

const services = below(compose, 'services', 0)
const names = [...services.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name!)

describe('the workflows', () => {
  const workflows = globSync('.github/workflows/*.yml').map((path) => readFileSync(path, 'utf8'))

  it('may only read, but for the findings of the static analysis, and run actions of a commit', () => {
    expect(workflows.length).toBeGreaterThan(1)
    for (const workflow of workflows) {
      expect(below(workflow, 'permissions', 0)).toBe('  contents: read')
      const written = [...workflow.matchAll(/([\w-]+): write/g)].map(([, scope]) => scope)
      expect(written).toEqual(workflow.includes('github/codeql-action/analyze@') ? ['security-events'] : [])
      expect(workflow).not.toMatch(/write-all|pull_request_target|\$\{\{/)
      for (const [, action] of workflow.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/)
    }
  })

  it('look at every change, and weekly, for known kinds of flaws', () => {
    const analyses = workflows.filter((workflow) => workflow.includes('github/codeql-action/analyze@'))
    expect(analyses).toHaveLength(1)
    for (const when of ['push', 'pull_request', 'schedule'])
      expect(below(analyses[0]!, 'on', 0)).toContain(`  ${when}:`)
  })
})

describe('updates of dependencies', () => {
  const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8')) as {
    updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[]
  }
  const foldersOf = (ecosystem: string): string[] =>
    updates
      .filter((update) => update['package-ecosystem'] === ecosystem)
      .flatMap(({ directory, directories }) => directories ?? [directory!])

  it('are asked for wherever something is depended on', () => {
    const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
    const foldersWith = (name: string): string[] =>
      files.filter((path) => basename(path) === name).map((path) => join('/', dirname(path)))
    expect(foldersOf('npm').toSorted()).toEqual(foldersWith('package-lock.json').toSorted())
    expect(foldersOf('docker').toSorted()).toEqual(foldersWith('Dockerfile').toSorted())
    expect(foldersOf('docker-compose')).toEqual(foldersWith('docker-compose.yml'))
    expect(foldersOf('github-actions')).toEqual(['/'])
  })
})

describe('SECURITY.md', () => {
  const text = readFileSync('SECURITY.md', 'utf8')
  /** Rows of the table below a heading, without its head. */
  const rowsBelow = (heading: string): string[] => {
    const section = text.split(`### ${heading}\n`)[1]!.split(/^##/m)[0]!
    return section.split('\n').filter((line) => line.startsWith('| '))
  }

  it('says how to report, by a link, with times', () => {
    const [, reporting] = /^## Reporting\n([\s\S]*?)^## /m.exec(text)!
    expect(reporting).toMatch(/https:\/\/\S+/)
    expect(reporting).toMatch(/vulnerabilit/i)
    expect(reporting).toMatch(/disclos/i)
    expect(reporting).toMatch(/\d+ days/)
  })

  it.each(['Ways in', 'What was tried'])('names a test for each row of "%s"', (heading) => {
    const rows = rowsBelow(heading).slice(1)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter((row) => !/`[\w/.-]+\.test\.ts` \|$/.test(row))).toEqual([])
  })

  it('answers each check of OpenSSF Scorecard', () => {
    const named = rowsBelow('OpenSSF Scorecard').map((row) => /^\| ([\w-]+) \| (\S+)/.exec(row)?.slice(1))
    expect(named.slice(1)).toEqual(CHECKS.map((check) => [check, expect.stringMatching(/^(?:yes|no|partly|host)$/)]))
  })
})

describe('docker-compose.yml', () => {
  it('has no default password', () => {
    const secrets = [...compose.matchAll(/^\s*(?:- )?(\w*(?:PASSWORD|SECRET|TOKEN)\w*)[:=] *(.*)$/gm)]
    expect(secrets.length).toBeGreaterThan(2)
    for (const [, name, value] of secrets)
      expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{\w+:(?:\?.*|-)\}$/)])
    const [, inUrl] = /postgresql:\/\/switchboard:(.*)@/.exec(compose)!
    expect(inUrl).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/)
  })

  it('gives every container a read-only root file system and no capabilities', () => {
    const confined = below(compose, 'x-confined', 0)
    expect(confined).toMatch(/^ {2}read_only: true$/m)
    expect(confined).toMatch(/^ {2}cap_drop: \[ALL\]$/m)
    expect(confined).toContain('no-new-privileges:true')
    for (const shared of ['x-node', 'x-engine']) expect(below(compose, shared, 0)).toContain('<<: *confined')
    expect(below(compose, 'x-server', 0)).toContain('<<: *node')
    expect(names).toEqual(expect.arrayContaining(['postgres', 'redis', 'node1', 'node2', 'proxy']))
    for (const name of names)
      expect([name, below(services, name, 2)]).toEqual([
        name,
        expect.stringMatching(/<<: \*(?:confined|node|engine|server)\b/),
      ])
    expect(compose).not.toMatch(/privileged: true|read_only: false|user: (?:root|['"]?0)|cap_add/)
  })

  it('runs no container as root', () => {
    for (const name of names) {
      const service = below(services, name, 2)
      const isOurs = /<<: \*(?:node|server|engine)\b/.test(service)
      // The image of the proxy has a user of its own.
      const isUnprivileged = service.includes('image: nginxinc/nginx-unprivileged')
      expect([name, isOurs || isUnprivileged || /^ {4}user: (?!root|0)\w+$/m.test(service)]).toEqual([name, true])
    }
    const engines = readFileSync('deploy/cluster/Dockerfile', 'utf8')
    expect([...engines.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user)).toEqual(['postgres'])
    const stages = stagesOf('Dockerfile')
    for (const [name, user] of [
      ['server', 'node'],
      ['bare', '1000:1000'],
    ] as const) {
      const stage = stages.get(name)!
      expect([...stage.matchAll(/^USER (\S+)$/gm)].map((found) => found[1])).toEqual([user])
      expect(stage.indexOf(`\nUSER ${user}`)).toBeLessThan(stage.indexOf('\nCMD '))
    }
  })

  it('publishes the port of the proxy alone, of the cluster its own, to this machine unless told otherwise', () => {
    const published = names.filter((name) => /^ {4}ports:/m.test(below(services, name, 2)))
    expect(published).toEqual(['proxy', 'cluster'])
    const ports = published.map((name) => below(below(services, name, 2), 'ports', 4).trim())
    expect(ports).toEqual([
      "- '${PUBLISH_ADDRESS:-127.0.0.1}:4000:4000'",
      "- '${PUBLISH_ADDRESS:-127.0.0.1}:4001:4000'",
    ])
    expect(below(compose, 'networks', 0)).toMatch(/inner:\n {4}internal: true/)
  })
})

describe('the bill of materials', () => {
  it('names what runs, with versions, and nothing that is only developed with', () => {
    const text = execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string
      components: { name: string; version: string; hashes?: unknown[] }[]
    }
    expect(bomFormat).toBe('CycloneDX')
    const found = components.map(({ name }) => name)
    expect(found).toEqual(expect.arrayContaining(['fastify', 'graphql', 'pg', 'ws']))
    expect(found).not.toContain('jest')
    expect(components.filter(({ version }) => !version)).toEqual([])
  })

  it('is written by the gate, which checks the lock file for advisories as well', () => {
    const gate = readFileSync('.ci/run', 'utf8')
    expect(gate).toMatch(/^\s*step 'sbom'/m)
    expect(gate).toMatch(/npm audit/)
  })
})
