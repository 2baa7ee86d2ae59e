import type pg from 'pg'
import { Unavailable } from '../errors.js'
import { requirePrimary } from './session.js'
import { isConnectionLoss, isPoolTimeout, sqlStateOf } from './sql-errors.js'

/** Interval of attempts while the database is away. */
const RETRY_MS = 100
/** After the database was away, connections are checked before they are used: some may be dead without anybody knowing. */
const DOUBT_MS = 15_000
/** More wait for nothing: each holds a request in memory. */
const WAITERS_MAX = 5_000

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error) => void) => void

/**
 * Makes a pool wait for a writable database instead of refusing: what has not begun can wait for the end of a failover or
 * a restart. One attempt at a time is made for all that wait. A connection that is given out has answered since the last
 * time the database was away.
 * @param waitMs after that the database is UNAVAILABLE, with a time to retry
 * @param hostCount of the address: each of them may have become the primary
 * @returns whether the database is away
 */
export function waitForDatabase(pool: pg.Pool, waitMs: number, hostCount = 1): () => boolean {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  let recovery: Promise<void> | null = null
  let doubtedUntil = 0
  let waiters = 0

  async function checked(): Promise<pg.PoolClient> {
    const client = await connect()
    if (performance.now() > doubtedUntil) return client
    try {
      // A pooler answers for whatever it leads to by now.
      await requirePrimary(client)
      return client
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }

  async function recover(): Promise<void> {
    while (!(pool as pg.Pool & { ending: boolean }).ending) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      doubtedUntil = performance.now() + DOUBT_MS
      let client: pg.PoolClient | null = null
      for (let tries = 0; tries < hostCount && !client; tries++) client = await checked().catch(() => null)
      client?.release()
      if (client) break
    }
    recovery = null
  }

  async function connectWithRetries(): Promise<pg.PoolClient> {
    const until = performance.now() + waitMs
    for (;;) {
      try {
        if (recovery) await before(until, recovery)
        return await checked()
      } catch (error) {
        if (isPoolTimeout(error))
          throw new Unavailable('too many requests wait for the database; retry', { cause: error })
        if (!isConnectionLoss(sqlStateOf(error) ?? '')) throw error
        doubtedUntil = performance.now() + DOUBT_MS
        if (waitMs > 0) recovery ??= recover()
        if (performance.now() >= until || waiters >= WAITERS_MAX)
          throw new Unavailable('the database is not available; retry', { cause: error })
      }
    }
  }

  async function before(until: number, recovered: Promise<void>): Promise<void> {
    if (waiters >= WAITERS_MAX) throw new Away()
    waiters += 1
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Away()), Math.max(0, until - performance.now()))
    })
    try {
      await Promise.race([recovered, late])
    } finally {
      clearTimeout(timer)
      waiters -= 1
    }
  }

  async function inform(connected: Connected): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await connectWithRetries()
    } catch (error) {
      return connected(error as Error, undefined, () => undefined)
    }
    connected(undefined, client, (error) => client.release(error))
  }

  const replaced = (connected?: Connected) => (connected ? void inform(connected) : connectWithRetries())
  pool.connect = replaced as typeof pool.connect
  return () => recovery !== null
}

/** The database was away for the whole wait. */
class Away extends Error {
  readonly code = '08006'

  constructor() {
    super('the database is not available')
  }
}
