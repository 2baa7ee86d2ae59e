import type { Logger } from 'pino'
import { countedRegularly } from '../counted-regularly.js'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { Metrics } from '../metrics.js'

/** Shows operators how many jobs were given up, and how long the oldest due job has been waiting. */
export function jobCounts(options: {
  sql: Sql
  clock: Clock
  log: Logger
  metrics: Metrics
}): ReturnType<typeof countedRegularly> {
  const { metrics, sql } = options
  let [givenUp, oldestDueSeconds] = [0, 0]
  metrics.gauge('jobs_given_up', 'Jobs that failed too often and need an operator.', () => givenUp)
  metrics.gauge('job_oldest_due_seconds', 'Time since the oldest due job became due.', () => oldestDueSeconds)
  return countedRegularly(options, 'jobs', async () => {
    const [row] = await sql.query<{ given_up: number; oldest: number | null }>(COUNTS, [], 'count-jobs')
    givenUp = row!.given_up
    oldestDueSeconds = Math.max(0, row!.oldest ?? 0)
  })
}

const COUNTS = `
select (select count(*) from job where run_at = 'infinity') as given_up,
  extract(epoch from now() - least(
    (select min(run_at) from job where key is null and leased_by is null),
    (select min(due_at) from job_partition where leased_by is null)))::float8 as oldest`
