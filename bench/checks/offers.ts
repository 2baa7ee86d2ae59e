import { setTimeout as sleep } from 'node:timers/promises'
import { RedisProcess } from '../chaos/redis-process.js'
import type { Bench } from '../harness/bench.js'
import { failuresOf, isQuick, type Check } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import type { Seed, Seeder, SeededUser } from '../harness/seed.js'

const OFFERS = Number(process.env.BENCH_OFFERS ?? 10_000)
const AGENTS = 24
const CAPACITY = 12
const SAMPLE_MS = 20
const MINUTES_MAX = 15

const NODE = 'bench/harness/server-process.js'

/**
 * Offers to agents who accept, leave, decline and let expire at random on two nodes, one of which is killed. What is
 * counted anew in plain SQL, by an oracle that shares nothing with the product, must hold at every moment.
 */
export async function checkOffers({ databaseUrl, seeder, server, url }: Bench): Promise<Check[]> {
  const redis = await RedisProcess.start()
  let other = new Worker(NODE)
  const start = async (node: Worker): Promise<string> =>
    (await node.ask<{ url: string }>('start', { databaseUrl, redisUrl: redis.url })).url
  const urls = [url, await start(other)]
  const count = isQuick() ? 100 : OFFERS
  try {
    const seed = await seedOffice(seeder, count)
    const tokens = await server.ask<string[]>('tokens', seed.agents)
    const state = { isOver: false }
    const watched = watchLoads(seeder, seed, state)
    const startedAt = performance.now()
    const agents = seed.agents.map((agent, index) => work({ agent, token: tokens[index]!, urls, seeder, state }))
    for (const minute = performance.now(); performance.now() - minute < MINUTES_MAX * 60_000; await sleep(250)) {
      const [row] = await seeder.query<{ made: number }>('select count(*)::int as made from offer')
      if (row!.made >= count / 2 && urls.length === 2) {
        other.kill()
        urls.length = 1
        other = new Worker(NODE)
        urls.push(await start(other))
        urls.push(urls[0]!)
      }
      if (row!.made >= count) break
    }
    state.isOver = true
    await Promise.all(agents)
    const seconds = (performance.now() - startedAt) / 1_000
    const { samples, worst } = await watched
    return [await judge(seeder, { samples, worst, seconds, count })]
  } finally {
    await other.ask('close').catch(() => undefined)
    await other.stop()
    await redis.stop()
  }
}

async function seedOffice(seeder: Seeder, count: number): Promise<Seed> {
  const seed = await seeder.organization(AGENTS)
  const ids = await seeder.conversations(seed, count)
  await seeder.query('delete from participant where conversation_id = any($1::uuid[])', [ids])
  await seeder.query(`update channel set assignment = '{"mode": "offer", "offerSeconds": 5}' where id = $1`, [
    seed.channel,
  ])
  const agents = seed.agents.map(({ id }) => id)
  await seeder.query(
    `insert into staff (user_id, availability, since, capacity)
     select unnest($1::uuid[]), 'available', now(), $2`,
    [agents, CAPACITY],
  )
  // Their screens are at the node that stays.
  await seeder.query(
    `insert into queue_subscriber (node_id, subscription_id, channel_id, user_id)
     select (select id from node order by started_at limit 1), gen_random_uuid(), $2, unnest($1::uuid[])`,
    [agents, seed.channel],
  )
  await seeder.query(
    `update conversation set status = 'queued', queueing = 1, queued_at = created_at, channels = array[$2::uuid]
     where id = any($1::uuid[])`,
    [ids, seed.channel],
  )
  return seed
}

/** Counts every agent's load at one moment, again and again. All conversations are of the web: 4 units each. */
async function watchLoads(
  seeder: Seeder,
  { agents }: Seed,
  state: { isOver: boolean },
): Promise<{ samples: number; worst: number }> {
  let samples = 0
  let worst = 0
  while (!state.isOver) {
    const [row] = await seeder.query<{ worst: number }>(
      `select coalesce(max(load), 0)::int as worst from (
         select u, (select count(*) from conversation c where c.status = 'queued' and c.offer_user_id = u) * 4
           + (select count(*) from participant p join conversation c on c.id = p.conversation_id
              where p.user_id = u and p.accepted and c.status = 'active') * 4 as load
         from unnest($1::uuid[]) as u) x`,
      [agents.map(({ id }) => id)],
    )
    samples++
    worst = Math.max(worst, row!.worst)
    await sleep(SAMPLE_MS)
  }
  return { samples, worst }
}

interface Working {
  agent: SeededUser
  token: string
  urls: readonly string[]
  seeder: Seeder
  state: { isOver: boolean }
}

/** An agent: of ten offers, it accepts six and closes them, declines three, and lets one in fifty expire. */
async function work({ agent, token, urls, state }: Working): Promise<void> {
  const ask = async (query: string, variables: object = {}): Promise<Record<string, unknown> | null> => {
    try {
      const response = await fetch(`${urls[Math.floor(Math.random() * urls.length)]!}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query, variables }),
      })
      return ((await response.json()) as { data: Record<string, unknown> | null }).data
    } catch {
      // The node was killed.
      return null
    }
  }
  const ignored = new Set<string>()
  while (!state.isOver) {
    const answer = await ask('{ offers { id conversationId } agentState { availability } }')
    const offers = (answer?.offers ?? []) as { id: string; conversationId: string }[]
    const { availability } = (answer?.agentState ?? {}) as { availability?: string }
    if (availability && availability !== 'AVAILABLE')
      await ask('mutation { setAvailability(availability: AVAILABLE) { load } }')
    const all = offers.filter(({ id }) => !ignored.has(id))
    if (all.length === 0) await sleep(10)
    for (const { id, conversationId: conversation } of all) {
      const die = Math.random()
      if (die < 0.02) ignored.add(id)
      else if (die < 0.3) await ask('mutation ($id: ID!) { declineOffer(offer: $id) { id } }', { id })
      else {
        const accepted = await ask(
          'mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { id } }',
          {
            id: conversation,
          },
        )
        if (accepted?.acceptConversation)
          await ask(
            `mutation ($id: ID!, $user: ID!) { sendMessage(conversation: $id, message: { role: AGENT, text: "Done." }) { id }
               leaveConversation(conversation: $id, user: $user) { id } }`,
            { id: conversation, user: agent.id },
          )
      }
    }
  }
}

interface Found {
  samples: number
  worst: number
  seconds: number
  count: number
}

async function judge(seeder: Seeder, { samples, worst, seconds, count }: Found): Promise<Check> {
  const [row] = await seeder.query<Record<string, number>>(JUDGED, [AGENTS])
  const found = row!
  return {
    name: `${count.toLocaleString('en-US')} offers raced on 2 nodes, one of them killed`,
    aim: 'no load above a capacity, one pending offer a conversation, each ends once, every member explained',
    failures: failuresOf({
      [`a load of ${worst}, above the capacity of ${CAPACITY}`]: worst <= CAPACITY,
      [`${found.twice} conversations had two pending offers`]: found.twice === 0,
      [`${found.ends} offers did not end exactly once`]: found.ends === 0,
      [`${found.late} offers are pending past their time`]: found.late === 0,
      [`${found.unexplained} offers do not explain every member`]: found.unexplained === 0,
      'fewer offers than wanted': found.offers! >= count,
    }),
    found: [
      `${found.offers} offers in ${Math.round(seconds)} s: ${found.accepted} accepted, ${found.declined} declined, ` +
        `${found.expired} expired, ${found.withdrawn} withdrawn; ${samples} recounts, the highest load ${worst} of ${CAPACITY}`,
    ],
    how:
      `${AGENTS} agents answer at once, each by whichever node; in the middle one node is killed with SIGKILL and another started. ` +
      `Loads are counted in SQL every ${SAMPLE_MS} ms, each time in one statement; that offers of a conversation follow one ` +
      `another is read from its stream.`,
  }
}

/** An offer of a conversation's stream must follow the end of the one before. */
const JUDGED = `
with told as (
  select stream, number, type, lead(type) over (partition by stream order by number) as next
  from event where type in ('conversation.offered', 'conversation.offerEnded')
), ended as (
  select data ->> 'offer' as offer, count(*) as times from event where type = 'conversation.offerEnded' group by 1
)
select
  (select count(*)::int from offer) as offers,
  (select count(*)::int from offer where outcome = 'accepted') as accepted,
  (select count(*)::int from offer where outcome = 'declined') as declined,
  (select count(*)::int from offer where outcome = 'expired') as expired,
  (select count(*)::int from offer where outcome = 'withdrawn') as withdrawn,
  (select count(*)::int from told where type = next) as twice,
  (select count(*)::int from offer o left join ended e on e.offer = o.id::text
    where (o.outcome is not null) <> (coalesce(e.times, 0) = 1) or e.times > 1) as ends,
  (select count(*)::int from offer where outcome is null and until < now() - interval '30 seconds') as late,
  (select count(*)::int from offer o where jsonb_array_length(candidates) <> $1
    or (select count(*) from jsonb_array_elements(candidates) x
        where x ->> 'outcome' = 'chosen' and x ->> 'userId' = o.user_id::text) <> 1) as unexplained`
