import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isInstalled } from './support/programs.js'
import { startTestServer, type TestServer } from './support/test-server.js'

const ALERTS = 'deploy/prometheus/alerts.yml'
const DASHBOARD = 'deploy/grafana/switchboard.json'
const METRIC = /\b(?:switchboard|process|nodejs)_[a-z0-9_]+/g

interface Dashboard {
  panels: { targets: { expr: string }[] }[]
}

const alerts = readFileSync(ALERTS, 'utf8')
const alertNames = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

const withPromtool = isInstalled('promtool') ? describe : describe.skip

withPromtool('promtool says that the alert rules', () => {
  it('each fire on purpose, and stay silent for a healthy node', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: 'deploy/prometheus',
      encoding: 'utf8',
    })
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' })
    const tested = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8')
    expect(alertNames.length).toBeGreaterThan(10)
    for (const name of alertNames) expect(tested).toContain(`name: ${name} fires`)
  })
})

describe('the alert rules', () => {
  const runbook = readFileSync('docs/operating/runbook.md', 'utf8')
  const pages = new Map(
    runbook
      .split(/^## /m)
      .slice(1)
      .map((page) => [anchorOf(page.slice(0, page.indexOf('\n'))), page]),
  )
  const linked = [...alerts.matchAll(/runbook_url: .*docs\/operating\/runbook\.md#([a-z0-9_-]+)'/g)].map(
    ([, anchor]) => anchor!,
  )

  it('each link their page of the runbook', () => {
    expect(linked).toHaveLength(alertNames.length)
    expect(linked.filter((anchor) => !pages.has(anchor))).toEqual([])
  })

  it.each([...new Set(linked)])(
    'have a page that tells what %s means, where to look, what to do and what never',
    (anchor) => {
      const page = pages.get(anchor)!
      expect(['**Means**', '**Look**', '**Do**', '**Do not**'].filter((part) => !page.includes(part))).toEqual([])
    },
  )
})

describe('the alert rules and the dashboard', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  it('name only metrics that a node has', async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    // A node of a test has another clock, and no replicas.
    known.add('switchboard_clock_skew_seconds')
    known.add('switchboard_replica_lag_seconds')
    known.add('switchboard_replica_reads')
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(shown.length).toBeGreaterThan(15)
    const rules = [...alerts.matchAll(/expr: (.*)$/gm)].map(([, expr]) => expr!)
    const named = new Set([...shown, ...rules].flatMap((expr) => expr.match(METRIC) ?? []))
    const unknown = [...named].filter(
      (name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')),
    )
    expect(unknown).toEqual([])
  })
})

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
}
