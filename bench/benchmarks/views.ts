import { performance } from 'node:perf_hooks'
import { ask } from '../harness/ask.js'
import type { Bench } from '../harness/bench.js'
import { isQuick, median, quantile, short, type Figure } from '../harness/figures.js'
import { seedLargeTenant } from '../harness/large-tenant.js'

const CONVERSATIONS = 1_000_000
const ASKED = 100
const AIM_MS = 80
/** As many as one question counts. */
const VIEWS = 30

const SAVE = 'mutation ($input: SaveViewInput!) { saveView(input: $input) { id } }'
const COUNT = 'query ($ids: [ID!]!) { savedViewCounts(ids: $ids) { id count isMore } }'
const LABEL = 'mutation ($name: String!) { createLabel(input: { name: $name }) { id } }'
const LABELS = 10

/** One conversation in 50 has the first label, one in 500 the second, and so on to one in some 100,000. */
const PUT_LABELS = `
with numbered as (
  select id, row_number() over (order by id) as n from conversation where organization_id = $1
)
update conversation set labels = array[$2::uuid] from numbered
where numbered.id = conversation.id and numbered.n % $3::int = $4::int`

const CLOSED = `
update conversation set closed_at = last_message_at where organization_id = $1 and status = 'closed'`

/** The counts of an agent's saved views, which a console asks for each 10 seconds, at a million conversations. */
export async function benchViews(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const conversations = isQuick() ? 20_000 : CONVERSATIONS
  const seed = await seeder.organization(20)
  await seedLargeTenant(seeder, seed, { conversations, messages: conversations, longConversation: 0 })
  const [agent, colleague] = seed.agents
  const [token, adminToken] = await bench.tokens([agent!, { ...colleague!, role: 'admin' }])
  await seeder.query(`update app_user set role = 'admin' where id = $1`, [colleague!.id])
  const labels: string[] = []
  for (let index = 0; index < LABELS; index++) {
    const { createLabel } = await ask<{ createLabel: { id: string } }>(bench, adminToken!, LABEL, {
      name: `label ${index}`,
    })
    labels.push(createLabel.id)
    const every = Math.min(50 * 2 ** index, 100_000)
    await seeder.query(PUT_LABELS, [seed.organization, createLabel.id, every, index])
  }
  await seeder.query(CLOSED, [seed.organization])
  await seeder.settle()
  const ids: string[] = []
  for (const [index, filter] of filters(labels, agent!.id, colleague!.id).entries()) {
    const { saveView } = await ask<{ saveView: { id: string } }>(bench, token!, SAVE, {
      input: { name: `view ${index}`, filter },
    })
    ids.push(saveView.id)
  }
  if (ids.length !== VIEWS) throw new Error(`there are ${ids.length} views, not ${VIEWS}`)

  const times: number[] = []
  let counts: { count: number; isMore: boolean }[] = []
  const cpuBefore = await bench.server.ask<number>('cpu')
  const asked = isQuick() ? 5 : ASKED
  for (let round = 0; round < asked; round++) {
    const startedAt = performance.now()
    const { savedViewCounts } = await ask<{ savedViewCounts: typeof counts }>(bench, token!, COUNT, { ids })
    times.push(performance.now() - startedAt)
    counts = savedViewCounts
  }
  const cpuMs = ((await bench.server.ask<number>('cpu')) - cpuBefore) / 1_000 / asked
  const p95 = quantile(times.slice(2), 0.95)
  const said = counts.map(({ count, isMore }) => `${count}${isMore ? '+' : ''}`).join(' ')
  return [
    {
      name: `counts of ${VIEWS} saved views`,
      ratio: p95 / AIM_MS,
      aim: 1,
      isTime: true,
      product: `p50 ${short(median(times))} ms, p95 ${short(p95)} ms, the slowest ${short(Math.max(...times))} ms; ${short(cpuMs)} ms of the server's CPU`,
      floor: `${AIM_MS} ms`,
      how: `${short(conversations)} conversations, one in twenty open; one request after the other over HTTP. Counts: ${said}.`,
    },
  ]
}

/** Filters as agents save them: states, labels, people, times and what is combined of them. */
function filters(labels: readonly string[], agent: string, colleague: string): object[] {
  const open = { status: { in: ['QUEUED', 'ACTIVE'] } }
  const since = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
  return [
    ...labels.map((label) => ({ labels: { eq: label } })),
    ...labels.slice(0, 6).map((label) => ({ labels: { eq: label }, ...open })),
    { labels: { in: labels.slice(2, 5) }, status: { eq: 'CLOSED' } },
    { ...open, labels: { ne: labels[0] } },
    { status: { eq: 'QUEUED' } },
    { status: { eq: 'ACTIVE' }, snoozed: { eq: false } },
    { snoozed: { eq: true } },
    { undelivered: { gt: 0 } },
    { closedAt: { gt: since(1) } },
    { awaitsAnswer: { eq: true }, ...open },
    { assignee: { eq: agent } },
    { assignee: { eq: colleague }, awaitsAnswer: { eq: true } },
    { unread: { eq: true } },
    { participants: { user: { eq: agent } }, status: { eq: 'CLOSED' } },
    { touchpoint: { eq: 'SMS' }, ...open },
    { or: [{ labels: { eq: labels[8] } }, { undelivered: { gt: 0 } }], createdAt: { gt: since(30) } },
  ]
}
