import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { benchApollo } from './benchmarks/apollo.js'
import { benchConsole, CONSOLE_PARTS } from './benchmarks/console/console.js'
import { benchBackup } from './benchmarks/backup.js'
import { benchBudgets } from './benchmarks/budgets.js'
import { benchCosts } from './benchmarks/costs.js'
import { benchDelayed } from './benchmarks/delayed.js'
import { benchDepth } from './benchmarks/depth.js'
import { benchErasure } from './benchmarks/erasure.js'
import { benchAccounts } from './benchmarks/accounts.js'
import { benchFairness } from './benchmarks/fairness.js'
import { benchFanOut } from './benchmarks/fan-out/fan-out.js'
import { benchFeed } from './benchmarks/feed.js'
import { benchAudit } from './benchmarks/governance/audit.js'
import { benchGovernance } from './benchmarks/governance/governance.js'
import { benchSignIn } from './benchmarks/governance/sign-in.js'
import { benchGrowth } from './benchmarks/growth.js'
import { benchInbound } from './benchmarks/inbound/inbound.js'
import { benchProviderEvents } from './benchmarks/inbound/provider-events.js'
import { benchMarks } from './benchmarks/marks.js'
import { benchMcp } from './benchmarks/mcp.js'
import { benchOfferRate } from './benchmarks/offer-rate.js'
import { benchOffers } from './benchmarks/offers.js'
import { benchPage } from './benchmarks/page.js'
import { benchPeers } from './benchmarks/peers.js'
import { benchPooler } from './benchmarks/pooler.js'
import { benchPullCost } from './benchmarks/pull-cost.js'
import { benchReports } from './benchmarks/reports.js'
import { prepareReports } from './benchmarks/reports-seed.js'
import { benchRetention } from './benchmarks/retention.js'
import { benchRest } from './benchmarks/rest.js'
import { benchRouting } from './benchmarks/routing.js'
import { benchSend } from './benchmarks/send.js'
import { benchStreams } from './benchmarks/streams.js'
import { benchTraces } from './benchmarks/traces.js'
import { benchViews } from './benchmarks/views.js'
import { benchWaiting } from './benchmarks/waiting.js'
import { benchWebhooks } from './benchmarks/webhooks.js'
import type { AttackName } from './checks/attacks/attacker-process.js'
import { ATTACK_NAMES, checkAttacks } from './checks/attacks/attacks.js'
import { checkHeldLocks } from './checks/held-locks.js'
import { checkLeaks } from './checks/leaks.js'
import { checkLinear } from './checks/linear.js'
import { checkRaces } from './checks/races.js'
import { checkRuleOracle } from './checks/rule-oracle.js'
import { checkSchedules } from './checks/schedules.js'
import { checkStalled } from './checks/stalled.js'
import { checkStreamCuts } from './checks/stream-cuts.js'
import { checkStorm } from './checks/storm.js'
import { openBench, type Bench } from './harness/bench.js'
import { createDatabase, openBenchDatabase, type BenchDatabase } from './harness/database.js'
import { listenForMail } from './harness/mail-port.js'
import { printCheck, printFigure, type Check, type Figure } from './harness/figures.js'

const BENCHMARKS: Readonly<Record<string, (bench: Bench) => Promise<(Figure | Check)[]>>> = {
  send: benchSend,
  'fan-out': benchFanOut,
  page: benchPage,
  inbound: benchInbound,
  'provider-events': benchProviderEvents,
  routing: benchRouting,
  depth: benchDepth,
  growth: benchGrowth,
  fairness: async (bench) => [...(await benchAccounts(bench)), ...(await benchFairness(bench))],
  'fairness:accounts': benchAccounts,
  webhooks: benchWebhooks,
  feed: benchFeed,
  waiting: benchWaiting,
  traces: benchTraces,
  storm: checkStorm,
  'rule-oracle': checkRuleOracle,
  races: checkRaces,
  match: benchOffers,
  'offer-rate': benchOfferRate,
  'pull-cost': benchPullCost,
  apollo: benchApollo,
  schedules: checkSchedules,
  stalled: checkStalled,
  leaks: checkLeaks,
  'held-locks': checkHeldLocks,
  linear: checkLinear,
  rest: benchRest,
  mcp: benchMcp,
  streams: benchStreams,
  'stream-cuts': checkStreamCuts,
  delayed: benchDelayed,
  budgets: benchBudgets,
  marks: benchMarks,
  console: (bench) => benchConsole(bench, CONSOLE_PARTS),
  ...Object.fromEntries(
    CONSOLE_PARTS.map((part) => [`console:${part}`, (bench: Bench) => benchConsole(bench, [part])]),
  ),
  peers: benchPeers,
  pooler: benchPooler,
  costs: benchCosts,
  backup: benchBackup,
  erasure: benchErasure,
  retention: benchRetention,
  views: benchViews,
  governance: benchGovernance,
  'governance:audit': benchAudit,
  'governance:sign-in': benchSignIn,
}
/** On a server that takes mail too. */
const ATTACKS: Readonly<Record<string, readonly AttackName[]>> = {
  attacks: ATTACK_NAMES,
  ...Object.fromEntries(ATTACK_NAMES.map((name) => [`attacks:${name}`, [name]])),
}
/** Minutes long, or in need of what is installed first: run when they are named. */
const LONG = new Set([
  'apollo',
  'feed',
  'traces',
  'reports',
  'growth',
  'fairness',
  'rule-oracle',
  'races',
  'schedules',
  'stalled',
  'leaks',
  'held-locks',
  'linear',
  'attacks',
  'console',
  'peers',
  'pooler',
  'backup',
  'erasure',
  'retention',
  'views',
  'governance',
  'stream-cuts',
])

/**
 * `npm run bench [-- --only send,page] [--quick]`; `--quick` shows that they run: its figures say nothing. Parts of long
 * ones have names such as `attacks:guests`.
 */
async function main(): Promise<void> {
  const { names, isQuick } = readOptions()
  if (isQuick) process.env.BENCH_QUICK = '1'
  const startedAt = performance.now()
  const postgres = await openBenchDatabase()
  try {
    if (isQuick) process.stdout.write('quick: whether they run; the figures say nothing\n')
    const [cpu] = cpus()
    process.stdout.write(
      `${availableParallelism()} cores (${cpu?.model}), Node ${process.versions.node}, ${postgres.description}\n\n`,
    )
    for (const name of names) await run(name, postgres.url)
  } finally {
    await postgres.close()
  }
  process.stdout.write(`done in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
}

async function run(name: string, postgresUrl: string): Promise<void> {
  if (name === 'reports') await runReports(postgresUrl)
  else if (name in ATTACKS) await runAttacks(postgresUrl, ATTACKS[name]!)
  else await runOn(await openBench(postgresUrl), BENCHMARKS[name]!)
}

async function runAttacks(postgresUrl: string, names: readonly AttackName[]): Promise<void> {
  const { port, settings } = await listenForMail()
  // The rate that keeps off floods is the usual one.
  const limited = { ...settings, RATE_LIMIT_PER_SECOND: '20' }
  const bench = await openBench(postgresUrl, ['--expose-gc'], undefined, limited)
  await runOn(bench, () => checkAttacks(bench, names, port))
}

/** On a database that is filled before the server starts; `DATABASE_URL_REPORTS` is filled once and kept. */
async function runReports(postgresUrl: string): Promise<void> {
  const url = process.env.DATABASE_URL_REPORTS
  const kept: BenchDatabase | undefined = url ? { url, description: 'kept', close: async () => undefined } : undefined
  const database = kept ?? (await createDatabase(postgresUrl, 'of the bench'))
  const seeded = await prepareReports(database.url)
  if (seeded) await runOn(await openBench(postgresUrl, [], database), (bench) => benchReports(bench, seeded))
}

async function runOn(bench: Bench, benchmark: (bench: Bench) => Promise<(Figure | Check)[]>): Promise<void> {
  try {
    for (const result of await benchmark(bench)) {
      if ('ratio' in result) printFigure(result)
      else printCheck(result)
      process.stdout.write(`    load     ${loadavg()[0]!.toFixed(1)}\n\n`)
    }
  } catch (error) {
    // What a failed benchmark leaves open would hide why it failed.
    await bench.close().catch(() => undefined)
    throw error
  }
  await bench.close()
}

/** @throws Error naming an argument that is not known */
function readOptions(): { names: string[]; isQuick: boolean } {
  const known = [...Object.keys(BENCHMARKS), ...Object.keys(ATTACKS), 'reports']
  const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } })
  const names =
    values.only === undefined
      ? known.filter((name) => !LONG.has(name.split(':')[0]!))
      : values.only.split(',').filter(Boolean)
  const unknown = names.find((name) => !known.includes(name))
  if (names.length === 0 || unknown !== undefined) {
    throw new Error(`--only takes a list of ${known.join(', ')}; not ${JSON.stringify(unknown ?? values.only)}`)
  }
  return { names, isQuick: values.quick }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
})
