import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { Database } from '../db/database.js'

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

/** The session that the runners of a node share; another one, with another number, when it was lost. */
export class RunnerSessions {
  #current: Promise<RunnerSession> | null = null

  constructor(private readonly database: Database) {}

  async current(): Promise<RunnerSession> {
    const known = this.#current
    const session = await known?.catch(() => null)
    if (session?.isAlive) return session
    // Unless another caller has begun a new one meanwhile.
    if (this.#current === known) {
      session?.close()
      this.#current = RunnerSession.open(this.database)
    }
    return this.#current!
  }

  async close(): Promise<void> {
    const session = await this.#current?.catch(() => null)
    session?.close()
  }
}

/** Whether the runner that the column names is dead. */
export const isDeadSql = (leasedBy: string): string => `${leasedBy} is not null and ${leasedBy} not in (
  select l.objid::bigint::int from pg_locks l
  where l.locktype = 'advisory' and l.classid = ${RUNNER_LOCKS} and l.granted
    and l.database = (select oid from pg_database where datname = current_database()))`
