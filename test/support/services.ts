import { freePort } from '../../bench/chaos/free-port.js'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.js'
import { makeTemplate } from './database.js'
import { writeToMemory } from './memory-folder.js'
import { MUST_RUN_ALL } from './programs.js'

let stopServices = async (): Promise<void> => undefined

/** Gives up durability: all that the tests write is gone after the run anyway. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB', checkpoint_timeout: '1h' }
/** Four suites at a time, some of several nodes. */
const ROOMY = { max_connections: '400' }
const log = { info: () => undefined, warn: () => undefined }

/**
 * One PostgreSQL and one Redis for the whole run: those of `TEST_DATABASE_URL` and `REDIS_URL`, else the embedded
 * PostgreSQL and a redis-server of the PATH. Without Redis its suites say that they are skipped.
 */
export async function startServices(): Promise<void> {
  const stops: (() => Promise<void> | void)[] = [writeToMemory()]
  if (process.env.TEST_DATABASE_URL) {
    process.env.TEST_POSTGRES_URL = process.env.TEST_DATABASE_URL
  } else {
    const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-test-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { ...NOT_DURABLE, ...ROOMY } })
    process.env.TEST_POSTGRES_URL = postgres.url
    stops.push(async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    })
  }
  const template = await makeTemplate()
  stops.push(() => template.drop())
  if (process.env.REDIS_URL) {
    process.env.TEST_REDIS_URL = process.env.REDIS_URL
  } else {
    const redis = await startRedis()
    if (redis) {
      process.env.TEST_REDIS_URL = redis.url
      stops.push(() => void redis.process.kill())
    } else if (MUST_RUN_ALL) {
      throw new Error('REQUIRE_ALL_SUITES is set, but there is neither REDIS_URL nor a redis-server on the PATH')
    } else {
      process.stderr.write(
        '\n*** No REDIS_URL and no redis-server on the PATH: the suites that need Redis are SKIPPED ***\n',
      )
    }
  }
  stopServices = async () => {
    for (const stop of stops.toReversed()) await stop()
  }
}

export const endServices = (): Promise<void> => stopServices()

async function startRedis(): Promise<{ url: string; process: ChildProcess } | null> {
  const port = await freePort()
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const isReady = await new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', () => resolve(false))
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('Ready to accept connections')) resolve(true)
    })
  })
  return isReady ? { url: `redis://127.0.0.1:${port}`, process: child } : null
}
