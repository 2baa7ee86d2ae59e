import type { Bench } from '../../harness/bench.js'
import { failuresOf, isQuick, median, quantile, short, type Check } from '../../harness/figures.js'
import { Worker } from '../../harness/processes.js'
import { ReadyWatch, type ReadyAnswer } from '../../harness/ready-watch.js'
import type { AttackName, Start, Stop } from './attacker-process.js'
import type { Attacker } from './attacker.js'
import { MemoryWatch } from './memory-watch.js'
import { NEIGHBOUR, prepareNeighbour, sleep, type Neighbour, type Times } from './neighbour.js'
import { prepareAttacker } from './prepare-attacker.js'

/**
 * `calmMs`, `spanMs`: of a round's calm part, which comes right before its attack, and of the others. The calm p95 is what all
 * is compared with: 120 sends each round, so that it is not made up of three slow ones. `settleMs`: until an attack is
 * under way, and until what it left behind is done.
 */
const USUAL = { rounds: 5, calmMs: 6_000, spanMs: 3_000, settleMs: 1_000 }
const QUICK = { rounds: 1, calmMs: 500, spanMs: 500, settleMs: 100 }
const TIMES_MAX = 3
const CALM_SHARE_MIN = 0.75
const READY_EVERY_MS = 200
/** Bounds of `/readyz`, for attacks that have one. */
const READY_MS_MAX: Partial<Record<AttackName, number>> = { pipelines: 200 }
const MEBIBYTE = 1_048_576
/** The most that a later burst adds: the first one fills caches, and the allocator gives little back. */
const GROWTH_MIB_MAX = 100

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
    const atFirst = await collectedMemory(bench)
    for (const name of names) {
      await client.ask('start', { name, attacker } satisfies Start)
      await neighbour(pace.spanMs)
      await client.ask('stop')
      await sleep(pace.settleMs)
    }
    const before = await collectedMemory(bench)
    await neighbour(pace.calmMs)
    const checks: Check[] = []
    for (const name of names) checks.push(await checkAttack({ bench, client, attacker, bare, neighbour, pace, name }))
    return [...checks, checkMemory({ atFirst, before, after: await collectedMemory(bench) })]
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

/** Found in one part of all rounds. */
interface Found {
  rounds: Times[]
  /** Answers of `/readyz`. */
  ready: ReadyAnswer[]
}

const nothing = (): Found => ({ rounds: [], ready: [] })

async function checkAttack({ bench, client, attacker, bare, neighbour, pace, name }: Attack): Promise<Check> {
  const { rounds, calmMs, spanMs, settleMs } = pace
  const [calm, under, control] = [nothing(), nothing(), nothing()]
  const outcomes: Record<string, number> = {}
  const blocks: number[] = []
  const heights: number[] = []
  const memoryBefore = await bench.server.ask<number>('memory')
  for (let round = 0; round < rounds; round += 1) {
    await watchReady(bench, calm, async () => calm.rounds.push(await neighbour(calmMs)))
    const { outcomes: found, perSecond } = await watchReady(bench, under, () =>
      watchMemory(bench, heights, async () => {
        await client.ask('start', { name, attacker } satisfies Start)
        await sleep(settleMs)
        await bench.server.ask('longestBlock')
        under.rounds.push(await neighbour(spanMs))
        blocks.push(await bench.server.ask<number>('longestBlock'))
        return client.ask<Stop>('stop')
      }),
    )
    for (const [outcome, times] of Object.entries(found)) outcomes[outcome] = (outcomes[outcome] ?? 0) + times
    await sleep(settleMs)
    await watchReady(bench, control, async () => {
      await client.ask('start', { name, attacker: { ...attacker, ...bare }, perSecond } satisfies Start)
      await sleep(settleMs)
      control.rounds.push(await neighbour(spanMs))
      await client.ask('stop')
    })
    await sleep(settleMs)
  }
  const memoryAfter = await bench.server.ask<number>('memory')
  const sends = ratiosOf('sends', { calm, under, control })
  const reads = ratiosOf('reads', { calm, under, control })
  const longestReady = Math.max(...under.ready.map(({ ms }) => ms))
  const readyMsMax = READY_MS_MAX[name] ?? Infinity
  const unready = under.ready.flatMap(({ failure }) => failure ?? [])
  return {
    name: `neighbours during ${name}`,
    aim:
      `another tenant's p95 at most ${TIMES_MAX} times its calm p95` +
      (readyMsMax < Infinity ? `; /readyz within ${readyMsMax} ms` : ''),
    failures: failuresOf({
      [sends.words]: sends.times <= TIMES_MAX,
      [reads.words]: reads.times <= TIMES_MAX,
      'the calm parts were not calm, so that nothing follows: measure again': sends.isCalm && reads.isCalm,
      [`/readyz took ${short(longestReady)} ms`]: longestReady <= readyMsMax,
      [`/readyz said ${unready.length} times that the server is not ready, at first ${unready[0]}`]:
        unready.length === 0,
    }),
    found: [
      ...[sends, reads].flatMap(({ found }) => found),
      `/readyz: calm ${describeReady(calm)}; attacked ${describeReady(under)}; beside the control ${describeReady(control)}`,
      `resident memory before ${mib(memoryBefore)}, at its height ${mib(Math.max(...heights))}, after ${mib(memoryAfter)} MiB`,
      `the event loop was blocked for at most ${blocks.map(short).join(', ')} ms of CPU`,
      `the attacker was answered ${Object.entries(outcomes)
        .map(([outcome, times]) => `${outcome} ${times} times`)
        .join(', ')}`,
    ],
    how:
      `${DESCRIPTIONS[name]}; ${NEIGHBOUR}, ${rounds} times ${spanMs / 1_000} s, each right after ${calmMs / 1_000} s of calm ones; ` +
      `/readyz every ${READY_EVERY_MS} ms on a new connection, from the start of the attack to its end. The attacker's process has the lowest ` +
      'priority: it would have a machine of its own. The control: the same attackers, as often, against a bare server that takes everything ' +
      'and does nothing with it, beside the calm product.',
  }
}

/** Asks `/readyz` while something goes on. */
async function watchReady<Result>({ url }: Bench, found: Found, run: () => Promise<Result>): Promise<Result> {
  const watch = new ReadyWatch(url, READY_EVERY_MS)
  try {
    return await run()
  } finally {
    found.ready.push(...(await watch.stop()))
  }
}

/** @param heights gets the most resident memory of the server while something goes on, in bytes */
async function watchMemory<Result>({ server }: Bench, heights: number[], run: () => Promise<Result>): Promise<Result> {
  const watch = new MemoryWatch(server)
  try {
    return await run()
  } finally {
    heights.push(await watch.stop())
  }
}

async function collectedMemory({ server }: Bench): Promise<number> {
  await server.ask('heap')
  return server.ask<number>('memory')
}

/** Checks that memory stays as it is: that each attack once more adds next to nothing to what it took the first time. */
function checkMemory({ atFirst, before, after }: Record<'atFirst' | 'before' | 'after', number>): Check {
  const grown = after - before
  return {
    name: 'memory after the attacks',
    aim: `resident at most ${GROWTH_MIB_MAX} MiB more than when each had been there once`,
    failures: failuresOf({ [`${mib(grown)} MiB more`]: grown <= GROWTH_MIB_MAX * MEBIBYTE }),
    found: [
      `resident at first ${mib(atFirst)}, when each had been there once ${mib(before)}, at the end ${mib(after)} MiB`,
    ],
    how: 'All after a collection that gives free pages back. What the allocator keeps of a burst is used by the next one.',
  }
}

interface Ratios {
  times: number
  words: string
  found: string[]
  /** False when what was calm beside the control took much less than what was calm alone: something else was going on. */
  isCalm: boolean
}

/**
 * Puts the attacked p95 of one kind beside the calm one, and beside that of the control. Those two are the middle one of the rounds:
 * a round in which the machine did something else must not make an attack look harmless. Attacked rounds count together.
 */
function ratiosOf(kind: keyof Times, { calm, under, control }: Record<'calm' | 'under' | 'control', Found>): Ratios {
  const [calmByRound, byRound, bareByRound] = [calm, under, control].map(({ rounds }) =>
    rounds.map((round) => quantile(round[kind], 0.95)),
  ) as [number[], number[], number[]]
  const [quiet, bare] = [median(calmByRound), median(bareByRound)]
  const [alone, attacked, beside] = [calm, under, control].map(({ rounds }) =>
    rounds.flatMap((round) => round[kind]),
  ) as [number[], number[], number[]]
  const times = quantile(attacked, 0.95) / quiet
  const words = `${kind} take ${times.toFixed(2)} times as long as calm ones, beside the control ${(bare / quiet).toFixed(2)} times`
  return {
    times,
    words,
    isCalm: bare / quiet >= CALM_SHARE_MIN,
    found: [
      `${words}: calm ${describe(alone)}; attacked ${describe(attacked)}; beside the control ${describe(beside)}`,
      `p95 of ${kind} by round, in ms: calm ${line(calmByRound)}; attacked ${line(byRound)}; beside the control ${line(bareByRound)}`,
    ],
  }
}

const line = (values: readonly number[]): string => values.map(short).join(', ')

function describe(times: readonly number[]): string {
  return (
    `p50 ${short(quantile(times, 0.5))}, p95 ${short(quantile(times, 0.95))}, most ${short(Math.max(...times))} ms, ` +
    `${times.filter((time) => time === Infinity).length} refused`
  )
}

function describeReady({ ready }: Found): string {
  const times = ready.map(({ ms }) => ms)
  return `${times.length} times, p95 ${short(quantile(times, 0.95))}, longest ${short(Math.max(...times))} ms`
}

function mib(bytes: number): string {
  return String(Math.round(bytes / MEBIBYTE))
}
