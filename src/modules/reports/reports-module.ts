import type { Logger } from 'pino'
import type { Config } from '../../platform/config.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import { LONG_REPORT_LIMITS, LONG_REPORT_PAUSE, openShares } from '../../platform/fairness/shares.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { sinceNews } from '../../platform/maintenance/since-news.js'
import { Maintenance } from '../../platform/maintenance/maintenance.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { addFolds, adoptMilestones, REPORT_FOLD, runFold } from './fold-job.js'
import { pruneReports } from './prune-reports.js'
import { ReportRowsResolver, ReportsResolver } from './reports-resolver.js'
import { WallboardResolver } from './wallboard-resolver.js'
import { WallboardSource } from './wallboard-source.js'
import { WallboardTicker } from './wallboard-ticker.js'

interface ReportsDependencies {
  config: Config
  clock: Clock
  database: Database
  dispatcher: Dispatcher
  jobs: JobRunner
  log: Logger
  metrics: Metrics
  wakeJobs: () => void
}

/** Interval of folding: the milestones of that time are counted one by one by each report. */
const FOLD_EVERY_MS = 15_000
/** An arbitrary constant: the node that looks for new milestones holds this advisory lock. */
const FOLD_LOCK = 7_301_960_446

/** Builds the reports, the jobs that count milestones for them, and the wallboard. */
export function openReportsModule(dependencies: ReportsDependencies): Module {
  const { clock, config, database, dispatcher, jobs, log, metrics, wakeJobs } = dependencies
  jobs.register(REPORT_FOLD, { handler: (job) => runFold(database, job) })
  const tasks = [
    { name: 'milestones of another database', run: adoptMilestones },
    {
      name: 'report folds',
      async run(...[sql]: Parameters<typeof adoptMilestones>): Promise<void> {
        if (await addFolds(sql, clock)) setImmediate(wakeJobs)
      },
    },
  ]
  // All milestones are renumbered once, after a restore.
  const options = { everyMs: FOLD_EVERY_MS, lock: FOLD_LOCK, isPatient: true, isNeeded: sinceNews(dispatcher) }
  const folds = new Maintenance({ database, clock, log, tasks, ...options })
  const ticker = new WallboardTicker({ clock, database, dispatcher, log })
  return {
    resolvers: [
      new ReportsResolver(openShares('reports', LONG_REPORT_LIMITS, metrics, { pause: LONG_REPORT_PAUSE })),
      new ReportRowsResolver(),
      new WallboardResolver(),
    ],
    sources: [new WallboardSource(ticker)],
    maintenance: [{ name: 'reports', run: (sql, now) => pruneReports(sql, now, config.reportRetentionDays) }],
    start: () => folds.start(),
    async stop() {
      ticker.stop()
      await folds.stop()
    },
  }
}
