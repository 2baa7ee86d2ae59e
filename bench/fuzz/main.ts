import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from '../harness/database.js'
import { openBench, type Bench } from '../harness/bench.js'
import { failuresOf } from '../harness/figures.js'
import { listenForMail } from '../harness/mail-port.js'
import { fuzz } from './run.js'
import { describeTally, tableOf } from './table.js'

const MEBIBYTE = 1024 * 1024
/**
 * Growth of the server's memory that is allowed to the end, by when it began: what it keeps on purpose is bounded, and most of
 * it is kept, and its code compiled, after a fifth of the requests.
 */
const GROWTH_MIB_MAX = {
  'the start': { heap: 200, resident: 450 },
  'a fifth': { heap: 50, resident: 150 },
} as const

/** Share of 2xx: a request that is refused at once never comes far. */
const SUCCESSES_MIN = 1 / 4

/** After a collection that gives free pages back, in MiB. */
interface Memory {
  heap: number
  resident: number
}

/** `npm run fuzz [-- --requests 100000 --frames 10000 --connections 10000 --mails 2000 --seed 1]`; ends with 1 when anything was answered by a fault. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      frames: { type: 'string', default: '10000' },
      connections: { type: 'string', default: '10000' },
      mails: { type: 'string', default: '2000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    },
  })
  const seed = Number(values.seed)
  const postgres = await openBenchDatabase()
  const { port: mailPort, settings } = await listenForMail()
  const bench = await openBench(postgres.url, ['--expose-gc'], undefined, settings)
  const memory: Memory[] = []
  try {
    process.stdout.write(`seed ${seed}, ${postgres.description}\n`)
    const seeded = await bench.seeder.organization(5)
    const roles = ['admin', 'agent', 'bot']
    const callers = seeded.agents.slice(0, roles.length).map((agent, index) => ({ ...agent, role: roles[index]! }))
    for (const { id, role } of callers)
      await bench.seeder.query('update app_user set role = $2 where id = $1', [id, role])
    const atStart = await memoryOf(bench)
    const since = performance.now()
    const tally = await fuzz({
      url: bench.url,
      tokens: await bench.tokens(callers),
      schema: readFileSync('schema.graphql', 'utf8'),
      requests: Number(values.requests),
      frames: Number(values.frames),
      connections: Number(values.connections),
      mails: { count: Number(values.mails), port: mailPort },
      seed,
      concurrency: 8,
      async observe(done) {
        const now = await memoryOf(bench)
        memory.push(now)
        const seconds = Math.round((performance.now() - since) / 1_000)
        process.stdout.write(`${done} requests, ${seconds} s, ${describe(now)}\n`)
      },
    })
    const atEnd = await memoryOf(bench)
    const begun = { 'the start': atStart, 'a fifth': memory[1] ?? atEnd }
    process.stdout.write(`\n${describeTally(tally)}\n${describeMemory(begun, atEnd)}\n`)
    for (const fault of tally.faults) process.stdout.write(`${fault}\n`)
    const failures = failuresOf({
      [`${tally.faultCount} faults`]: tally.faultCount === 0,
      'fewer than a quarter of the requests, or of the frames, were answered 2xx':
        tally.successes('requests') >= SUCCESSES_MIN && tally.successes('frames') >= SUCCESSES_MIN,
      'memory grew beyond its bound': SINCE.every((when) =>
        MEMORY.every((part) => isFlat(part, when, begun[when], atEnd)),
      ),
    })
    process.stdout.write(failures.length === 0 ? 'holds\n' : `does NOT hold: ${failures.join('; ')}\n`)
    process.exitCode = failures.length === 0 ? 0 : 1
  } finally {
    await bench.close()
    await postgres.close()
  }
}

async function memoryOf({ server }: Bench): Promise<Memory> {
  const heap = (await server.ask<number>('heap')) / MEBIBYTE
  return { heap, resident: (await server.ask<number>('memory')) / MEBIBYTE }
}

const SINCE = ['the start', 'a fifth'] as const
const MEMORY = ['heap', 'resident'] as const

function isFlat(
  part: keyof Memory,
  since: keyof typeof GROWTH_MIB_MAX,
  { [part]: before }: Memory,
  { [part]: after }: Memory,
): boolean {
  return after - before <= GROWTH_MIB_MAX[since][part]
}

/** A table of the memory after collections, and of its growth beside what is allowed. */
function describeMemory(begun: Record<keyof typeof GROWTH_MIB_MAX, Memory>, atEnd: Memory): string {
  const mib = (value: number): string => String(Math.round(value))
  return tableOf([
    ['MiB after a collection', ...SINCE, 'the end', ...SINCE.map((when) => `more since ${when} (at most)`)],
    ...MEMORY.map((part) => [
      part,
      ...SINCE.map((when) => mib(begun[when][part])),
      mib(atEnd[part]),
      ...SINCE.map((when) => `${mib(atEnd[part] - begun[when][part])} (${GROWTH_MIB_MAX[when][part]})`),
    ]),
  ])
}

function describe({ heap, resident }: Memory): string {
  return `heap ${Math.round(heap)} MiB after a collection, ${Math.round(resident)} MiB resident`
}

await main()
