import { systemClock } from '../../src/platform/db/clock.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import { inTurns, isQuick, medianOf, median, short, type Figure } from '../harness/figures.js'
import type { Seed } from '../harness/seed.js'
import { TEXT } from './agent-sends.js'
import { SEND } from './send.js'

const ROUNDS = { rounds: 5, warmUpMs: 3_000, roundMs: 4_000 }
/** Old conversations of a run; a run that ends within its round would have sends alone for the rest of it. */
const OLD = 12_000
const MESSAGES = 5
const DAYS = 30
const CONCURRENCY = 8
/** Sends a second that the figure is measured beside: what is left of the machine is retention's. */
const AIM_PER_SECOND = 2_000
const AIM_P95 = 1.05
const GIVEN_UP_MS = 600_000

const CREATE = `mutation ($days: Int!) {
  createRetentionPolicy(input: { subject: CONVERSATIONS, days: $days, confirmed: true }) { id } }`

/**
 * A run of a retention policy: closed conversations with their messages and participants, from its beginning until they and what
 * they left are erased, alone and beside agents who send; and what these notice of it.
 */
export async function benchRetention(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const old = await seeder.organization(2)
  const policy = await makePolicy(bench, old.organization)
  const aloneMs = await run(bench, old, policy)
  const busy = await seeder.organization(20)
  const conversations = await seeder.conversations(busy, 2_000)
  await seeder.settle()
  const tokens = await bench.tokens(busy.agents)
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  const bodies = conversations.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
  const send = (ms: number): Promise<HttpResult> =>
    bench.http({ method: 'POST', path: '/graphql', tokens, bodies, concurrency: CONCURRENCY, ms })
  const rates: number[] = []
  const beside = async (ms: number): Promise<HttpResult> => {
    await insertOld(bench, old, OLD)
    await begin(bench, policy)
    const [since, before] = [performance.now(), await countOld(bench, old)]
    const sent = await send(ms)
    rates.push(((before - (await countOld(bench, old))) / (performance.now() - since)) * 1_000)
    await end(bench, old, policy)
    return sent
  }
  const [alone, together] = (await inTurns(ROUNDS, [send, beside])) as [HttpResult[], HttpResult[]]
  const line = (of: readonly HttpResult[]): string =>
    `p50 ${short(medianOf(of, 'p50Ms'))}, p95 ${short(medianOf(of, 'p95Ms'))} ms, ${short(medianOf(of, 'perSecond'))} sends/s`
  const perSecond = median(rates.slice(1))
  const size = isQuick() ? OLD / 100 : OLD
  const how =
    `Closed conversations of ${MESSAGES} messages and two participants, all due, loaded in bulk; a run of a policy made through GraphQL. ` +
    `Sends of agents of another contact center at a concurrency of ${CONCURRENCY}, from another process; medians of ${ROUNDS.rounds} alternating ` +
    `rounds of ${ROUNDS.roundMs / 1_000} s.`
  return [
    {
      name: 'conversations erased by retention, alone',
      ratio: (size / aloneMs) * (1_000 / AIM_PER_SECOND),
      aim: 1,
      product: `${short((size / aloneMs) * 1_000)}/s: ${size} in ${short(aloneMs)} ms, with what they left in jobs, events, webhooks and answers`,
      floor: `the aim itself, ${AIM_PER_SECOND}/s`,
      how,
    },
    {
      name: 'conversations erased by retention, beside sends',
      ratio: perSecond / AIM_PER_SECOND,
      aim: 1,
      product: `${short(perSecond)}/s`,
      floor: `the aim itself, ${AIM_PER_SECOND}/s`,
      how,
    },
    {
      name: 'p95 of sends beside retention',
      ratio: medianOf(together, 'p95Ms') / medianOf(alone, 'p95Ms'),
      aim: AIM_P95,
      isTime: true,
      product: line(together),
      floor: line(alone),
      how,
    },
  ]
}

async function makePolicy(bench: Bench, organization: string): Promise<string> {
  const id = systemClock.newId()
  await bench.seeder.query(
    `insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, display_name, provider)
     values ($1, $2, $2, now(), now(), $3, 'admin', 'active', 'Officer', 'local')`,
    [id, organization, `${id}@example.com`],
  )
  const [token] = await bench.tokens([{ id, organization, role: 'admin' }])
  const response = await fetch(`${bench.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token!}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: CREATE, variables: { days: DAYS } }),
  })
  const { data, errors } = (await response.json()) as {
    data: { createRetentionPolicy: { id: string } }
    errors?: unknown
  }
  if (errors) throw new Error(JSON.stringify(errors))
  return data.createRetentionPolicy.id
}

/** Made so long ago that nothing of them came late, see `noticedSql`. */
async function insertOld({ seeder }: Bench, { organization, agents }: Seed, count: number): Promise<void> {
  if (isQuick()) count /= 100
  await seeder.query(
    `with c as materialized (
       select ('01900000-' || substr(md5(random()::text), 1, 4) || '-7' || substr(md5(random()::text), 1, 3) || '-8' || substr(md5(random()::text), 1, 3) || '-'
         || substr(md5(random()::text), 1, 12))::uuid as id, now() - interval '90 days' as at
       from generate_series(1, $2::int)
     ), contact as (
       insert into contact (id, organization_id, org1, created_at, updated_at, profile)
       select id, $1, $1, at, at, '{"name": "Consumer"}' from c
     ), conversation as (
       insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id, touchpoint,
         message_count, last_message_at, preview)
       select id, $1, $1, at, at, 'contact', 'Swift Otter', id::text, 'closed', id, 'web', ${MESSAGES}, at, 'Where is my order?' from c
       returning id
     ), participant as (
       insert into participant (conversation_id, user_id, name, role, active, accepted, inbox, created_at, updated_at)
       select id, who, 'Agent', 'agent', false, false, false, at, at from c cross join unnest($3::uuid[]) as who
     )
     insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
     select gen_random_uuid(), $1, $1, at, at, id, n, 'chat', 'contact', 'Where is my order? I have been waiting for it since Monday'
     from c cross join generate_series(1, ${MESSAGES}) n`,
    [organization, count, agents.map(({ id }) => id)],
  )
  await seeder.settle()
}

/** Has the policy begin now, in place of tomorrow. */
async function begin({ seeder }: Bench, policy: string): Promise<void> {
  await seeder.query('update retention_policy set starts_at = now() where id = $1', [policy])
  await seeder.query(`update job set run_at = now() where kind = 'retention.begin'`)
}

async function countOld({ seeder }: Bench, { organization }: Seed): Promise<number> {
  const [row] = await seeder.query<{ count: number }>(
    `select count(*)::int as count from conversation where organization_id = $1`,
    [organization],
  )
  return row!.count
}

/** Waits until all is erased, also what it left. */
async function end({ seeder }: Bench, { organization }: Seed, policy: string): Promise<void> {
  const since = performance.now()
  for (;;) {
    const left = await seeder.query(
      `select 1 from job where kind in ('conversation.deleted', 'retention.slice')
       union all select 1 from conversation where organization_id = $1 limit 1`,
      [organization],
    )
    if (left.length === 0) break
    if (performance.now() - since > GIVEN_UP_MS) throw new Error('retention did not end')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const [last] = await seeder.query<{ failed: number; status: string }>(
    'select failed, status from retention_run where policy_id = $1 order by id desc limit 1',
    [policy],
  )
  if (last?.status !== 'done' || last.failed > 0) throw new Error(`the run: ${JSON.stringify(last)}`)
}

async function run(bench: Bench, old: Seed, policy: string): Promise<number> {
  await insertOld(bench, old, OLD)
  const since = performance.now()
  await begin(bench, policy)
  await end(bench, old, policy)
  return performance.now() - since
}
