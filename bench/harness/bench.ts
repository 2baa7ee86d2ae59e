import { createDatabase, requireUnused, type BenchDatabase } from './database.js'
import type { FloorLoad, HttpLoad } from './load-process.js'
import type { LoadResult } from './load.js'
import { Worker } from './processes.js'
import { Seeder, type SeededUser } from './seed.js'

/** Tools of a benchmark, for itself alone: a database, the product, a process that makes load. */
export interface Bench {
  databaseUrl: string
  /** Address at which the product listens. */
  url: string
  server: Worker
  load: Worker
  seeder: Seeder
  /** Access tokens, as a sign-in gives them. */
  tokens(users: readonly SeededUser[]): Promise<string[]>
  /** Requests to the product by the load process, with the CPU that they cost the product. */
  http(load: Omit<HttpLoad, 'url'>): Promise<HttpResult>
  /** Measures what the product is compared with, by the load process. @param module see {@link FloorLoad} */
  floor<Options>(load: Omit<FloorLoad<Options>, 'databaseUrl'>): Promise<LoadResult>
  close(): Promise<void>
}

export type HttpResult = LoadResult & { serverMicrosEach: number }

/**
 * Starts the product on a new database, in a process of its own, and a process that makes load. Nothing of a benchmark
 * is left for the next one: not its records, not its connections, not what its code was optimised for.
 * @param postgresUrl any database of the PostgreSQL server
 * @param serverFlags flags of node for the product's process, such as `--expose-gc`
 * @param given a database that is there, in place of a new one
 * @param settings of the product, by the names of the environment
 */
export async function openBench(
  postgresUrl: string,
  serverFlags: readonly string[] = [],
  given?: BenchDatabase,
  settings: Record<string, string> = {},
): Promise<Bench> {
  const database = given ?? (await createDatabase(postgresUrl, 'of the bench'))
  // For a profile of the server: BENCH_SERVER_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profiles'
  const server = new Worker('bench/harness/server-process.js', [
    ...serverFlags,
    ...(process.env.BENCH_SERVER_FLAGS?.split(' ') ?? []),
  ])
  const load = new Worker('bench/harness/load-process.js')
  const stop = async (): Promise<void> => {
    await load.stop()
    await server.stop()
  }
  try {
    const { url } = await server.ask<{ url: string }>('start', { databaseUrl: database.url, settings })
    const seeder = new Seeder(database.url)
    return {
      databaseUrl: database.url,
      url,
      server,
      load,
      seeder,
      tokens: (users) => server.ask<string[]>('tokens', users),
      async http(options) {
        const before = await server.ask<number>('cpu')
        const result = await load.ask<LoadResult>('http', { url, ...options } satisfies HttpLoad)
        return { ...result, serverMicrosEach: ((await server.ask<number>('cpu')) - before) / result.done }
      },
      floor: (options) => load.ask<LoadResult>('floor', { databaseUrl: database.url, ...options }),
      async close() {
        await seeder.close()
        await server.ask('close')
        await stop()
        await requireUnused(database.url, postgresUrl)
        await database.close()
      },
    }
  } catch (error) {
    await stop()
    await database.close()
    throw error
  }
}
