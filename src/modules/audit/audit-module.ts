import type { Logger } from 'pino'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { dueNowSql, type Pulse } from '../../platform/jobs/pulse.js'
import { Maintenance } from '../../platform/maintenance/maintenance.js'
import type { Module } from '../../platform/module.js'
import { AuditActorResolver, AuditResolver } from './audit-resolver.js'
import { chainEntries, UNCHAINED_SQL } from './chain-entries.js'
import { addSeals, AUDIT_SEAL, sealChain } from './seal-chains.js'
import type { SealKey } from './seal-key.js'

interface AuditDependencies {
  config: Config
  clock: Clock
  database: Database
  jobs: JobRunner
  log: Logger
  pulse: Pulse
  sealKey: SealKey
  transact: Transact
  systemContext: (requestId: string) => Context
}

const CHAIN_EVERY_MS = 1_000
/** An arbitrary constant: the node that chains entries holds this advisory lock. */
const CHAIN_LOCK = 7_301_960_447
const DAY_MS = 24 * 3_600_000

/** Builds the audit log: its chain, its seals, and its readers. Entries are written by `platform/audit/`. */
export function openAuditModule(dependencies: AuditDependencies): Module {
  const { clock, config, database, jobs, log, pulse, sealKey: key, systemContext, transact } = dependencies
  jobs.register(AUDIT_SEAL, {
    handler: (job) => sealChain(systemContext(job.id), { transact, key, log }, job),
    attemptsMax: Infinity,
  })
  const chain = new Maintenance({
    database,
    clock,
    log,
    tasks: [{ name: 'audit chains', run: chainEntries }],
    everyMs: CHAIN_EVERY_MS,
    lock: CHAIN_LOCK,
    due: { pulse, dueSql: ({ now }) => dueNowSql(UNCHAINED_SQL, now) },
  })
  return {
    resolvers: [new AuditResolver(), new AuditActorResolver()],
    maintenance: [
      { name: 'audit seals', run: (sql) => addSeals(sql, clock) },
      { name: 'audit details', run: (sql, now) => dropDetails(sql, now, config.auditDetailDays) },
    ],
    start: () => chain.start(),
    stop: () => chain.stop(),
  }
}

/** Drops old details, a batch a statement. Their entries stay, and so do their hashes. */
async function dropDetails(sql: Sql, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  for (let dropped = 1; dropped > 0;) {
    const rows = await sql.query(
      `update audit_entry set details = null, salt = null
       where id in (select id from audit_entry where details is not null and at < $1 and number is not null limit 1000)
       returning 1`,
      [before],
    )
    dropped = rows.length
  }
}
