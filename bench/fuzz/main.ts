import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openBenchDatabase } from '../harness/database.js'
import { openBench } from '../harness/bench.js'
import { fuzz } from './run.js'

const MEBIBYTE = 1024 * 1024
/** What the server may hold more at the end than after its first fifth: what it keeps on purpose is bounded. */
const GROWTH_MIB_MAX = 150

/** `npm run fuzz [-- --requests 100000 --frames 10000 --seed 1]`; ends with 1 when anything was answered by a fault. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      frames: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    },
  })
  const seed = Number(values.seed)
  const postgres = await openBenchDatabase()
  const bench = await openBench(postgres.url)
  const memory: number[] = []
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
      seed,
      concurrency: 8,
      async observe(done) {
        memory.push((await bench.server.ask<number>('memory')) / MEBIBYTE)
        process.stdout.write(
          `${done} requests, ${Math.round((performance.now() - since) / 1_000)} s, ${Math.round(memory.at(-1)!)} MiB\n`,
        )
      },
    })
    const atEnd = (await bench.server.ask<number>('memory')) / MEBIBYTE
    const growth = atEnd - (memory[1] ?? atEnd)
    process.stdout.write(`${tally.describe('requests')}\n${tally.describe('frames')}\n`)
    process.stdout.write(
      `slowest ${Math.round(tally.slowestMs)} ms; resident memory ${memory.map(Math.round).join(', ')}, at the end ${Math.round(atEnd)} MiB\n`,
    )
    for (const fault of tally.faults) process.stdout.write(`${fault}\n`)
    process.stdout.write(`${tally.faultCount} faults\n`)
    const isDeep = tally.successes('requests') >= 1 / 3 && tally.successes('frames') >= 1 / 3
    process.exitCode = tally.faultCount === 0 && isDeep && growth <= GROWTH_MIB_MAX ? 0 : 1
  } finally {
    await bench.close()
    await postgres.close()
  }
}

await main()
