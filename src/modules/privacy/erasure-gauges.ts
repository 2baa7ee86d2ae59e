import type { Logger } from 'pino'
import { countedRegularly } from '../../platform/counted-regularly.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { countErasures, type ErasureCounts } from './erasures.js'

/** Shows operators the erasures that are not done: none is given up, so none of them is among the given-up jobs. */
export function erasureGauges(options: {
  sql: Sql
  clock: Clock
  log: Logger
  metrics: Metrics
}): Pick<Module, 'start' | 'stop'> {
  const { clock, metrics, sql } = options
  let counts: ErasureCounts = { undone: 0, failing: 0, oldestSeconds: 0 }
  metrics.gauge('erasures_undone', 'Erasures of deleted records that are due and not done.', () => counts.undone)
  metrics.gauge('erasures_failing', 'Erasures whose last attempt failed.', () => counts.failing)
  metrics.gauge(
    'erasure_oldest_seconds',
    'Time since the oldest erasure that is not done was due.',
    () => counts.oldestSeconds,
  )
  return countedRegularly(options, 'erasures', async () => {
    counts = await countErasures(sql, clock.now())
  })
}
