import { performance } from 'node:perf_hooks'
import type { Bench } from '../harness/bench.js'
import { isQuick, median, quantile, short, type Check, type Figure } from '../harness/figures.js'
import { DAYS, PER_CONVERSATION, type SeededReports } from './reports-seed.js'

const DAY_MS = 86_400_000
const ASKED = 40
const ZONE = 'Europe/Amsterdam'

/**
 * Reports of a quarter of a year at a million conversations, against the recount of the same numbers from the rows; and
 * the fold that makes the one of the other.
 */
export async function benchReports(bench: Bench, seeded: SeededReports): Promise<(Figure | Check)[]> {
  const { seeder } = bench
  const { organization, users, conversations, folded, foldSeconds } = seeded
  const rows = conversations * PER_CONVERSATION
  const [from, to] = [seeded.from, new Date(seeded.from.getTime() + DAYS * DAY_MS)]
  const [admin] = await seeder.query<{ id: string }>(`update app_user set role = 'admin' where id = $1 returning id`, [
    users[0],
  ])
  const [token] = await bench.tokens([{ id: admin!.id, organization, role: 'admin' }])
  const span = { from: from.toISOString(), to: to.toISOString() }
  const variables = { metrics: ['ACCEPTED', 'HANDLE_TIME'], by: ['DAY', 'USER'], ...span, timezone: ZONE }
  const reportMs: number[] = []
  const recountMs: number[] = []
  const cpuBefore = await bench.server.ask<number>('cpu')
  let lines = 0
  for (let round = 0; round < (isQuick() ? 3 : ASKED); round++) {
    const started = performance.now()
    lines = await report(bench.url, token!, variables)
    reportMs.push(performance.now() - started)
  }
  const cpuMs = ((await bench.server.ask<number>('cpu')) - cpuBefore) / 1_000 / reportMs.length
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    await seeder.query(RECOUNT, [organization, from, to, ZONE])
    recountMs.push(performance.now() - started)
  }
  const p95 = quantile(reportMs.slice(2), 0.95)

  const size = `${short(conversations)} conversations (${short(rows)} milestones, ${users.length} agents, ${DAYS} days)`
  return [
    {
      name: 'report of 90 days by agent and day',
      ratio: median(recountMs) / median(reportMs),
      aim: 20,
      product: `p50 ${short(median(reportMs))} ms, p95 ${short(p95)} ms (aim 250), ${lines} lines of two metrics, over HTTP; ${short(cpuMs)} ms of the server's CPU`,
      floor: `recount of the milestones: median ${short(median(recountMs))} ms, in the database alone`,
      how: `${size}; days of ${ZONE}; one request after the other.`,
    },
    {
      name: 'fold of milestones',
      ratio: folded / foldSeconds / 50_000,
      aim: 1,
      product: `${short(folded / foldSeconds)} milestones/s, ${folded} of ${rows} in ${short(foldSeconds)} s on one connection`,
      floor: '50,000 milestones/s',
      how: 'Chunks of 50,000, each in a transaction, without a server beside it.',
    },
  ]
}

async function report(url: string, token: string, variables: object): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: REPORT, variables }),
  })
  const { data, errors } = (await response.json()) as { data: { report: { lines: unknown[] } }; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data.report.lines.length
}

const REPORT = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!, $timezone: String) {
  report(metrics: $metrics, by: $by, from: $from, to: $to, timezone: $timezone) {
    lines { start user { id name } values { count averageMs } } } }`

const RECOUNT = `
select (at at time zone $4)::date as day, user_id, kind, count(*), sum(ms) from milestone
where org1 = $1 and kind in ('accepted', 'agentLeft') and at >= $2 and at < $3 group by 1, 2, 3`
