import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { countErasures, type ErasureCounts } from './erasures.js'

const COUNT_MS = 15_000

/** Shows operators the erasures that are not done: none is given up, so none of them is among the given-up jobs. */
export function erasureGauges(options: {
  sql: Sql
  clock: Clock
  log: Logger
  metrics: Metrics
}): Pick<Module, 'start' | 'stop'> {
  const { clock, log, metrics, sql } = options
  let counts: ErasureCounts = { undone: 0, failing: 0, oldestSeconds: 0 }
  let timer: NodeJS.Timeout | undefined
  metrics.gauge('erasures_undone', 'Erasures of deleted records that are due and not done.', () => counts.undone)
  metrics.gauge('erasures_failing', 'Erasures whose last attempt failed.', () => counts.failing)
  metrics.gauge(
    'erasure_oldest_seconds',
    'Time since the oldest erasure that is not done was due.',
    () => counts.oldestSeconds,
  )
  const count = async (): Promise<void> => {
    try {
      counts = await countErasures(sql, clock.now())
    } catch (error) {
      log.debug({ err: error }, 'failed to count erasures')
    }
  }
  return {
    async start() {
      timer = setInterval(() => void count(), pacedMs(clock, COUNT_MS)).unref()
      await count()
    },
    stop: () => clearInterval(timer),
  }
}
