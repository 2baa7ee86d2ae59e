import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { Database, Sql } from '../db/database.js'

/** An arbitrary constant: the class of the advisory locks that runners hold. */
const RUNNER_LOCKS = 730_196_042

/** A connection that says nothing for this long is lost, whatever TCP believes: noticed within 5 s. */
const ANSWER_MS = 3_000
const PING_MS = 1_000

/**
 * PostgreSQL's own look at the connection, so that the lock of a machine that is gone from the network is free in 15 s.
 * Nothing that is done on it need wait for the disk: leases may be lost with the machine.
 */
const SETTINGS = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3;
set synchronous_commit = off`

/**
 * A runner's sign of life: an advisory lock on a connection of its own. When the process dies, PostgreSQL sees the
 * connection end at once, and others take up what it held; they need not wait for its leases to run out. Leases are
 * renewed over the same connection, so that who cannot be heard there renews none.
 */
export class RunnerSession implements Sql {
  #isAlive = true
  readonly #ping: NodeJS.Timeout

  private constructor(
    /** Names the runner in the leases. */
    readonly runner: number,
    private readonly client: pg.Client,
  ) {
    client.on('end', () => this.#lost())
    client.on('error', () => this.#lost())
    this.#ping = setInterval(() => void this.query('select 1').catch(() => undefined), PING_MS)
    this.#ping.unref()
  }

  static async open(database: Database): Promise<RunnerSession> {
    // Not one of the pool's: it would be missing there for as long as the process lives.
    const { options } = database.pool
    // The pool hides its password from who copies its options.
    const { password } = options
    const client = new pg.Client({ ...options, password, keepAlive: true, connectionTimeoutMillis: ANSWER_MS })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await within(client.query(SETTINGS))
      for (;;) {
        const runner = randomInt(1, 2 ** 31)
        const asked = client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1, $2) as "isOurs"', [
          RUNNER_LOCKS,
          runner,
        ])
        const { rows } = await within(asked)
        if (rows[0]!.isOurs) return new RunnerSession(runner, client)
      }
    } catch (error) {
      discard(client)
      throw error
    }
  }

  /** False once the connection is lost: what was leased may be another's by now. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  /** @throws when the connection is lost, which it is after 3 s without an answer */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.#isAlive) throw new Error("the runner's connection is lost")
    try {
      return (await within(this.client.query(text, values as unknown[]))).rows as Row[]
    } catch (error) {
      if (error instanceof Unanswered) this.#lost()
      throw error
    }
  }

  /** Ends the connection, and the lock with it. */
  close(): void {
    this.#isAlive = false
    clearInterval(this.#ping)
    this.client.end().catch(() => undefined)
  }

  #lost(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    clearInterval(this.#ping)
    discard(this.client)
  }
}

class Unanswered extends Error {}

async function within<T>(answer: Promise<T>): Promise<T> {
  // What fails later has been given up.
  answer.catch(() => undefined)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Unanswered(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS)
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}

/** At once: a farewell would wait for an answer as well. */
function discard(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
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
