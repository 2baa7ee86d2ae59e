import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { addJobs, finishJob, type Job } from '../../platform/jobs/job.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { foldChunk } from './fold.js'

/** Adds the new milestones of a contact center to what reports read. */
export const REPORT_FOLD = defineJob<{ organization: string }>('report.fold', { organization: 'string' })

/** Counts what is there, a chunk a transaction; the last one ends the job. */
export async function runFold(database: Database, job: Job<{ organization: string }>): Promise<void> {
  for (let isUnfinished = true; isUnfinished;) {
    isUnfinished = await database.sqlTransaction(async (sql) => {
      const progress = await foldChunk(sql, job.payload.organization)
      if (!progress.isUnfinished) await finishJob(sql, job)
      return progress.isUnfinished
    })
  }
}

/** Adds a job for each organization with new milestones that has none. Until it has run, reports read the rows. */
export async function addFolds(sql: Sql, clock: Clock): Promise<boolean> {
  const behind = await sql.query<{ organization: string }>(BEHIND, [REPORT_FOLD.kind])
  const jobs = behind.map(({ organization }) =>
    REPORT_FOLD.create({ organization }, { key: `report.fold:${organization}` }),
  )
  await addJobs(sql, jobs, clock)
  return jobs.length > 0
}

const BEHIND = `
select o.id as organization from organization o left join report_fold f on f.org1 = o.id
where o.level = 1
  and exists (select from milestone m where m.org1 = o.id and m.xid >= coalesce(f.xid, '0'::xid8)
    and m.xid < pg_snapshot_xmin(pg_current_snapshot()))
  and not exists (select from job j where j.kind = $1 and j.key = 'report.fold:' || o.id)`

/**
 * Counts everything anew in a database that was filled from another one (restored, moved, replicated logically):
 * transaction ids of one database mean nothing in the other. Needs the lock of the maintenance.
 */
export async function adoptMilestones(sql: Sql): Promise<void> {
  const [found] = await sql.query<{ isOther: boolean; isKnown: boolean }>(`
    select i.database_id is not null as "isKnown", i.database_id is distinct from c.system_identifier as "isOther"
    from installation i, pg_control_system() c`)
  if (!found?.isOther) return
  if (found.isKnown) {
    // Writers wait, so that no row of this database gets between those of the other.
    await sql.query('lock table milestone in share row exclusive mode')
    await sql.query('truncate report_slot, report_group, report_fold')
    await sql.query('update milestone set xid = pg_current_xact_id()')
  }
  await sql.query('update installation set database_id = (select system_identifier from pg_control_system())')
}
