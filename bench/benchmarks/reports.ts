import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Sql } from '../../src/db/database.js'
import { foldChunk } from '../../src/reports/fold.js'
import { readWaiting } from '../../src/reports/wallboard-state.js'
import type { Bench } from '../harness/bench.js'
import { isQuick, median, quantile, short, type Check, type Figure } from '../harness/figures.js'

/** `BENCH_CONVERSATIONS` for machines that cannot hold a million. */
const CONVERSATIONS = Number(process.env.BENCH_CONVERSATIONS ?? 1_000_000)
const DAYS = 90
const AGENTS = 100
const OPEN = 10_000
const BATCH = 10_000
const ASKED = 40

/**
 * Reports of a quarter of a year at a million conversations, against the recount of the same numbers from the rows; the
 * fold that makes the one of the other; and a wallboard's read at 10,000 waiting conversations.
 */
export async function benchReports(bench: Bench): Promise<(Figure | Check)[]> {
  const { seeder } = bench
  const conversations = isQuick() ? 5_000 : CONVERSATIONS
  const { organization, agents, channel } = await seeder.organization(AGENTS)
  const to = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const from = to - DAYS * 86_400_000
  const users = agents.map(({ id }) => id)
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  // While this transaction is open, the server folds nothing that is committed after it began.
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  for (let first = 0; first < conversations; first += BATCH) {
    const last = Math.min(conversations, first + BATCH)
    await seeder.query(MILESTONES, [organization, users, channel, new Date(from), first, last, DAYS, conversations])
  }
  await seeder.query('vacuum analyze milestone')
  const sql: Sql = {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, values as unknown[])).rows as Row[],
  }
  const rows = conversations * PER_CONVERSATION
  await client.query('rollback')
  const foldStarted = performance.now()
  let folded = 0
  for (let isUnfinished = true; isUnfinished;) {
    await client.query('begin')
    const progress = await foldChunk(sql, organization)
    await client.query('commit')
    folded += progress.rows
    isUnfinished = progress.isUnfinished
  }
  const foldSeconds = (performance.now() - foldStarted) / 1_000
  await seeder.query('vacuum analyze report_slot')
  await seeder.query('vacuum analyze report_group')

  const [admin] = await seeder.query<{ id: string }>(`update app_user set role = 'admin' where id = $1 returning id`, [
    users[0],
  ])
  const [token] = await bench.tokens([{ id: admin!.id, organization, role: 'admin' }])
  const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const variables = { metrics: ['ACCEPTED', 'HANDLE_TIME'], by: ['DAY', 'USER'], ...span, timezone: ZONE }
  const reportMs: number[] = []
  const recountMs: number[] = []
  let lines = 0
  for (let round = 0; round < (isQuick() ? 2 : ASKED); round++) {
    const started = performance.now()
    lines = await report(bench.url, token!, variables)
    reportMs.push(performance.now() - started)
    if (round % 10 > 0) continue
    const recountStarted = performance.now()
    await seeder.query(RECOUNT, [organization, new Date(from), new Date(to), ZONE])
    recountMs.push(performance.now() - recountStarted)
  }
  const p95 = quantile(reportMs.slice(2), 0.95)

  await seeder.query(WAITING, [organization, channel, isQuick() ? 100 : OPEN])
  await seeder.query('vacuum analyze conversation')
  const tickMs: number[] = []
  for (let round = 0; round < ASKED; round++) {
    const started = performance.now()
    await readWaiting(sql, organization)
    tickMs.push(performance.now() - started)
  }
  await client.end()
  const size = `${short(conversations)} conversations (${short(rows)} milestones, ${AGENTS} agents, ${DAYS} days)`
  return [
    {
      name: 'report of 90 days by agent and day',
      ratio: median(recountMs) / median(reportMs),
      aim: 20,
      product: `p50 ${short(median(reportMs))} ms, p95 ${short(p95)} ms (aim 250), ${lines} lines of two metrics, over HTTP`,
      floor: `recount of the milestones: median ${short(median(recountMs))} ms, in the database alone`,
      how: `${size}; days of ${ZONE}; one request after the other.`,
    },
    {
      name: 'fold of milestones',
      ratio: folded / foldSeconds / 50_000,
      aim: 1,
      product: `${short(folded / foldSeconds)} milestones/s, ${folded} of ${rows} in ${short(foldSeconds)} s on one connection`,
      floor: '50,000 milestones/s',
      how: 'Chunks of 50,000, each in a transaction; until then a transaction kept the server from folding them by itself.',
    },
    {
      name: 'wallboard tick',
      ratio: 10 / median(tickMs),
      aim: 1,
      product: `p50 ${short(median(tickMs))} ms, p95 ${short(quantile(tickMs, 0.95))} ms`,
      floor: '10 ms',
      how: `The one statement of an organization with ${OPEN} waiting conversations.`,
    },
  ]
}

const ZONE = 'Europe/Amsterdam'
const PER_CONVERSATION = 5

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

/** Ten hours of each day; an agent serves one team, by two touchpoints, in four categories. */
const MILESTONES = `
with made as (
  select n, gen_random_uuid() as id, ($2::uuid[])[1 + n % cardinality($2::uuid[])] as agent,
    $4::timestamptz + (n::bigint * $7 / $8::int)::int % $7 * interval '1 day'
      + interval '7 hours' + random() * interval '10 hours' as at,
    case when random() < 0.7 then 'web' else 'email' end as touchpoint, 'topic ' || (random() * 3)::int as category,
    (exp(random() * 8) * 1000)::bigint as wait, (exp(random() * 3 + 4) * 1000)::bigint as handle
  from generate_series($5::int, $6::int - 1) as n)
insert into milestone (conversation_id, nth, kind, at, org1, user_id, channels, touchpoint, category, ms, turn)
select id, s.nth, s.kind, at + s.later * interval '1 millisecond', $1, case when s.by_agent then agent end,
  array[$3::uuid], touchpoint, category, s.ms, s.turn
from made cross join lateral (values
  (1, 'created', 0, false, null::bigint, null::int),
  (2, 'queued', 0, false, null, null),
  (3, 'accepted', wait, true, wait, null),
  (4, 'agentTurn', wait, true, wait, 1),
  (5, 'agentLeft', wait + handle, true, handle, null)) as s(nth, kind, later, by_agent, ms, turn)`

const RECOUNT = `
select (at at time zone $4)::date as day, user_id, kind, count(*), sum(ms) from milestone
where org1 = $1 and kind in ('accepted', 'agentLeft') and at >= $2 and at < $3 group by 1, 2, 3`

const WAITING = `
insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, touchpoint,
  channels, queued_at, waiting_since)
select gen_random_uuid(), $1, $1, now(), now(), 'contact', 'Swift Otter', gen_random_uuid()::text, 'queued', 'web',
  array[$2::uuid], now(), now() from generate_series(1, $3::int)`
