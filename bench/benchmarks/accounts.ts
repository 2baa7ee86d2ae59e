import type { Bench, HttpResult } from '../harness/bench.js'
import { isQuick, median, short, type Figure } from '../harness/figures.js'
import type { LoadResult } from '../harness/load.js'
import { UNIQUE } from '../harness/load.js'
import { MadeCenters, type MadeCenter } from '../harness/made-centers.js'
import { Worker } from '../harness/processes.js'
import { sendBodies } from './agent-sends.js'

const CONVERSATIONS = 20
const ROUNDS = 3
const ROUND_MS = 1_500
const LEAD_MS = 400
const REST_MS = 500
const CHANNELS = [0, 200]
const CONNECTIONS = [16, 200]
const QUICK = { conversations: 4, rounds: 1, roundMs: 300, channels: 10 }
const AIM = 3
const KEEPS_AIM = 0.6
const POST = { method: 'POST', path: '/graphql' } as const
const CREATE = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id status } }`
const LEFT_OUT =
  'left out: 2,000 channels, imports, closes in bulk, /notify, inboxes, forms, changes of channels (reports, screens, webhooks and imports of ' +
  'another contact center: the rest of `fairness`)\n\n'

interface Quiet {
  name: string
  send(ms: number): Promise<HttpResult | LoadResult>
}

/**
 * Measures what a bot that creates as fast as it can does to the sends of a colleague, of another customer of the contact
 * center and of another contact center, all made through the product; and what the bot keeps of its rate beside them.
 */
export async function benchAccounts(bench: Bench): Promise<Figure[]> {
  process.stdout.write(LEFT_OUT)
  const greedyLoad = new Worker('bench/harness/load-process.js')
  greedyLoad.yieldToOthers()
  const made = new MadeCenters(bench)
  const figures: Figure[] = []
  try {
    for (const channels of isQuick() ? [QUICK.channels] : CHANNELS) {
      const { bot, quiet } = await openWorld(bench, made, channels)
      for (const connections of CONNECTIONS) {
        const contact = { profile: { name: 'Consumer', email: `${UNIQUE}@example.com` } }
        const messages = [{ role: 'CONTACT', text: 'Hello, where is my order?' }]
        const variables = { input: { type: 'CONTACT', touchpoint: 'WEB', contact, messages } }
        const load = { ...POST, url: bench.url, tokens: [bot], bodies: [{ query: CREATE, variables }] }
        const greedy = (ms: number): Promise<LoadResult> =>
          greedyLoad.ask<LoadResult>('http', { ...load, concurrency: connections, ms, mayBeRefused: true })
        figures.push(...(await figuresOf(`creates on ${connections} connections, ${channels} channels`, quiet, greedy)))
      }
    }
  } finally {
    await greedyLoad.stop()
  }
  return figures
}

async function openWorld(
  bench: Bench,
  made: MadeCenters,
  channels: number,
): Promise<{ bot: string; quiet: readonly Quiet[] }> {
  const center = await made.center('Center')
  const customer = await made.customer(center, 'Customer')
  const bot = await made.user(center, customer, 'bot')
  const quietAt = async (name: string, at: MadeCenter, organization: string): Promise<Quiet> => {
    const own = await made.user(at, organization, 'bot')
    const agent = await made.user(at, organization, 'agent')
    const ids = await made.conversations(own, isQuick() ? QUICK.conversations : CONVERSATIONS)
    const load = { ...POST, tokens: [agent], bodies: sendBodies(ids), concurrency: 1 }
    const send = (ms: number): Promise<LoadResult> =>
      bench.load.ask<LoadResult>('http', { ...load, url: `${bench.url}/#${name}`, ms })
    return { name, send }
  }
  const another = await made.center('Another center')
  const quiet = [
    await quietAt('colleague', center, customer),
    await quietAt('customer', center, await made.customer(center, 'Another customer')),
    await quietAt('center', another, another.id),
  ]
  // After the quiet conversations: those are in no queue.
  await made.channels(center, customer, channels)
  for (const { send } of quiet) await send(isQuick() ? QUICK.roundMs : ROUND_MS)
  return { bot, quiet }
}

/** Calm rounds, those of the greedy one alone, and those of both alternate. */
async function figuresOf(
  what: string,
  quiet: readonly Quiet[],
  greedy: (ms: number) => Promise<LoadResult>,
): Promise<Figure[]> {
  const ms = isQuick() ? QUICK.roundMs : ROUND_MS
  const together = (): Promise<LoadResult[]> => Promise.all(quiet.map(({ send }) => send(ms)))
  const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REST_MS))
  const [calm, beside]: LoadResult[][][] = [[], []]
  const [alone, kept]: number[][] = [[], []]
  await greedy(ms)
  for (let round = 0; round < (isQuick() ? QUICK.rounds : ROUNDS); round++) {
    await rest()
    calm!.push(await together())
    alone!.push((await greedy(ms)).perSecond)
    await rest()
    const noise = greedy(ms + LEAD_MS)
    await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
    beside!.push(await together())
    kept!.push((await noise).perSecond)
  }
  const p95 = (rounds: LoadResult[][], index: number): number => median(rounds.map((each) => each[index]!.p95Ms))
  const how = `Medians of ${ROUNDS} rounds of ${ROUND_MS / 1_000} s in turns with calm ones, each quiet one with one send at a time; all organizations made through the product.`
  const figures = quiet.map(({ name }, index): Figure => {
    const [with_, without] = [p95(beside!, index), p95(calm!, index)]
    return {
      name: `p95 of a send of ${name === 'colleague' ? 'a colleague' : `another ${name}`} beside ${what}`,
      ratio: with_ / without,
      aim: AIM,
      isTime: true,
      product: `p95 ${short(with_)} ms`,
      floor: `p95 ${short(without)} ms: the bot does nothing`,
      how,
    }
  })
  const [rate, all] = [median(kept!), median(alone!)]
  figures.push({
    name: `rate that is kept beside others: ${what}`,
    ratio: rate / all,
    aim: KEEPS_AIM,
    product: `${short(rate)} a second`,
    floor: `${short(all)} a second: nobody else does anything`,
    how,
  })
  for (const { name, ratio } of figures) process.stdout.write(`${name}: ${ratio.toFixed(2)}\n`)
  process.stdout.write('\n')
  return figures
}
