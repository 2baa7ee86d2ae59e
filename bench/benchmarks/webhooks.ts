import { systemClock } from '../../src/platform/db/clock.js'
import type { Bench } from '../harness/bench.js'
import { alternate, median, short, type Figure } from '../harness/figures.js'
import type { LoadResult } from '../harness/load.js'
import { Worker } from '../harness/processes.js'
import { openAgentSends } from './agent-sends.js'

const CONVERSATIONS = 500
const CONCURRENCY = 16
const ROUNDS = { rounds: 6, warmUpMs: 1_500, roundMs: 1_000 }

/** Measures what a webhook costs the sends of its organization, and how fast deliveries are made. */
export async function benchWebhooks(bench: Bench): Promise<Figure[]> {
  const receiver = new Worker('bench/harness/receiver-process.js')
  try {
    const url = await receiver.ask<string>('start')
    const given = { conversations: CONVERSATIONS, concurrency: CONCURRENCY }
    const silent = await openAgentSends(bench, given)
    const watched = await openAgentSends(bench, given)
    const service = await listen(bench, watched.organization, url)
    const sends = await alternate(ROUNDS, silent.send, watched.send)
    return [sendFigure(sends), await drain(bench, receiver, service)]
  } finally {
    await receiver.stop()
  }
}

/** A webhook whose events are kept, and delivered later: while it is paused only the sends are measured. */
export async function listen(
  { seeder }: Bench,
  organization: string,
  url: string,
  status: 'active' | 'paused' = 'paused',
): Promise<string> {
  const id = systemClock.newId()
  await seeder.query(
    `with service as (
       insert into service (id, organization_id, org1, created_at, updated_at, type, params, status)
       values ($1, $2, $2, now(), now(), 'webhook', $3, $4) returning id)
     insert into event_listener (listener_id, organization_id) select id, $2 from service`,
    [id, organization, { url, secret: 'a secret' }, status],
  )
  await seeder.query(
    `insert into webhook (service_id, organization_id, events, status, probe_at, verified_url)
     values ($1, $2, '{message.create.*}', $4, now() + interval '1 day', $3)`,
    [id, organization, url, status],
  )
  return id
}

function sendFigure({ floor, product }: { floor: LoadResult[]; product: LoadResult[] }): Figure {
  const rate = (results: readonly LoadResult[]) => median(results.map(({ perSecond }) => perSecond))
  const middle = (results: readonly LoadResult[]) => short(median(results.map(({ p50Ms }) => p50Ms)))
  return {
    name: 'send where a webhook listens',
    ratio: rate(product) / rate(floor),
    aim: null,
    product: `${short(rate(product))} sends/s, p50 ${middle(product)} ms`,
    floor: `${short(rate(floor))} sends/s, p50 ${middle(floor)} ms, in an organization without one`,
    how:
      `The same sends by HTTP GraphQL with ${CONCURRENCY} connections, in two organizations of one server. With a ` +
      'webhook the transaction also writes the event with the records around it, a delivery and its partition; deliveries ' +
      `wait meanwhile. Medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
  }
}

async function drain({ seeder, server }: Bench, receiver: Worker, service: string): Promise<Figure> {
  const cpuBefore = await server.ask<number>('cpu')
  const startedAt = performance.now()
  await seeder.query(`update webhook set status = 'active' where service_id = $1`, [service])
  const pending = `select count(*)::int as count from webhook_delivery where service_id = $1 and status = 'pending'`
  for (;;) {
    const [row] = await seeder.query<{ count: number }>(pending, [service])
    if (row!.count === 0) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const delivered = await receiver.ask<number>('count')
  const cpu = ((await server.ask<number>('cpu')) - cpuBefore) / delivered
  return {
    name: 'deliveries to one endpoint',
    ratio: delivered / seconds / 1_000,
    aim: null,
    product: `${short(delivered / seconds)} deliveries/s; server CPU ${short(cpu)} us a delivery`,
    floor: '1,000 deliveries/s, a round figure',
    how:
      `${delivered} deliveries that waited in ${CONVERSATIONS} conversations, to a receiver that takes them at once: ` +
      '8 conversations at a time, in order in each, every attempt recorded.',
  }
}
