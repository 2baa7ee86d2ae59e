import type { Bench } from '../../harness/bench.js'
import { failuresOf, isQuick, quantile, short, type Check } from '../../harness/figures.js'
import { Worker } from '../../harness/processes.js'
import type { AttackName, Start, Stop } from './attacker-process.js'
import type { Attacker } from './attacker.js'
import { prepareAttacker } from './prepare-attacker.js'

/** `settleMs`: until an attack is under way, and until what it left behind is done. */
const USUAL = { rounds: 5, spanMs: 3_000, settleMs: 1_000 }
const QUICK = { rounds: 1, spanMs: 500, settleMs: 100 }
const PER_SECOND = 20
const TIMES_MAX = 3

const DESCRIPTIONS: Readonly<Record<AttackName, string>> = {
  reads: '18 searches at once through 90 MB of metadata, one after the other',
  rules: '750 rules of costly expressions for each message of 8,000 characters, 4 at once',
  bodies: '30 connections that hold 20 MiB of a mail each',
  subscriptions: '20 sockets of 100 subscriptions, reopened when all are live',
  documents: 'large documents without credentials from 400 networks, each another one, 64 at once',
  guests: '24 guests that write and upload without a pause',
  pipelines:
    '50 connections of 10 networks with 2,000 requests each at once that read nothing, opened anew each second',
  floods: '20 such connections of 10 networks that read what is answered',
  'half-sent': '254 bodies of 1 MiB without their last byte, with a wrong token, of three networks',
  mails: '80 mails of two addresses that send just enough not to be cut off, without an end',
  wide: 'contacts with 60,000 members of metadata, 10 at once',
  trials: 'trials of 20 costly expressions over 60 KB, 13 at once',
  replays: 'replays of 20 costly expressions, 40 at once',
  reports: 'reports over 385 days, 20 at once',
  signatures: 'calls of providers of 60 KB with a wrong signature and no credentials, 64 at once',
  receivers:
    '40 webhooks whose receivers hang, drip, never end, redirect, cut off or fail, and messages for them, 4 at once',
}

export const ATTACK_NAMES = Object.keys(DESCRIPTIONS) as AttackName[]

interface Times {
  sends: number[]
  reads: number[]
}

/**
 * Measures what a tenant waits for while another one attacks, against what it waits for in between, and while the same attackers
 * attack a bare server on this machine as often: so much of it is the machine that they share.
 */
export async function checkAttacks(bench: Bench, names: readonly AttackName[], smtpPort: number): Promise<Check[]> {
  const client = new Worker('bench/checks/attacks/attacker-process.js', [], false, true)
  const control = new Worker('bench/checks/attacks/control-process.js', [], false, true)
  try {
    const bare = await control.ask<Pick<Attacker, 'url' | 'smtpPort'>>('start')
    const attacker = await prepareAttacker(bench, client, smtpPort)
    const neighbour = await prepareNeighbour(bench)
    const pace = isQuick() ? QUICK : USUAL
    await neighbour(pace.spanMs)
    const checks: Check[] = []
    for (const name of names) checks.push(await checkAttack({ bench, client, attacker, bare, neighbour, pace, name }))
    return checks
  } finally {
    await client.stop()
    await control.stop()
  }
}

interface Attack {
  bench: Bench
  client: Worker
  attacker: Attacker
  /** Addresses of the bare server. */
  bare: Pick<Attacker, 'url' | 'smtpPort'>
  neighbour: Neighbour
  pace: typeof USUAL
  name: AttackName
}

async function checkAttack({ bench, client, attacker, bare, neighbour, pace, name }: Attack): Promise<Check> {
  const { rounds, spanMs, settleMs } = pace
  const calm: Times = { sends: [], reads: [] }
  const under: Times = { sends: [], reads: [] }
  const control: Times = { sends: [], reads: [] }
  const outcomes: Record<string, number> = {}
  const blocks: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    add(calm, await neighbour(spanMs))
    await client.ask('start', { name, attacker } satisfies Start)
    await sleep(settleMs)
    await bench.server.ask('longestBlock')
    add(under, await neighbour(spanMs))
    blocks.push(await bench.server.ask<number>('longestBlock'))
    const { outcomes: found, perSecond } = await client.ask<Stop>('stop')
    for (const [outcome, times] of Object.entries(found)) outcomes[outcome] = (outcomes[outcome] ?? 0) + times
    await sleep(settleMs)
    await client.ask('start', { name, attacker: { ...attacker, ...bare }, perSecond } satisfies Start)
    await sleep(settleMs)
    add(control, await neighbour(spanMs))
    await client.ask('stop')
    await sleep(settleMs)
  }
  const sends = ratiosOf('sends', { calm, under, control })
  const reads = ratiosOf('reads', { calm, under, control })
  const line = (times: number[]): string =>
    `p50 ${short(quantile(times, 0.5))}, p95 ${short(quantile(times, 0.95))}, most ${short(Math.max(...times))} ms, ` +
    `${times.filter((time) => time === Infinity).length} refused`
  return {
    name: `neighbours during ${name}`,
    aim: `another tenant's p95 at most ${TIMES_MAX} times its calm p95`,
    failures: failuresOf({
      [sends.words]: sends.times <= TIMES_MAX,
      [reads.words]: reads.times <= TIMES_MAX,
    }),
    found: [
      `${sends.words}: calm ${line(calm.sends)}; attacked ${line(under.sends)}; beside the control ${line(control.sends)}`,
      `${reads.words}: calm ${line(calm.reads)}; attacked ${line(under.reads)}; beside the control ${line(control.reads)}`,
      `the event loop was blocked for at most ${blocks.map(short).join(', ')} ms of CPU`,
      `the attacker was answered ${Object.entries(outcomes)
        .map(([outcome, times]) => `${outcome} ${times} times`)
        .join(', ')}`,
    ],
    how:
      `${DESCRIPTIONS[name]}; ${PER_SECOND} sends and as many pages of conversations a second of another tenant, ${rounds} times ` +
      `${spanMs / 1_000} s each in turns with calm ones. The attacker's process has the lowest priority: it would have a machine of its own. The control: the ` +
      'same attackers, as often, against a bare server that takes everything and does nothing with it, beside the calm product.',
  }
}

/** Puts the attacked p95 of one kind beside the calm one, and beside that of the control. */
function ratiosOf(
  kind: keyof Times,
  { calm, under, control }: Record<'calm' | 'under' | 'control', Times>,
): { times: number; words: string } {
  const [quiet, attacked, bare] = [calm, under, control].map((all) => quantile(all[kind], 0.95)) as [
    number,
    number,
    number,
  ]
  const times = attacked / quiet
  const [ours, theirs] = [times, bare / quiet].map((each) => each.toFixed(2))
  return { times, words: `${kind} take ${ours} times as long as calm ones, beside the control ${theirs} times` }
}

/** Sends and reads at a steady pace, each begun on time whatever became of the one before. */
type Neighbour = (ms: number) => Promise<Times>

async function prepareNeighbour({ seeder, tokens, url }: Bench): Promise<Neighbour> {
  const seed = await seeder.organization(5)
  const conversations = await seeder.conversations(seed, 200)
  const [token] = await tokens(seed.agents)
  const send = (turn: number): Promise<number> =>
    timed(url, token!, SEND, { conversation: conversations[turn % conversations.length] })
  const read = (): Promise<number> => timed(url, token!, PAGE)
  return async (ms) => {
    const times: { sends: Promise<number>[]; reads: Promise<number>[] } = { sends: [], reads: [] }
    const startedAt = performance.now()
    for (let turn = 0; turn < (ms / 1_000) * PER_SECOND; turn += 1) {
      await sleep(startedAt + (turn * 1_000) / PER_SECOND - performance.now())
      times.sends.push(send(turn))
      times.reads.push(read())
    }
    return { sends: await Promise.all(times.sends), reads: await Promise.all(times.reads) }
  }
}

const SEND = `mutation ($conversation: ID!) {
  sendMessage(conversation: $conversation, message: { role: AGENT, text: "It is on its way." }) { id }
}`
const PAGE = `{ conversations(first: 20) { edges { node { id status preview contact { profile { name } } } } } }`

/** @returns milliseconds; without end when it is refused: nothing that failed may count as fast */
async function timed(url: string, token: string, query: string, variables: object = {}): Promise<number> {
  const since = performance.now()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { errors } = (await response.json()) as { errors?: unknown }
  return errors ? Infinity : performance.now() - since
}

function add(to: Times, more: Times): void {
  to.sends.push(...more.sends)
  to.reads.push(...more.reads)
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}
