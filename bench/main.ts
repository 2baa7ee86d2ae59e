import { availableParallelism, cpus, loadavg } from 'node:os'
import { openBench, type Bench } from './bench.js'
import { printCheck, printFigure, type Check, type Figure } from './figures.js'
import { benchDelayed } from './delayed.js'
import { benchDepth } from './depth.js'
import { benchFanOut } from './fan-out.js'
import { checkLeaks } from './leaks.js'
import { benchPage } from './page.js'
import { benchPeers } from './peers.js'
import { checkRaces } from './races.js'
import { benchRest } from './rest.js'
import { benchRules } from './rules.js'
import { benchSend } from './send.js'
import { checkStalled } from './stalled.js'
import { checkStorm } from './storm.js'
import { benchWebhooks } from './webhooks.js'

const BENCHMARKS: Readonly<Record<string, (bench: Bench) => Promise<(Figure | Check)[]>>> = {
  send: benchSend,
  'fan-out': benchFanOut,
  page: benchPage,
  rules: benchRules,
  depth: benchDepth,
  webhooks: benchWebhooks,
  storm: checkStorm,
  races: checkRaces,
  stalled: checkStalled,
  leaks: checkLeaks,
  rest: benchRest,
  delayed: benchDelayed,
  peers: benchPeers,
}
/** Minutes long, or in need of what is installed first: run when they are named. */
const LONG = new Set(['races', 'stalled', 'leaks', 'peers'])

/** `npm run bench [-- --only send,page]` */
async function main(): Promise<void> {
  const names = readNames(process.argv.slice(2))
  const startedAt = performance.now()
  const bench = await openBench()
  try {
    process.stdout.write(`${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.versions.node}, ${bench.database}\n\n`)
    for (const name of names) {
      for (const result of await BENCHMARKS[name]!(bench)) {
        if ('ratio' in result) printFigure(result)
        else printCheck(result)
        process.stdout.write(`    load     ${loadavg()[0]!.toFixed(1)}\n\n`)
      }
    }
  } finally {
    await bench.close()
  }
  process.stdout.write(`done in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
}

/** @throws Error naming an argument that is not known */
function readNames(argv: readonly string[]): string[] {
  const known = Object.keys(BENCHMARKS)
  if (argv.length === 0) return known.filter((name) => !LONG.has(name))
  const [flag, list = ''] = argv[0]!.includes('=') ? argv[0]!.split('=') : argv
  const names = list.split(',').filter(Boolean)
  const unknown = names.find((name) => !known.includes(name))
  if (flag !== '--only' || names.length === 0 || unknown !== undefined) {
    throw new Error(`usage: npm run bench [-- --only ${known.join(',')}]`)
  }
  return names
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
})
