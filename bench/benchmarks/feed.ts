import { loadavg } from 'node:os'
import { systemClock } from '../../src/platform/db/clock.js'
import { SERVER_SQL } from '../../src/modules/webhooks/feed/feed-store.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import { inTurns, median, medianOf, quantile, short, type Figure } from '../harness/figures.js'
import { cpuOf } from '../harness/processes.js'
import type { Seeder } from '../harness/seed.js'
import { openAgentSends } from './agent-sends.js'

const CONVERSATIONS = 500
const CONCURRENCY = 16
const ROUNDS = { rounds: 20, warmUpMs: 4_000, roundMs: 1_500 }

interface Round extends HttpResult {
  /** CPU of PostgreSQL for each send, in microseconds. */
  databaseMicrosEach: number
  /** CPU of the server and of PostgreSQL for each send. */
  microsEach: number
}

/**
 * Measures what a feed (`GET /v2/events`) costs the sends of its organization: CPU of server and PostgreSQL together,
 * against another organization of the same server, and that against a third one, which has none either.
 */
export async function benchFeed(bench: Bench): Promise<Figure[]> {
  const given = { conversations: CONVERSATIONS, concurrency: CONCURRENCY }
  const [fed, silent, control] = [
    await openAgentSends(bench, given),
    await openAgentSends(bench, given),
    await openAgentSends(bench, given),
  ]
  await addFeed(bench.seeder, fed.organization)
  const [withFeed, without, again] = await inTurns(
    ROUNDS,
    [fed, silent, control].map(
      ({ send }) =>
        (ms: number) =>
          measure(bench.seeder, () => send(ms)),
    ),
  )
  const kept = await bench.seeder.query('select 1 from feed_event limit 1')
  if (kept.length === 0) throw new Error('the feed has kept nothing')
  return [
    figureOf('send where a feed keeps events', withFeed!, without!),
    figureOf('the same without a feed, as a control', again!, without!),
  ]
}

/** As an administrator makes it, in the past. */
async function addFeed(seeder: Seeder, organization: string): Promise<void> {
  await seeder.query(
    `with fresh as (insert into event_feed (database_id, begun_at) values (${SERVER_SQL}, now()) returning id),
       made as (insert into service (id, organization_id, org1, created_at, updated_at, type, params, status)
         values ($1, $2, $2, now(), now(), 'feed', '{}', 'active') returning id),
       listening as (insert into event_listener (listener_id, organization_id) select id, $2 from made)
     insert into webhook (service_id, organization_id, status, is_pulled, feed_id)
     select made.id, $2, 'active', true, fresh.id from made, fresh`,
    [systemClock.newId(), organization],
  )
}

async function measure(seeder: Seeder, run: () => Promise<HttpResult>): Promise<Round> {
  const before = await databaseCpu(seeder)
  const result = await run()
  const after = await databaseCpu(seeder)
  // What a process used that has ended since is not known.
  const used = [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0)
  const databaseMicrosEach = used / result.done
  return { ...result, databaseMicrosEach, microsEach: result.serverMicrosEach + databaseMicrosEach }
}

/** CPU by process of PostgreSQL, those in the background included. */
async function databaseCpu(seeder: Seeder): Promise<Map<number, number>> {
  const pids = await seeder.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  return new Map(pids.map(({ pid }) => [pid, cpuOf(pid)]))
}

function figureOf(name: string, product: readonly Round[], floor: readonly Round[]): Figure {
  const ratios = product.map((round, index) => round.microsEach / floor[index]!.microsEach)
  const quartiles = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  const told = (rounds: readonly Round[]): string =>
    `${short(medianOf(rounds, 'microsEach'))} us of CPU a send: server ${short(medianOf(rounds, 'serverMicrosEach'))}, ` +
    `PostgreSQL ${short(medianOf(rounds, 'databaseMicrosEach'))}; ${short(medianOf(rounds, 'perSecond'))} sends/s`
  return {
    name,
    ratio: median(ratios),
    aim: null,
    isTime: true,
    product: told(product),
    floor: `${told(floor)}, in an organization without one`,
    how:
      `The same sends over HTTP GraphQL with ${CONCURRENCY} connections, in organizations of one server. The feed's ` +
      `transaction also writes the event with the records around it; nobody reads it meanwhile. CPU of all processes of ` +
      `PostgreSQL. Medians of ${ROUNDS.rounds} rounds of ${ROUNDS.roundMs / 1_000} s in turns; quartiles of the ratio ` +
      `${quartiles.join(' and ')}; load of the machine ${loadavg()[0]!.toFixed(1)}.`,
  }
}
