import pg from 'pg'
import { preparedAnew, withPlansAnew } from './prepared-anew.js'
import { CONNECT_MS_MAX, JIT, KEEPALIVE_MS } from './session.js'
import { isConnectionLoss, sqlStateOf } from './sql-errors.js'
import { runStatement } from './sql-transaction.js'
import { traced } from './traced-client.js'

/** A position in PostgreSQL's log, of `pg_lsn`: what has been committed before it is what a reader may rely on. */
export type LogPosition = bigint

const POLL_MS = 250
/** A replica that does not answer for longer is away. */
const POLL_ANSWER_MS = 2_000
/** One that is further behind serves nobody: what it shows is too old, and it has other things to do. */
const LAG_MS_MAX = 5_000
/** Interval after which a replica that stays behind or away is mentioned again. */
const REMIND_MS = 3_600_000

/** SQLSTATE of a statement that conflicts with what the standby has to replay, which has precedence. */
const CONFLICT_WITH_RECOVERY = '40001'
/** SQLSTATE of a statement that is impossible on a standby: its table is unlogged. */
const NOT_SUPPORTED = '0A000'
const REFUSED_MAX = 1_000

const POSITION = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/

/** @returns null for what is no position */
export function parsePosition(text: string): LogPosition | null {
  const [, high, low] = POSITION.exec(text) ?? []
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export interface ReplicaOptions {
  /** For messages: without a password. */
  name: string
  address: string
  poolSize: number
  timeoutMs: number
  types: pg.CustomTypesConfig
  log: { warn(fields: object, message: string): void; info?(fields: object, message: string): void }
  /** Positions of the primary, with the times at which it was there. */
  history: PrimaryHistory
  /** Asks the primary where it is now; null if it does not answer. */
  askPrimary: () => Promise<LogPosition | null>
}

/** A standby for reads that may be some moments old, with what it has replayed. */
export class Replica {
  readonly #pool: pg.Pool
  readonly #timer: NodeJS.Timeout
  #replayed: LogPosition | null = null
  /** Statements that only the primary can execute. */
  readonly #refused = new Set<string>()
  #polling: Promise<void> | null = null
  #saidAt: number | null = null
  readonly #startedAt = performance.now()

  constructor(private readonly options: ReplicaOptions) {
    const { address, poolSize, timeoutMs, types } = options
    const settings = {
      connectionString: address,
      max: poolSize,
      application_name: 'switchboard-replica-reads',
      Client: traced(preparedAnew(pg.Client)),
      types,
      pipeline: true,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      // The pool awaits it, although its types do not say so.
      onConnect: (client: pg.ClientBase) =>
        client.query(`set jit = ${JIT}; set statement_timeout = ${timeoutMs}; set default_transaction_read_only = on`),
    }
    this.#pool = new pg.Pool(settings as pg.PoolConfig)
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.#timer = setInterval(() => void this.poll(), POLL_MS)
    this.#timer.unref()
  }

  get name(): string {
    return this.options.name
  }

  /** Time since the primary was where this replica is; infinite while it is away. */
  get lagMs(): number {
    return this.#replayed === null ? Infinity : this.options.history.ageOf(this.#replayed)
  }

  /** Tells whether it shows all that was committed before the position. */
  has(position: LogPosition): boolean {
    return this.isNear && this.#replayed! >= position
  }

  /** Tells whether it is there and nearly has what the primary has. */
  get isNear(): boolean {
    return this.#replayed !== null && this.lagMs <= LAG_MS_MAX
  }

  /** Asks how far it is; never rejects. Those who ask meanwhile share the answer. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => (this.#polling = null))
    return this.#polling
  }

  async #poll(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${POLL_ANSWER_MS} ms`)), POLL_ANSWER_MS)
    })
    try {
      const asked = runStatement<{ replayed: string | null }>(this.#pool, REPLAYED, [], 'replica-position')
      asked.catch(() => undefined)
      const [row] = await Promise.race([asked, late])
      if (row!.replayed === null) throw new Error('the server is no standby')
      const replayed = parsePosition(row!.replayed)!
      if (replayed > this.options.history.position) {
        const primary = await this.options.askPrimary()
        if (primary === null || replayed > primary)
          throw new Error('it is ahead of the primary: its history is another')
      }
      this.#replayed = replayed
      this.#report(null)
    } catch (error) {
      this.#replayed = null
      this.#report(error as Error)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Reads, perhaps several statements that see one moment.
   * @param key of the statement, which is not tried again when only the primary can execute it
   * @throws NotHere when the primary has to be asked instead
   */
  async read<T>(key: string | null, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    if (key !== null && this.#refused.has(key)) throw new NotHere()
    try {
      return await withPlansAnew(() => work(this.#pool))
    } catch (error) {
      const state = sqlStateOf(error)
      if (state === NOT_SUPPORTED) {
        if (key !== null && this.#refused.size < REFUSED_MAX) this.#refused.add(key)
      } else if (state !== null && isConnectionLoss(state)) this.#replayed = null
      else if (state !== CONFLICT_WITH_RECOVERY) throw error
      throw new NotHere()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#pool.end()
  }

  /** Says once an hour that it is of no use, and once that it is again. */
  #report(error: Error | null): void {
    const { log, name } = this.options
    const now = performance.now()
    const { lagMs } = this
    if (!error && lagMs <= LAG_MS_MAX) {
      if (this.#saidAt !== null) log.info?.({ replica: name }, 'a replica serves reads again')
      this.#saidAt = null
      return
    }
    if (now - (this.#saidAt ?? -Infinity) < REMIND_MS || now - this.#startedAt < LAG_MS_MAX) return
    this.#saidAt = now
    if (error) log.warn({ replica: name, reason: error.message }, 'a replica is away: the primary serves its reads')
    else {
      const lagSeconds = Math.round(lagMs / 1_000)
      log.warn({ replica: name, lagSeconds }, 'a replica is behind: the primary serves its reads')
    }
  }
}

/** The primary has to be asked instead. */
export class NotHere extends Error {}

const REPLAYED = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as replayed`

/** The newest half of them a second or less apart, older ones further the older they are. */
const SAMPLES_MAX = 4_000

/**
 * Remembers the positions of the primary by time: tells the age of a replica's state without comparing the clocks of
 * two machines, and also for a replica that nothing reaches any more.
 */
export class PrimaryHistory {
  #samples: { position: LogPosition; at: number }[] = []

  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  add(position: LogPosition): void {
    const last = this.#samples.at(-1)
    // Another history: a restore, or a failover that lost commits.
    if (last && position < last.position) this.#samples = []
    // A position without anything after it does not age.
    if (last?.position === position) last.at = this.elapsed()
    else this.#samples.push({ position, at: this.elapsed() })
    if (this.#samples.length > SAMPLES_MAX) {
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0 || index > SAMPLES_MAX / 2)
    }
  }

  /** The newest one. */
  get position(): LogPosition {
    return this.#samples.at(-1)?.position ?? 0n
  }

  /** Time in ms since the primary went beyond the position, as far as it is known. */
  ageOf(position: LogPosition): number {
    let [from, to] = [0, this.#samples.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#samples[middle]!.position > position) to = middle
      else from = middle + 1
    }
    const beyond = this.#samples[from]
    return beyond ? this.elapsed() - beyond.at : 0
  }
}
