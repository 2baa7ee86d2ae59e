import pg from 'pg'
import { openSeeded, sendBodies, type Seeded } from '../benchmarks/agent-sends.js'
import { SEND } from '../benchmarks/send.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import { isQuick, median, short, type Figure } from '../harness/figures.js'

const CONCURRENCY = 4
const ROUNDS = 5
const ROUND_MS = 1_500
const QUICK_MS = 200
/** Writes that need what is held come as often as this, until so many wait. */
const EVERY_MS = 150
const WAITING_MAX = 8
const AIM_OF_OTHERS = 1.5
const AIM_OF_OWN = 5
const SEND_WITH_KEY = `mutation ($conversation: ID!, $message: MessageInput!, $key: String) {
  sendMessage(conversation: $conversation, message: $message, idempotencyKey: $key) { id } }`
const CREATE = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }`

interface Held {
  name: string
  /** The statement with which a transaction outside takes the lock. */
  lock: { text: string; values: unknown[] }
  /** A write that needs it. */
  body: object
}

/** Measures what a lock that another program holds does to those who do not need it, against rounds without it. */
export async function checkHeldLocks(bench: Bench): Promise<Figure[]> {
  const [own, others] = [await openSeeded(bench, 100), await openSeeded(bench, 100)]
  const outside = new pg.Client({ connectionString: bench.databaseUrl })
  await outside.connect()
  try {
    const figures: Figure[] = []
    await send(bench, others)
    await send(bench, own)
    const all = locks(own)
    // What is locked exists from the first write on that needs it.
    await ask(bench, own, all.at(-1)!.body)
    for (const held of all) figures.push(...(await figuresOf({ bench, own, others, outside }, held)))
    return figures
  } finally {
    await outside.end()
  }
}

interface Offices {
  bench: Bench
  own: Seeded
  others: Seeded
  outside: pg.Client
}

function locks({ seed, ids }: Seeded): Held[] {
  const email = 'held@example.com'
  const input = { touchpoint: 'WEB', messages: [{ role: 'CONTACT', text: 'Hello' }] }
  const contact = (address: string): object => ({
    ...input,
    contact: { profile: { name: 'Consumer', email: address } },
  })
  return [
    {
      name: 'a conversation is locked',
      lock: { text: 'select id from conversation where id = $1 for update', values: [ids[0]] },
      body: { query: SEND, variables: { conversation: ids[0], message: { type: 'CHAT', role: 'AGENT', text: 'Hi' } } },
    },
    {
      name: 'a contact is about to be inserted',
      lock: {
        text: `insert into contact (id, organization_id, org1, created_at, updated_at, profile, email)
          values (gen_random_uuid(), $1, $1, now(), now(), '{}', $2)`,
        values: [seed.organization, email],
      },
      body: { query: CREATE, variables: { input: contact(email) } },
    },
    {
      name: "an idempotency key's row is held",
      lock: {
        text: `insert into idempotency_key (caller, key, request_hash, response, created_at)
          values ($1, 'held', '', '{}', now() - interval '2 days')`,
        values: [`user:${seed.agents[0]!.id}`],
      },
      body: {
        query: SEND_WITH_KEY,
        variables: { conversation: ids[0], message: { type: 'CHAT', role: 'AGENT', text: 'Hi' }, key: 'held' },
      },
    },
    {
      name: "the counter of a queue's stream is locked",
      lock: { text: 'select 1 from stream where name = $1 for update', values: [`channel:${seed.channel}`] },
      body: { query: CREATE, variables: { input: contact('queued@example.com') } },
    },
    {
      name: 'a channel is locked',
      lock: { text: 'select 1 from channel where id = $1 for update', values: [seed.channel] },
      body: { query: CREATE, variables: { input: contact('other@example.com') } },
    },
  ]
}

function send(bench: Bench, { ids, tokens }: Seeded): Promise<HttpResult> {
  // All but the first conversation, which is locked.
  const bodies = sendBodies(ids.slice(1))
  const ms = isQuick() ? QUICK_MS : ROUND_MS
  return bench.http({ method: 'POST', path: '/graphql', tokens, bodies, concurrency: CONCURRENCY, ms })
}

async function figuresOf(offices: Offices, held: Held): Promise<Figure[]> {
  const { bench, own, others } = offices
  const rounds = { others: [] as [calm: number, beside: number][], own: [] as [calm: number, beside: number][] }
  for (let round = 0; round < (isQuick() ? 1 : ROUNDS); round++) {
    const calm = [await send(bench, others), await send(bench, own)] as const
    const beside = await whileHeld(
      offices,
      held,
      async () => [await send(bench, others), await send(bench, own)] as const,
    )
    rounds.others.push([calm[0].p99Ms, beside[0].p99Ms])
    rounds.own.push([calm[1].p99Ms, beside[1].p99Ms])
  }
  return [
    figure(`p99 of a send of another tenant while ${held.name}`, AIM_OF_OTHERS, rounds.others),
    figure(`p99 of a send of the same tenant, elsewhere, while ${held.name}`, AIM_OF_OWN, rounds.own),
  ]
}

function figure(name: string, aim: number, rounds: readonly [calm: number, beside: number][]): Figure {
  const all = (index: 0 | 1): string => rounds.map((round) => short(round[index])).join(', ')
  return {
    name,
    ratio: median(rounds.map(([calm, beside]) => beside / calm)),
    aim,
    isTime: true,
    product: `p99 ${all(1)} ms`,
    floor: `p99 ${all(0)} ms: nothing is held`,
    how:
      `Sends over HTTP GraphQL, concurrency ${CONCURRENCY}, ${ROUNDS} rounds of ${ROUND_MS / 1_000} s that alternate with calm ` +
      `ones, the median of their ratios; a transaction outside holds the lock, and a write that needs it comes every ` +
      `${EVERY_MS} ms until ${WAITING_MAX} wait.`,
  }
}

async function whileHeld<T>({ bench, own, outside }: Offices, held: Held, work: () => Promise<T>): Promise<T> {
  const waiting: Promise<unknown>[] = []
  const write = (): Promise<void> => ask(bench, own, held.body)
  await outside.query('begin')
  const { rowCount } = await outside.query(held.lock.text, held.lock.values)
  if (rowCount !== 1) throw new Error(`nothing is held: ${held.name}`)
  waiting.push(write())
  const timer = setInterval(() => waiting.length < WAITING_MAX && waiting.push(write()), EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await outside.query('rollback')
    await Promise.all(waiting)
  }
}

async function ask({ url }: Bench, { tokens }: Seeded, body: object): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.text()
}
