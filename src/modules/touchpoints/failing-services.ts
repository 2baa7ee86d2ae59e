import type { Logger } from 'pino'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import { countedRegularly } from '../../platform/counted-regularly.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'

/** Shows operators how many services do not work, by type: of whose they are, the health page tells. */
export function failingServices(options: {
  sql: Sql
  clock: Clock
  log: Logger
  metrics: Metrics
}): Pick<Module, 'start' | 'stop'> {
  const { metrics, sql } = options
  let counts: readonly { type: string; count: number }[] = []
  metrics.gaugeBy('services_failing', 'Services that do not work, of the whole installation.', 'type', () =>
    counts.map(({ type, count }) => [type, count]),
  )
  return countedRegularly(options, 'services that do not work', async () => {
    counts = await sql.query<{ type: string; count: number }>(COUNTS, [], 'count-failing-services')
  })
}

/** A type of somebody's own is a name that they chose: the server knows nothing of how it works. */
const COUNTS = `
select s.type, count(*)::int as count from service s
where s.status in ('failing', 'paused') and (s.touchpoint is not null or s.type = 'webhook') and ${isCenterInUseSql('s')}
group by s.type order by s.type`
