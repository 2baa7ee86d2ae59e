import { insertCenter } from '../../src/modules/organizations/center-rows.js'
import 'reflect-metadata'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { PlaceReader } from '../../src/modules/conversations/place/place-reader.js'
import { inTurnSql } from '../../src/modules/conversations/writer/in-turn.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Sql } from '../../src/platform/db/database.js'
import { readWaiting } from '../../src/modules/reports/wallboard-state.js'
import { CompiledSchedules } from '../../src/modules/schedules/current-schedule.js'
import type { Bench } from '../harness/bench.js'
import { isQuick, median, quantile, short, type Figure } from '../harness/figures.js'
import { sqlOf } from './reports-seed.js'

const SHOWN = 10_000
const IN_LINE = 100_000
const ASKED = 1_000
const CHANNELS = 20
const ROUNDS = 25
const TICK_MS_MAX = 10

/** Measures what screens and consumers are shown of what waits: a wallboard's read, and places in a long line. */
export async function benchWaiting(bench: Bench): Promise<Figure[]> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  const sql = sqlOf(client)
  try {
    const [shown, inLine] = isQuick() ? [100, 1_000] : [SHOWN, IN_LINE]
    const tenant = await seed(bench, shown)
    const ticks = await timesOf(() => readWaiting(sql, tenant, new Date()))
    await seed(bench, inLine - shown, tenant)
    return [tickFigure(ticks), await placesFigure(bench, sql, tenant)]
  } finally {
    await client.end()
  }
}

const tickFigure = (times: readonly number[]): Figure => ({
  name: 'wallboard tick',
  ratio: TICK_MS_MAX / median(times),
  aim: 1,
  product: `p50 ${short(median(times))} ms, p95 ${short(quantile(times, 0.95))} ms`,
  floor: `${TICK_MS_MAX} ms`,
  how: `The one statement of an organization with ${short(SHOWN)} waiting conversations in ${CHANNELS} channels, of which a tenth is overdue and a tenth at risk.`,
})

async function placesFigure(bench: Bench, sql: Sql, tenant: string): Promise<Figure> {
  const rows = await bench.seeder.query<{ id: string }>(
    'select id from conversation where org1 = $1 order by random() limit $2',
    [tenant, ASKED],
  )
  const ids = rows.map(({ id }) => id)
  const reads = { ...sql, snapshot: () => Promise.reject(new Error('places are read without')) }
  const database = { readsOf: () => reads }
  const places = new PlaceReader({ database, clock: systemClock, compiled: new CompiledSchedules() })
  const product = await timesOf(() => places.readAll(tenant, ids))
  const floor = await timesOf(() => numberAll(sql, tenant))
  return {
    name: `places of ${short(ASKED)} in a line of ${short(IN_LINE)}`,
    ratio: median(product) / median(floor),
    aim: 2,
    isTime: true,
    product: `p50 ${short(median(product))} ms, p95 ${short(quantile(product, 0.95))} ms, with the pace of their channels`,
    floor: `the same rows numbered by bare SQL: p50 ${short(median(floor))} ms`,
    how: `${CHANNELS} channels that tell places; a conversation waits in one of them, or in two. A node pauses twenty times as long between two.`,
  }
}

const numberAll = (sql: Sql, tenant: string): Promise<unknown> =>
  sql.query(
    `select max(turn) from (
       select row_number() over (order by ${inTurnSql('c')}) as turn from conversation c
       where c.org1 = $1 and c.status = 'queued') numbered`,
    [tenant],
  )

async function timesOf(read: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  // Prepared statements have their last plan after five.
  for (let round = -6; round < (isQuick() ? 1 : ROUNDS); round++) {
    const startedAt = performance.now()
    await read()
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  return times
}

/** Adds conversations that wait. @returns the contact center */
async function seed({ seeder }: Bench, count: number, known?: string): Promise<string> {
  const tenant = known ?? (await insertCenter(seeder, systemClock, 'Waiting')).id
  if (!known) await seeder.query(CHANNELS_OF, [tenant, CHANNELS])
  await seeder.query(WAITING, [tenant, count])
  if (!known) await seeder.query(ACCEPTS, [tenant])
  await seeder.query('vacuum analyze conversation')
  return tenant
}

const CHANNELS_OF = `
insert into channel (id, organization_id, org1, created_at, updated_at, name, assignment)
select gen_random_uuid(), $1, $1, now(), now(), 'Channel ' || n, '{"tellPlace": true}' from generate_series(1, $2::int) n`

const WAITING = `
with channels as (select array_agg(id order by name) as ids from channel where org1 = $1)
insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, touchpoint,
  channels, queued_at, waiting_since, next_due, risk_at, urgency)
select gen_random_uuid(), $1, $1, now(), now(), 'contact', 'Swift Otter', gen_random_uuid()::text, 'queued', 'web',
  case when n % 3 = 0 then array[ids[1 + n % cardinality(ids)], ids[1 + (n + 1) % cardinality(ids)]]
    else array[ids[1 + n % cardinality(ids)]] end,
  now() - n * interval '1 ms', now() - n * interval '1 ms',
  now() + case when n % 10 = 0 then interval '-1 minute' else n * interval '10 ms' + interval '10 minutes' end,
  now() + case when n % 10 < 2 then interval '-2 minutes' else interval '5 minutes' end,
  case when n % 10 = 0 then 2 when n % 10 = 1 then 1 else 0 end
from channels, generate_series(1, $2::int) as n`

/** 50,000 in two hours. */
const ACCEPTS = `
insert into milestone (conversation_id, nth, kind, at, org1, channels, ms)
select gen_random_uuid(), 1, 'accepted', now() - n * interval '140 ms', $1, array[ids[1 + n % cardinality(ids)]], 1000
from (select array_agg(id order by name) as ids from channel where org1 = $1) channels, generate_series(1, 50000) n`
