import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Database, Sql } from '../db/database.js'
import { isLockTimeout } from '../db/sql-errors.js'

/** What has to be done again and again, by one node at a time; doing it twice or late does no harm. */
export interface UpkeepTask {
  name: string
  /** In a transaction of its own that waits at most a tenth of a second for any lock, and is tried again. */
  run(sql: Sql, now: Date): Promise<void>
}

export interface MaintenanceOptions {
  database: Database
  clock: Clock
  log: Logger
  tasks: readonly UpkeepTask[]
  everyMs?: number
  /** An advisory lock, for tasks that must not keep others waiting. */
  lock?: number
}

const EVERY_MS = 3_600_000
/** Whoever wants the lock behind it waits as long: a writer of events, while a dump reads them. */
const LOCK_WAIT_MS_MAX = 100
const LOCK_TRIES = 20
const LOCK_RETRY_MS = 250
/** An arbitrary constant: the node that does the upkeep holds this advisory lock. */
const UPKEEP_LOCK = 7_301_960_419

/** Runs the tasks at the start of a node and every hour, under a lock that one node has at a time. */
export class Maintenance {
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(private readonly options: MaintenanceOptions) {}

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
        await this.#runPatiently(task)
      } catch (error) {
        log.warn({ err: error, task: task.name }, 'an upkeep task failed')
      }
    }
  }

  /** Tries again where others have what it needs; it waits between the tries, not in their way. */
  async #runPatiently(task: UpkeepTask): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#runTask(task)
      } catch (error) {
        if (!isLockTimeout(error) || tries === LOCK_TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
      }
    }
  }

  #runTask(task: UpkeepTask): Promise<void> {
    const { clock, database, lock = UPKEEP_LOCK } = this.options
    return database.sqlTransaction(
      async (sql) => {
        const [row] = await sql.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [lock])
        if (!row!.taken) return
        await task.run(sql, clock.now())
      },
      { isPatient: true, lockWaitMs: LOCK_WAIT_MS_MAX },
    )
  }
}
