import { openBenchDatabase } from './database.js'
import { Worker } from './processes.js'
import { Seeder, type SeededUser } from './seed.js'

/** What a benchmark measures with. */
export interface Bench {
  databaseUrl: string
  database: string
  /** Where the product listens. */
  url: string
  server: Worker
  load: Worker
  seeder: Seeder
  /** Access tokens, as a sign-in gives them. */
  tokens(users: readonly SeededUser[]): Promise<string[]>
  close(): Promise<void>
}

/** Starts PostgreSQL, the product in a process of its own, and a process that makes load. */
export async function openBench(): Promise<Bench> {
  const database = await openBenchDatabase()
  // For a profile of the server: BENCH_SERVER_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profiles'
  const server = new Worker('server-process', process.env.BENCH_SERVER_FLAGS?.split(' '))
  const load = new Worker('load-process')
  const stop = async (): Promise<void> => {
    await load.stop()
    await server.stop()
    await database.close()
  }
  try {
    const { url } = await server.ask<{ url: string }>('start', { databaseUrl: database.url })
    const seeder = new Seeder(database.url)
    return {
      databaseUrl: database.url,
      database: database.description,
      url, server, load, seeder,
      tokens: (users) => server.ask<string[]>('tokens', users),
      async close() {
        await seeder.close()
        await server.ask('close')
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
