import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from '../harness/database.js'
import { openBench, type Bench } from '../harness/bench.js'
import { listenForMail } from '../harness/mail-port.js'
import { fuzz } from './run.js'

const MEBIBYTE = 1024 * 1024
/**
 * Growth of the server's memory that is allowed between the first fifth and the end: what it keeps on purpose is
 * bounded.
 */
const GROWTH_MIB_MAX = { heap: 50, resident: 150 } as const

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
    const before = memory[1] ?? atEnd
    process.stdout.write(`${tally.describe('requests')}\n${tally.describe('frames')}\n`)
    process.stdout.write(`${tally.describe('connections')}\n${tally.describe('mails')}\n`)
    process.stdout.write(`/readyz answered within ${Math.round(tally.slowestReadyMs)} ms\n`)
    process.stdout.write(`slowest ${Math.round(tally.slowestMs)} ms; after a fifth ${describe(before)}, `)
    process.stdout.write(`at the end ${describe(atEnd)}\n`)
    for (const fault of tally.faults) process.stdout.write(`${fault}\n`)
    process.stdout.write(`${tally.faultCount} faults\n`)
    const isDeep = tally.successes('requests') >= 1 / 3 && tally.successes('frames') >= 1 / 3
    const isFlat =
      atEnd.heap - before.heap <= GROWTH_MIB_MAX.heap && atEnd.resident - before.resident <= GROWTH_MIB_MAX.resident
    process.exitCode = tally.faultCount === 0 && isDeep && isFlat ? 0 : 1
  } finally {
    await bench.close()
    await postgres.close()
  }
}

async function memoryOf({ server }: Bench): Promise<Memory> {
  const heap = (await server.ask<number>('heap')) / MEBIBYTE
  return { heap, resident: (await server.ask<number>('memory')) / MEBIBYTE }
}

function describe({ heap, resident }: Memory): string {
  return `heap ${Math.round(heap)} MiB after a collection, ${Math.round(resident)} MiB resident`
}

await main()
