import type { Bench } from '../harness/bench.js'
import { isQuick } from '../harness/figures.js'
import type { HttpLoad } from '../harness/load-process.js'
import { UNIQUE, type LoadResult } from '../harness/load.js'
import { Worker } from '../harness/processes.js'
import type { ScreenOptions } from '../harness/screen.js'
import type { Seed } from '../harness/seed.js'
import { makeExpressionRules, makeRules, seedWorkflows } from '../harness/workflows.js'
import { SEND } from './send.js'
import { listen } from './webhooks.js'

/** Another tenant that asks for as much as it can. */
export interface Neighbour {
  name: string
  /** The thing that is counted. */
  what: string
  /** @returns how much it had */
  run(ms: number): Promise<number>
  /** Resolves when nothing of it is under way any more. */
  rest?(): Promise<void>
}

const SIZES = {
  creates: 500,
  workflows: 25,
  routed: 4_000,
  imported: 10_000,
  screens: 1_000,
  reported: 30_000,
  watched: 500,
}
const QUICK: typeof SIZES = {
  creates: 20,
  workflows: 2,
  routed: 100,
  imported: 50,
  screens: 20,
  reported: 100,
  watched: 50,
}
const RULES_EACH = 200
const IMPORTS = 12
const CONCURRENCY = 16
const REST_MS = 500
const TEXT = 'Hello, where is my order 7781? It should have been here on Monday, says the parcel service.'
const POST = { method: 'POST', path: '/graphql' } as const

/**
 * Each with an organization of its own; their requests come from processes that measure nothing, with the lowest
 * priority: those clients would have machines of their own.
 */
export async function openNeighbours(bench: Bench): Promise<{ all: Neighbour[]; close(): Promise<void> }> {
  const load = new Worker('bench/harness/load-process.js')
  const screens = new Worker('bench/harness/screens-process.js')
  const receiver = new Worker('bench/harness/receiver-process.js')
  const workers = [load, screens, receiver]
  for (const worker of workers) worker.yieldToOthers()
  const close = async (): Promise<void> => {
    for (const worker of workers) await worker.stop()
  }
  const http = async (of: Omit<HttpLoad, 'url'>): Promise<number> =>
    (await load.ask<LoadResult>('http', { url: bench.url, mayBeRefused: true, ...of })).done
  const sizes = isQuick() ? QUICK : SIZES
  try {
    const all = [
      await creating(bench, http, sizes),
      await routing(bench, http, sizes),
      await importing(bench, http, sizes),
      await comingBack(bench, screens, sizes),
      await reporting(bench, http, sizes),
      await hanging(bench, sizes, http, await receiver.ask<string>('start', { hangs: true })),
    ]
    return { all: chosen(all), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** For a profile of the server beside one of them: BENCH_NEIGHBOUR=screens has those whose name says that word. */
function chosen(all: readonly Neighbour[]): Neighbour[] {
  const word = process.env.BENCH_NEIGHBOUR ?? ''
  return all.filter(({ name }) => name.includes(word))
}

type Http = (load: Omit<HttpLoad, 'url'>) => Promise<number>

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REST_MS))

async function bots({ seeder, tokens }: Bench, seed: Seed): Promise<string[]> {
  await seeder.query(`update app_user set role = 'bot' where organization_id = $1`, [seed.organization])
  return tokens(seed.agents.map((agent) => ({ ...agent, role: 'bot' })))
}

const CREATE = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id status } }`

async function creating(bench: Bench, http: Http, { creates }: typeof SIZES): Promise<Neighbour> {
  const tokens = await bots(bench, await bench.seeder.organization(4))
  const contact = { profile: { name: 'Consumer', email: `${UNIQUE}@example.com` } }
  const input = { type: 'CONTACT', touchpoint: 'WEB', contact, messages: [{ role: 'CONTACT', text: TEXT }] }
  const load = { ...POST, tokens, bodies: [{ query: CREATE, variables: { input } }], concurrency: creates }
  return {
    name: `${creates} creates at once, one after the other`,
    what: 'creates',
    run: (ms) => http({ ...load, ms }),
    rest,
  }
}

/** Consumers' messages to closed conversations, each of which runs all rules. */
async function routing(bench: Bench, http: Http, sizes: typeof SIZES): Promise<Neighbour> {
  const { seeder } = bench
  const seed = await seeder.organization(4)
  const conversations = await seeder.conversations(seed, sizes.routed)
  const workflows = Array.from({ length: sizes.workflows }, (_, index) =>
    (index % 2 === 0 ? makeRules : makeExpressionRules)(RULES_EACH),
  )
  await seedWorkflows(seeder, seed.organization, workflows)
  const tokens = await bots(bench, seed)
  const message = { type: 'CHAT', role: 'CONTACT', text: TEXT }
  const bodies = conversations.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
  return {
    name: `${sizes.workflows * RULES_EACH} rules run for ${CONCURRENCY} messages at a time`,
    what: 'messages',
    async run(ms) {
      await seeder.query(`update conversation set status = 'closed' where organization_id = $1`, [seed.organization])
      return http({ ...POST, tokens, bodies, concurrency: CONCURRENCY, ms })
    },
    rest,
  }
}

const IMPORT = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'

async function importing(bench: Bench, http: Http, { imported }: typeof SIZES): Promise<Neighbour> {
  const { seeder } = bench
  const seed = await seeder.organization(2)
  const [targets, origins] = [await seeder.conversations(seed, IMPORTS), await seeder.conversations(seed, IMPORTS)]
  await seeder.query(
    `insert into message (id, organization_id, org1, created_at, updated_at, conversation_id, position, type, role, text)
     select gen_random_uuid(), $1, $1, now() + n * interval '1 ms', now(), x.id, n, 'chat', 'contact', $4 || n
     from unnest($2::uuid[]) as x(id), generate_series(2, $3::int) n`,
    [seed.organization, origins, imported, TEXT],
  )
  await seeder.query('update conversation set message_count = $2 where id = any($1::uuid[])', [origins, imported])
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  return {
    name: `imports of ${imported.toLocaleString('en-US')} messages, one after the other`,
    what: 'messages imported',
    async run(ms) {
      const endAt = performance.now() + ms
      let done = 0
      while (performance.now() < endAt && origins.length > 0) {
        const bodies = [{ query: IMPORT, variables: { id: targets.pop(), origin: origins.pop() } }]
        // One request: its time is over before it has ended.
        done += await http({ ...POST, tokens, bodies, concurrency: 1, ms: 1, mayBeRefused: false })
      }
      return done * imported
    },
    rest,
  }
}

async function comingBack(
  { url, seeder, tokens }: Bench,
  worker: Worker,
  { screens }: typeof SIZES,
): Promise<Neighbour> {
  const seed = await seeder.organization(50)
  const conversations = await seeder.conversations(seed, 100)
  const agents = await tokens(seed.agents)
  const options: ScreenOptions[] = Array.from({ length: screens }, (_, index) => ({
    url,
    token: agents[index % agents.length]!,
    conversations: [conversations[index % conversations.length]!],
  }))
  let isOpen = false
  return {
    name: `${screens.toLocaleString('en-US')} screens that come back at once, over and over`,
    what: 'screens back',
    async run(ms) {
      const endAt = performance.now() + ms
      let done = 0
      if (!isOpen) await worker.ask('open', options)
      isOpen = true
      while (performance.now() < endAt) {
        await worker.ask('cut')
        await worker.ask('reopen')
        done += screens
      }
      return done
    },
    rest,
  }
}

/** Lists that no index serves. */
async function reporting(bench: Bench, http: Http, { reported }: typeof SIZES): Promise<Neighbour> {
  const { seeder } = bench
  const seed = await seeder.organization(4)
  await seeder.conversations(seed, reported)
  await seeder.query(
    `update conversation set meta = jsonb_build_object('note', repeat('x', 500)) where organization_id = $1`,
    [seed.organization],
  )
  await seeder.settle()
  const tokens = await bots(bench, seed)
  return {
    name: `a report: ${CONCURRENCY} searches at a time in ${reported.toLocaleString('en-US')} conversations`,
    what: 'searches',
    run: (ms) =>
      http({ method: 'GET', path: '/v2/conversations?meta.note=~nothing', tokens, concurrency: CONCURRENCY, ms }),
    rest,
  }
}

async function hanging(bench: Bench, { watched }: typeof SIZES, http: Http, url: string): Promise<Neighbour> {
  const { seeder } = bench
  const seed = await seeder.organization(20)
  const conversations = await seeder.conversations(seed, watched)
  await seeder.settle()
  await listen(bench, seed.organization, url, 'active')
  const tokens = await bench.tokens(seed.agents)
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  const bodies = conversations.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
  return {
    name: 'a webhook that hangs, and sends 4 messages at a time',
    what: 'messages',
    run: (ms) => http({ ...POST, tokens, bodies, concurrency: 4, ms }),
    rest,
  }
}
