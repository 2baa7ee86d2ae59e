import type { Bench, HttpResult } from '../harness/bench.js'
import { isQuick, median, short, type Figure } from '../harness/figures.js'
import { openAgentSends, type AgentSends } from './agent-sends.js'
import { openNeighbours, type Neighbour } from './neighbours.js'

/** An office of some agents: what it sees is what is measured. */
const CONCURRENCY = 4
const CONVERSATIONS = 1_000
const ROUNDS = 3
const ROUND_MS = 1_500
const WARM_UP_MS = 1_500
const QUICK_MS = 200
/** The neighbour is well under way before its effect is measured. */
const LEAD_MS = 400
const AIM = 3

type Send = AgentSends['send']

/** Measures what another tenant, with all its might, does to the sends of one that goes about its day. */
export async function benchFairness(bench: Bench): Promise<Figure[]> {
  const { send } = await openAgentSends(bench, { conversations: CONVERSATIONS, concurrency: CONCURRENCY })
  const neighbours = await openNeighbours(bench)
  await send(isQuick() ? QUICK_MS : WARM_UP_MS)
  try {
    const figures: Figure[] = []
    for (const neighbour of neighbours.all) {
      const figure = await figureOf(bench, send, neighbour)
      process.stdout.write(`${figure.name}: ${figure.ratio.toFixed(2)}\n`)
      figures.push(figure)
    }
    process.stdout.write('\n')
    return figures
  } finally {
    await neighbours.close()
  }
}

/** Calm rounds and those beside the neighbour alternate; the neighbour has time to come to rest in between. */
async function figureOf({ server }: Bench, send: Send, neighbour: Neighbour): Promise<Figure> {
  const ms = isQuick() ? QUICK_MS : ROUND_MS
  const calm: HttpResult[] = []
  const beside: HttpResult[] = []
  const blocks: number[] = []
  let done = 0
  // What it does first is compiled.
  await neighbour.run(ms)
  await neighbour.rest?.()
  for (let round = 0; round < (isQuick() ? 1 : ROUNDS); round++) {
    calm.push(await send(ms))
    await server.ask('longestBlock')
    const noise = neighbour.run(ms + LEAD_MS)
    await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
    beside.push(await send(ms))
    done += await noise
    blocks.push(await server.ask<number>('longestBlock'))
    await neighbour.rest?.()
  }
  return {
    name: `p95 of a send while another tenant has ${neighbour.name}`,
    ratio: median(beside.map(({ p95Ms }) => p95Ms)) / median(calm.map(({ p95Ms }) => p95Ms)),
    aim: AIM,
    isTime: true,
    product:
      `${describe(beside)}; the neighbour had ${short(done)} ${neighbour.what}, and blocked the event loop for at most ` +
      `${short(median(blocks))} ms of CPU`,
    floor: `${describe(calm)}: nobody else is there`,
    how:
      `Sends of one tenant over HTTP GraphQL, concurrency ${CONCURRENCY}, medians of ${ROUNDS} rounds of ${ROUND_MS / 1_000} s ` +
      `that alternate with calm ones; the neighbour's requests come from a process of their own, of the lowest priority.`,
  }
}

function describe(rounds: readonly HttpResult[]): string {
  const of = (key: 'p50Ms' | 'p95Ms' | 'p99Ms' | 'perSecond') => short(median(rounds.map((round) => round[key])))
  return `p95 ${of('p95Ms')} ms, p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms, ${of('perSecond')} a second`
}
