import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { runClusterChaos } from './cluster/run.js'
import { proveOffers } from './offer-proof/run.js'
import { runChaos } from './run.js'

/**
 * `npm run chaos [-- --injections 300 --seed 7]`, `-- --only offers [--offers 10000]`, or
 * `-- --cluster [--only switchover --times 3]`
 */
async function main(): Promise<void> {
  const { injections, seed, isCluster, only, times, offers } = readOptions()
  if (isCluster) return runCluster(only, times)
  const isOffers = only.includes('offers')
  if (only.length > 0 && !isOffers) throw new Error(`--only must be offers, not ${only.join(', ')}`)
  const what = isOffers ? `${offers} offers` : `${injections} injections`
  print(`${what}, seed ${seed}; ${availableParallelism()} cores (${cpus()[0]?.model}), load ${load()}`)
  const startedAt = performance.now()
  const { lines, problems } = isOffers
    ? await proveOffers({ offers, seed, print })
    : await runChaos({ injections, seed, print })
  for (const line of lines) print(line)
  for (const problem of problems) print(`  WRONG  ${problem}`)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  print(`${problems.length === 0 ? 'all as promised' : 'NOT as promised'}, in ${seconds} s, load ${load()}`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

/** Needs Debian's patroni, etcd-server, haproxy, pgbouncer and redis-server, and PostgreSQL 15. */
async function runCluster(only: string[], times: number): Promise<void> {
  print(`${availableParallelism()} cores (${cpus()[0]?.model}), load ${load()}`)
  const startedAt = performance.now()
  const problems = await runClusterChaos({ only, times, print })
  for (const problem of problems) print(`  WRONG  ${problem}`)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  print(`${problems.length === 0 ? 'all as promised' : 'NOT as promised'}, in ${seconds} s, load ${load()}`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

interface Options {
  injections: number
  seed: number
  isCluster: boolean
  only: string[]
  times: number
  offers: number
}

/** @throws Error naming an option that is not as it should be */
function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      injections: { type: 'string' },
      seed: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      times: { type: 'string' },
      offers: { type: 'string' },
    },
  })
  const number = (name: 'injections' | 'seed' | 'times' | 'offers', fallback: number): number => {
    const value = Number(values[name] ?? fallback)
    if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} must be a whole number, not ${values[name]}`)
    return value
  }
  return {
    injections: number('injections', 300),
    seed: number('seed', Date.now() % 100_000),
    isCluster: values.cluster,
    only: values.only,
    times: number('times', 1),
    offers: number('offers', 10_000),
  }
}

const load = (): string => loadavg()[0]!.toFixed(1)

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  },
)
