import type pg from 'pg'
import { addressesOf } from '../database-address.js'
import { COLUMN_TYPES } from './column-types.js'
import { NotHere, parsePosition, PrimaryHistory, Replica, type LogPosition, type ReplicaOptions } from './replica.js'
import type { Sql } from './sql.js'

const SAMPLE_MS = 1_000
/** For replicas to say how far they are, before the primary is asked in their place. */
const ASK_MS_MAX = 20
/** Given to a client when the position is not known: only the primary has it. */
export const PRIMARY_ONLY = 'primary'

export interface ReplicasOptions extends Pick<ReplicaOptions, 'poolSize' | 'timeoutMs' | 'log'> {
  /** One or more hosts, as libpq writes them. */
  url: string
  types?: pg.CustomTypesConfig
}

/** State that must be visible: all before a position, or what was committed up to a few seconds ago. */
export type Freshness = LogPosition | 'recent'

/**
 * Standbys for lists, search and reports. One is used if it has replayed what the caller knows of, and is not more than
 * a few seconds behind; else the primary is. Nothing else is read from them: see `Context.lists`.
 */
export class Replicas {
  readonly all: readonly Replica[]
  /** Reads by where they were done. */
  readonly counts = { replica: 0, primary: 0 }
  readonly #history = new PrimaryHistory()
  readonly #timer: NodeJS.Timeout
  #asked: Promise<string> | null = null
  #turn = 0

  /** @throws Error for an address that is not valid */
  constructor(
    { url, types = COLUMN_TYPES, ...options }: ReplicasOptions,
    private readonly primary: Sql,
  ) {
    const askPrimary = async (): Promise<LogPosition | null> => parsePosition(await this.position())
    this.all = addressesOf(url, 'replica').map((address) => {
      return new Replica({
        ...options,
        types,
        address,
        name: new URL(address).host,
        history: this.#history,
        askPrimary,
      })
    })
    this.#timer = setInterval(() => void this.position(), SAMPLE_MS)
    this.#timer.unref()
  }

  /**
   * Reads from a replica that is fresh enough, if there is one.
   * @param key see {@link Replica.read}
   * @throws NotHere when there is none, or it cannot do it
   */
  async read<T>(freshness: Freshness, key: string | null, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const wanted = freshness === 'recent' ? 0n : freshness
    const replica = this.#choose(wanted) ?? (await this.#chooseNow(wanted))
    try {
      if (!replica) throw new NotHere()
      const result = await replica.read(key, work)
      this.counts.replica += 1
      return result
    } catch (error) {
      if (error instanceof NotHere) this.counts.primary += 1
      throw error
    }
  }

  #choose(wanted: LogPosition): Replica | undefined {
    const fit = this.all.filter((replica) => replica.has(wanted))
    return fit[this.#turn++ % fit.length]
  }

  /** The last poll was some time ago: asks those that may have it by now, for a moment. */
  async #chooseNow(wanted: LogPosition): Promise<Replica | undefined> {
    const near = this.all.filter((replica) => replica.isNear)
    if (near.length === 0) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ASK_MS_MAX)
    })
    await Promise.race([Promise.all(near.map((replica) => replica.poll())), late])
    clearTimeout(timer)
    return this.#choose(wanted)
  }

  /**
   * Returns a position after everything that was committed before this call, for the client to send with its next reads.
   * Those who ask in the same moment share a statement. Never rejects.
   */
  position(): Promise<string> {
    // The statement is sent after the current moment, and nobody joins it later.
    this.#asked ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#asked = null
      return this.#ask()
    })
    return this.#asked
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.all.map((replica) => replica.close()))
  }

  async #ask(): Promise<string> {
    try {
      const [row] = await this.primary.query<{ at: string }>(POSITION, [], 'log-position')
      this.#history.add(parsePosition(row!.at)!)
      return row!.at
    } catch {
      return PRIMARY_ONLY
    }
  }
}

const POSITION = 'select pg_current_wal_insert_lsn()::text as at'
