import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Sql } from '../../src/platform/db/database.js'
import { foldChunk } from '../../src/modules/reports/fold.js'
import { isQuick } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import { Seeder } from '../harness/seed.js'

/** `BENCH_CONVERSATIONS` for machines that cannot hold a million. */
const CONVERSATIONS = isQuick() ? 5_000 : Number(process.env.BENCH_CONVERSATIONS ?? 1_000_000)
/**
 * Bound of a run that may not last as long as all of it takes: the next one goes on in the same `DATABASE_URL_REPORTS`.
 */
const SECONDS_MAX = Number(process.env.BENCH_SECONDS ?? Infinity)
export const DAYS = 90
const DAY_MS = 86_400_000
const AGENTS = 100
const BATCH = 10_000

/** Description of what a database was filled with, kept in it. */
export interface SeededReports {
  organization: string
  users: string[]
  channel: string
  from: Date
  conversations: number
  /** Conversations that are there. */
  done: number
  folded: number
  foldSeconds: number
}

export const agentsOf = ({ users }: SeededReports): number => users.length
export const PER_CONVERSATION = 5

/**
 * Fills a database with the milestones of a quarter of a year, and folds them, on one connection and without a server that
 * would fold them too.
 * @returns null if it has to go on in another run
 */
export async function prepareReports(databaseUrl: string): Promise<SeededReports | null> {
  const until = performance.now() + SECONDS_MAX * 1_000
  await migrate(databaseUrl)
  const seeder = new Seeder(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const seeded = await read(seeder)
    for (; seeded.done < seeded.conversations; seeded.done += BATCH) {
      if (performance.now() > until) return goOn(`${seeded.done} of ${seeded.conversations} conversations are there`)
      const { organization, users, channel, from, conversations, done } = seeded
      const last = Math.min(conversations, done + BATCH)
      await seeder.query(MILESTONES, [organization, users, channel, from, done, last, DAYS, conversations])
      await seeder.query('update bench_reports set done = $1', [last])
      if (last === conversations) await seeder.query('vacuum analyze milestone')
    }
    for (let isUnfinished = true; isUnfinished;) {
      if (performance.now() > until) return goOn(`${seeded.folded} milestones are folded`)
      const started = performance.now()
      await client.query('begin')
      const progress = await foldChunk(sqlOf(client), seeded.organization)
      await client.query('commit')
      isUnfinished = progress.isUnfinished
      if (progress.rows === 0) continue
      seeded.folded += progress.rows
      seeded.foldSeconds += (performance.now() - started) / 1_000
      await seeder.query('update bench_reports set folded = $1, fold_seconds = $2', [seeded.folded, seeded.foldSeconds])
    }
    await seeder.query('vacuum analyze report_slot, report_group')
    return seeded
  } finally {
    await client.end()
    await seeder.close()
  }
}

export const sqlOf = (client: pg.Client): Sql => ({
  query: async <Row>(text: string, values: readonly unknown[] = [], name?: string) =>
    (await client.query({ text, values: values as unknown[], name })).rows as Row[],
})

function goOn(far: string): null {
  process.stdout.write(`reports: ${far}; run it again to go on\n`)
  return null
}

async function migrate(databaseUrl: string): Promise<void> {
  const server = new Worker('bench/harness/server-process.js')
  try {
    await server.ask('start', { databaseUrl })
    await server.ask('close')
  } finally {
    await server.stop()
  }
}

async function read(seeder: Seeder): Promise<SeededReports> {
  await seeder.query(`create table if not exists bench_reports (organization uuid, users uuid[], channel uuid,
    "from" timestamptz, conversations int, done int, folded int, fold_seconds float8)`)
  const select = 'select *, fold_seconds as "foldSeconds" from bench_reports'
  const [known] = await seeder.query<SeededReports>(select)
  if (known) return known
  const { organization, agents, channel } = await seeder.organization(AGENTS)
  const from = new Date(Math.floor(Date.now() / DAY_MS - DAYS) * DAY_MS)
  const users = agents.map(({ id }) => id)
  await seeder.query('insert into bench_reports values ($1, $2, $3, $4, $5, 0, 0, 0)', [
    ...[organization, users, channel, from, CONVERSATIONS],
  ])
  return (await seeder.query<SeededReports>(select))[0]!
}

/** Ten hours of each day; an agent serves one team, by two touchpoints, in four categories. */
export const MILESTONES = `
with placed as (
  select n, $4::timestamptz + (n::bigint * $7 / $8::int)::int % $7 * interval '1 day'
      + interval '7 hours' + random() * interval '10 hours' as at
  from generate_series($5::int, $6::int - 1) as n),
made as (
  -- Ids begin with the time, as those of the product do.
  select n, at, (lpad(to_hex((date_part('epoch', at) * 1000)::bigint), 12, '0') || substr(md5(random()::text || n), 1, 20))::uuid as id, ($2::uuid[])[1 + n % cardinality($2::uuid[])] as agent,
    case when random() < 0.7 then 'web' else 'email' end as touchpoint, 'topic ' || (random() * 3)::int as category,
    (exp(random() * 8) * 1000)::bigint as wait, (exp(random() * 3 + 4) * 1000)::bigint as handle
  from placed)
insert into milestone (conversation_id, nth, kind, at, org1, user_id, channels, touchpoint, category, ms, turn)
select id, s.nth, s.kind, at + s.later * interval '1 millisecond', $1, case when s.by_agent then agent end,
  array[$3::uuid], touchpoint, category, s.ms, s.turn
from made cross join lateral (values
  (1, 'created', 0, false, null::bigint, null::int),
  (2, 'queued', 0, false, null, null),
  (3, 'accepted', wait, true, wait, null),
  (4, 'agentTurn', wait, true, wait, 1),
  (5, 'agentLeft', wait + handle, true, handle, null)) as s(nth, kind, later, by_agent, ms, turn)`
