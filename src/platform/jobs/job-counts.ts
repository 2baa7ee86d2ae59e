import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import type { Metrics } from '../metrics.js'

const COUNT_MS = 15_000

/** Metrics for operators: how many jobs were given up, and how long the oldest due job has been waiting. */
export class JobCounts {
  #givenUp = 0
  #oldestDueSeconds = 0
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly options: { sql: Sql; log: Logger; metrics: Metrics }) {
    const { metrics } = options
    metrics.gauge('jobs_given_up', 'Jobs that failed too often and need an operator.', () => this.#givenUp)
    metrics.gauge('job_oldest_due_seconds', 'Time since the oldest due job became due.', () => this.#oldestDueSeconds)
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#count(), COUNT_MS)
    this.#timer.unref()
    await this.#count()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  async #count(): Promise<void> {
    try {
      const [row] = await this.options.sql.query<{ given_up: number; oldest: number | null }>(COUNTS, [], 'count-jobs')
      this.#givenUp = row!.given_up
      this.#oldestDueSeconds = Math.max(0, row!.oldest ?? 0)
    } catch (error) {
      this.options.log.debug({ err: error }, 'failed to count jobs')
    }
  }
}

const COUNTS = `
select (select count(*) from job where run_at = 'infinity') as given_up,
  extract(epoch from now() - least(
    (select min(run_at) from job where key is null and leased_by is null),
    (select min(due_at) from job_partition where leased_by is null)))::float8 as oldest`
