import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Database, Sql } from '../db/database.js'

/** What has to be done again and again, by one node at a time; doing it twice or late does no harm. */
export interface UpkeepTask {
  name: string
  /** In a transaction of its own that waits at most two seconds for any lock. */
  run(sql: Sql, now: Date): Promise<void>
}

export interface UpkeepOptions {
  database: Database
  clock: Clock
  log: Logger
  tasks: readonly UpkeepTask[]
  everyMs?: number
  /** An advisory lock, for tasks that must not keep others waiting. */
  lock?: number
}

const EVERY_MS = 3_600_000
/** An arbitrary constant: the node that does the upkeep holds this advisory lock. */
const UPKEEP_LOCK = 7_301_960_419

/** Runs the tasks at the start of a node and every hour, under a lock that one node has at a time. */
export class Upkeep {
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(private readonly options: UpkeepOptions) {}

  /** Resolves when the tasks have been done once, here or by another node. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.run(), this.options.everyMs ?? EVERY_MS)
    this.#timer.unref()
    await this.run()
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    await this.#running
  }

  /** One round after the other. A task that fails is logged and tried again in the next round. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#round())
    return this.#running
  }

  async #round(): Promise<void> {
    const { log, tasks } = this.options
    for (const task of tasks) {
      try {
        await this.#runTask(task)
      } catch (error) {
        log.warn({ err: error, task: task.name }, 'an upkeep task failed')
      }
    }
  }

  #runTask(task: UpkeepTask): Promise<void> {
    const { clock, database, lock = UPKEEP_LOCK } = this.options
    return database.sqlTransaction(async (sql) => {
      const [row] = await sql.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [lock])
      if (!row!.taken) return
      await sql.query("set local lock_timeout = '2s'")
      await task.run(sql, clock.now())
    })
  }
}
