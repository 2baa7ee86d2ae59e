import { randomInt } from 'node:crypto'
import type pg from 'pg'
import type { Database, Sql } from '../db/database.js'

/** An arbitrary constant: the class of the advisory locks that runners hold. */
const RUNNER_LOCKS = 730_196_042

/** A connection without an answer for this long is considered lost, whatever TCP reports: noticed within 5 s. */
const ANSWER_MS = 3_000
const PING_MS = 1_000
/** Pings are left out while the pulse asks every second, sooner or later by some milliseconds. */
const UNASKED = 1.2

/**
 * Keepalives let PostgreSQL release the lock of an unreachable machine within 15 s. Commits need not wait for the disk:
 * leases may be lost with the machine.
 */
const SETTINGS = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3;
set synchronous_commit = off`

/**
 * Proves that a runner is alive by an advisory lock on a separate connection. When the process dies, PostgreSQL sees
 * the connection end at once, and others take over without waiting for its leases to expire. Leases are renewed over
 * the same connection; a process that lives on opens another, which takes over those that nobody has taken yet.
 */
export class RunnerSession implements Sql {
  #isAlive = true
  /** Time of the last statement: what is asked anyway is as good as a ping. */
  #askedAt = 0
  readonly #ping: NodeJS.Timeout

  private constructor(
    /** Number of the runner in leases. */
    readonly runner: number,
    private readonly client: pg.Client,
  ) {
    client.on('end', () => this.#lost())
    client.on('error', () => this.#lost())
    this.#ping = setInterval(() => {
      if (performance.now() - this.#askedAt >= PING_MS * UNASKED) void this.query('select 1').catch(() => undefined)
    }, PING_MS)
    this.#ping.unref()
  }

  static async open(database: Database): Promise<RunnerSession> {
    // Not from the pool, where it would be missing for the process's lifetime.
    // Pings and leases do not wait for each other's answers.
    const client = await database.connectAlone({ pipeline: true } as pg.ClientConfig)
    try {
      await within(client.query(SETTINGS))
      for (;;) {
        const runner = randomInt(1, 2 ** 31)
        const lockResult = client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1, $2) as "isOurs"', [
          RUNNER_LOCKS,
          runner,
        ])
        const { rows } = await within(lockResult)
        if (rows[0]!.isOurs) return new RunnerSession(runner, client)
      }
    } catch (error) {
      discard(client)
      throw error
    }
  }

  /** False once the connection is lost: other runners may have taken over the leases. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  /** @throws when the connection is lost, that is after 3 s without an answer */
  async query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<Row[]> {
    if (!this.#isAlive) throw new Error("the runner's connection is lost")
    this.#askedAt = performance.now()
    try {
      const query = name === undefined ? { text, values: [...values] } : { name, text, values: [...values] }
      return (await within(this.client.query(query))).rows as Row[]
    } catch (error) {
      if (error instanceof Unanswered) this.#lost()
      throw error
    }
  }

  /** Closes the connection, which releases the lock. */
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
  // A later failure is irrelevant.
  answer.catch(() => undefined)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Unanswered(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS)
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}

/** Destroys the socket at once: a regular end would wait for an answer too. */
function discard(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

/** The session shared by a node's runners; when lost, it is replaced by one with another number. */
export class RunnerSessions {
  #current: Promise<RunnerSession> | null = null

  constructor(private readonly database: Database) {}

  async current(): Promise<RunnerSession> {
    const known = this.#current
    const session = await known?.catch(() => null)
    if (session?.isAlive) return session
    // Unless another caller has replaced it in the meantime.
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

/** SQL: whether the runner in the column is dead. */
export const isDeadSql = (leasedBy: string): string => `${leasedBy} is not null and ${leasedBy} not in (
  select l.objid::bigint::int from pg_locks l
  where l.locktype = 'advisory' and l.classid = ${RUNNER_LOCKS} and l.granted
    and l.database = (select oid from pg_database where datname = current_database()))`
