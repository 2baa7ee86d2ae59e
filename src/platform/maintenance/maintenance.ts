import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../db/clock.js'
import type { Database, Sql } from '../db/database.js'
import type { DueSource, Pulse } from '../jobs/pulse.js'
import { isLockTimeout } from '../db/sql-errors.js'

/** A recurring task that runs on one node at a time; running it twice or late is harmless. */
export interface MaintenanceTask {
  name: string
  /** Runs in its own transaction, which waits at most a tenth of a second for any lock and is retried. */
  run(sql: Sql, now: Date): Promise<void>
}

export interface MaintenanceOptions {
  database: Database
  clock: Clock
  log: Logger
  tasks: readonly MaintenanceTask[]
  everyMs?: number
  /** Asks the database, together with all else, whether the tasks have anything to do; a round follows only then. */
  due?: { pulse: Pulse; dueSql: DueSource['dueSql'] } | undefined
  /** Tells whether there may be anything to do, as far as this node knows; default: there may. */
  isNeeded?: () => boolean
  /** An advisory lock for tasks that must not block others. */
  lock?: number
  /** Allows statements of minutes, during which a server that is gone is not noticed; default: if it runs every hour. */
  isPatient?: boolean
}

const EVERY_MS = 3_600_000
/** Others that want the lock wait behind it just as long: a writer of events, while a dump reads them. */
const LOCK_WAIT_MS_MAX = 100
const LOCK_TRIES = 20
const LOCK_RETRY_MS = 250
/** An arbitrary constant: the node that runs maintenance holds this advisory lock. */
const MAINTENANCE_LOCK = 7_301_960_419

/** Runs the tasks at the start of a node and every hour, under a lock held by one node at a time. */
export class Maintenance {
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> = Promise.resolve()
  /** Rounds that run or wait. */
  #rounds = 0
  #isStopped = false

  constructor(private readonly options: MaintenanceOptions) {}

  /** Resolves when the tasks have run once, here or on another node. */
  async start(): Promise<void> {
    const { clock, due, everyMs = EVERY_MS } = this.options
    if (due) {
      due.pulse.add({ everyMs, dueSql: due.dueSql, onDue: () => this.#tick() })
    } else {
      this.#timer = setInterval(() => this.#tick(), pacedMs(clock, everyMs))
      this.#timer.unref()
    }
    await this.run()
  }

  /** Resolves when the transaction that runs has ended; what waits behind it does not begin. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    await this.#running
  }

  /** Runs the rounds one after the other. A failed task is logged and retried in the next round. */
  run(): Promise<void> {
    this.#rounds += 1
    this.#running = this.#running.then(() => this.#round()).finally(() => (this.#rounds -= 1))
    return this.#running
  }

  /** While the database is away a round takes longer than the time between two: they must not pile up. */
  #tick(): void {
    if (this.#rounds === 0 && !this.#isStopped && (this.options.isNeeded?.() ?? true)) void this.run()
  }

  async #round(): Promise<void> {
    const { log, tasks } = this.options
    for (const task of tasks) {
      if (this.#isStopped) return
      try {
        await this.#runWithRetries(task)
      } catch (error) {
        log.warn({ err: error, task: task.name }, 'maintenance task failed')
      }
    }
  }

  /** Retries while others hold the locks it needs; waits between the attempts rather than in the lock queue. */
  async #runWithRetries(task: MaintenanceTask): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#runTask(task)
      } catch (error) {
        if (!isLockTimeout(error) || tries === LOCK_TRIES || this.#isStopped) throw error
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
      }
    }
  }

  #runTask(task: MaintenanceTask): Promise<void> {
    const { clock, database, everyMs, isPatient = everyMs === undefined, lock = MAINTENANCE_LOCK } = this.options
    return database.sqlTransaction(
      async (sql) => {
        const [row] = await sql.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [lock])
        if (!row!.taken) return
        await task.run(sql, clock.now())
      },
      { isPatient, lockWaitMs: LOCK_WAIT_MS_MAX },
    )
  }
}
