import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { Database, Sql } from '../db/database.js'

/** An arbitrary constant: the class of the advisory locks that runners hold. */
const RUNNER_LOCKS = 730_196_042

/**
 * A runner's sign of life: an advisory lock on a connection of its own. When the process dies, PostgreSQL sees the
 * connection end at once, and others take up what it held; they need not wait for its leases to run out.
 */
export class RunnerSession {
  #isAlive = true

  private constructor(
    /** Names the runner in the leases. */
    readonly runner: number,
    private readonly client: pg.Client,
  ) {
    client.on('end', () => (this.#isAlive = false))
    client.on('error', () => (this.#isAlive = false))
  }

  static async open(database: Database): Promise<RunnerSession> {
    // Not one of the pool's: it would be missing there for as long as the process lives.
    const client = new pg.Client(database.pool.options)
    client.on('error', () => undefined)
    try {
      await client.connect()
      for (;;) {
        const runner = randomInt(1, 2 ** 31)
        const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1, $2) as "isOurs"', [
          RUNNER_LOCKS,
          runner,
        ])
        if (rows[0]!.isOurs) return new RunnerSession(runner, client)
      }
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  /** False once the connection is lost: what was leased may be another's by now. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Ends the connection, and the lock with it. */
  close(): void {
    this.#isAlive = false
    this.client.end().catch(() => undefined)
  }
}

/** Frees what runners held that live no more. @returns whether there was something */
export async function freeLanesOfTheDead(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `update webhook_lane set leased_by = null, leased_until = null
     where leased_by is not null and leased_by not in (
       select l.objid::bigint::int from pg_locks l
       where l.locktype = 'advisory' and l.classid = $1 and l.granted
         and l.database = (select oid from pg_database where datname = current_database()))
     returning 1`,
    [RUNNER_LOCKS],
    'free-webhook-lanes',
  )
  return rows.length > 0
}
