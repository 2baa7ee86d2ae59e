import { systemClock } from '../../../src/platform/db/clock.js'
import type { Bench } from '../../harness/bench.js'
import { ask } from '../../harness/ask.js'
import { isQuick, median, quantile, short, type Figure } from '../../harness/figures.js'

/** Entries in the log while it is filtered, and those of them that are chained and verified. */
const LOGGED = 3_000_000
const CHAINED = 200_000
const VERIFIED_AT_ONCE = 10_000
const FILTERED = 60
const LOOK_MS = 50
const [AIM_CHAINED, AIM_VERIFIED, AIM_FILTER_MS] = [20_000, 100_000, 100]
const ACTIONS = ['signIn', 'updateUser', 'updateChannel', 'createToken', 'eraseContact', 'updateWorkflow']

const VERIFY = 'query ($from: Int!, $to: Int!) { verifyAudit(from: $from, to: $to) { to isWhole } }'
const FILTER = `query ($filter: AuditEntryFilter) {
  auditEntries(first: 30, filter: $filter) { edges { node { id action at actor { id } object { id } } } } }`

/** The audit log: how fast entries are chained and verified, and what one finds in ten million of them. */
export async function benchAudit(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const [chained, logged] = isQuick() ? [2_000, 20_000] : [CHAINED, LOGGED]
  const { organization, agents } = await seeder.organization(20)
  await seeder.query(`update app_user set role = 'admin' where id = $1`, [agents[0]!.id])
  const [token] = await bench.tokens([{ ...agents[0]!, role: 'admin' }])
  const people = agents.map(({ id }) => id)

  const cpuBefore = await bench.server.ask<number>('cpu')
  const beganAt = performance.now()
  await insert(bench, { organization, people, count: chained, days: 1 })
  const insertedAt = performance.now()
  await untilChained(bench, organization)
  const chainMs = performance.now() - beganAt
  const chainCpu = (await bench.server.ask<number>('cpu')) - cpuBefore

  const verifiedAt = performance.now()
  for (let from = 1; from <= chained; from += VERIFIED_AT_ONCE) {
    const to = Math.min(from + VERIFIED_AT_ONCE - 1, chained)
    const { verifyAudit } = await ask<{ verifyAudit: { isWhole: boolean } }>(bench, token!, VERIFY, { from, to })
    if (!verifyAudit.isWhole) throw new Error(`the chain is not whole from ${from} to ${to}`)
  }
  const verifyMs = performance.now() - verifiedAt

  // Chained by no product: they are only looked for.
  await insert(bench, { organization, people, count: logged - chained, days: 365, numbersFrom: chained + 1 })
  await seeder.query('vacuum analyze audit_entry')
  const times: number[] = []
  for (let turn = 0; turn < (isQuick() ? 6 : FILTERED); turn++) {
    const startedAt = performance.now()
    await ask(bench, token!, FILTER, { filter: filterOf(turn, people) })
    times.push(performance.now() - startedAt)
  }
  const p95 = quantile(times, 0.95)
  const per = (count: number, ms: number): number => (count / ms) * 1_000
  return [
    {
      name: 'entries of the audit log chained',
      ratio: per(chained, chainMs) / AIM_CHAINED,
      aim: 1,
      product: `${short(per(chained, chainMs))}/s, ${short(chainCpu / chained)} us of the server's CPU each; the last ${short(chainMs - (insertedAt - beganAt))} ms after it was written`,
      floor: `the aim itself, ${AIM_CHAINED}/s`,
      how: `${short(chained)} entries of one contact center, written in bulk while the job of a node chains them.`,
    },
    {
      name: 'entries of the audit log verified by verifyAudit',
      ratio: per(chained, verifyMs) / AIM_VERIFIED,
      aim: 1,
      product: `${short(per(chained, verifyMs))}/s`,
      floor: `the aim itself, ${AIM_VERIFIED}/s`,
      how: `${short(chained)} entries, ${short(VERIFIED_AT_ONCE)} a request over HTTP, one request after the other.`,
    },
    {
      name: `filters of the audit log among ${short(logged)} entries`,
      ratio: p95 / AIM_FILTER_MS,
      aim: 1,
      isTime: true,
      product: `p50 ${short(median(times))}, p95 ${short(p95)}, slowest ${short(Math.max(...times))} ms`,
      floor: `the aim itself, p95 ${AIM_FILTER_MS} ms`,
      how: 'First pages of 30 by action, actor, object, time and what is combined of them, also of what is rare or not there; one request after the other over HTTP.',
    },
  ]
}

interface Entries {
  organization: string
  people: readonly string[]
  count: number
  days: number
  /** Number of the first: they count as chained. */
  numbersFrom?: number
}

/** Each object has some hundred entries; one action in a thousand is an erasure. */
async function insert(bench: Bench, { organization, people, count, days, numbersFrom }: Entries): Promise<void> {
  const slice = 100_000
  for (let from = 0; from < count; from += slice) {
    await bench.seeder.query(
      `insert into audit_entry (id, organization_id, org1, number, at, action, actor, object, commitment, hash)
       select gen_random_uuid(), $1, $1, $6::bigint + n, now() - make_interval(secs => random() * $5 * 86400),
         case when n % 1000 = 0 then ($3::text[])[5] else ($3::text[])[n % 4 + 1] end,
         jsonb_build_object('id', ($2::text[])[n % cardinality($2::text[]) + 1], 'type', 'user'),
         jsonb_build_object('type', 'user', 'id', md5((n / 100)::text)::uuid), md5(n::text), case when $6::bigint is not null then md5(n::text) end
       from generate_series($4::int, $4::int + $7::int - 1) n`,
      [organization, people, ACTIONS, from, days, numbersFrom ?? null, Math.min(slice, count - from)],
    )
  }
}

async function untilChained({ seeder }: Bench, organization: string): Promise<void> {
  for (;;) {
    const [row] = await seeder.query<{ is: boolean }>(
      'select exists (select from audit_entry where org1 = $1 and number is null) as is',
      [organization],
    )
    if (!row!.is) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Conditions as administrators choose them. */
function filterOf(turn: number, people: readonly string[]): object | null {
  const person = people[turn % people.length]
  const since = (days: number): string => new Date(systemClock.now().getTime() - days * 86_400_000).toISOString()
  return [
    null,
    { action: { eq: 'signIn' } },
    { action: { eq: 'eraseContact' } },
    { action: { eq: 'noSuchAction' } },
    { actor: { eq: person } },
    { actor: { eq: person }, action: { eq: 'eraseContact' } },
    { actor: { eq: systemClock.newId() } },
    { object: { eq: systemClock.newId() } },
    { objectType: { eq: 'channel' } },
    { at: { gt: since(2), lt: since(1) } },
    { action: { eq: 'eraseContact' }, at: { gt: since(40), lt: since(30) } },
    { objectType: { eq: 'user' }, at: { lt: since(300) } },
  ][turn % 12] as object | null
}
