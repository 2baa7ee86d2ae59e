import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../platform/context.js'
import { pacedMs, type Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import { pathOf, type OrganizationPath } from '../../platform/db/tenancy.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { finishJob, RetryLater, type Job } from '../../platform/jobs/job.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { defineJob, ENDED } from '../../platform/jobs/job-type.js'
import { slicesOf } from '../conversations/writer/slices.js'
import { insertOwned } from '../organizations/owned-record.js'
import { DAY_MS, nextDue, type DueRecords } from './due-records.js'
import { eraseDue, TOGETHER, type ErasingDue, type RunOfDue } from './erase-due.js'
import { emitPolicy, emitRun } from './retention-events.js'
import { DELAY_MS, RetentionPolicy } from './retention-policy.js'
import { KEPT_MAX, RetentionRun, type HeldRecord } from './retention-run.js'

/** The organization tells the contact center, with which it is held. */
interface BeginPayload {
  policy: string
  version: number
  organization: string
}
interface SlicePayload {
  run: string
  organization: string
}

/** Begins a run of a policy that is still as it was, and asks for the next one a day later. */
export const RETENTION_BEGIN = defineJob<BeginPayload>('retention.begin', {
  policy: 'string',
  version: 'number',
  organization: 'string',
})
/** Erases some of what a run erases, and asks for the next slice. */
const RETENTION_SLICE = defineJob<SlicePayload>('retention.slice', { run: 'string', organization: 'string' })

/**
 * Between two transactions, at least: others have the rest of the time, and the writes of a contact center's runs never pile up. After one
 * that took longer, retention rests as long.
 */
const PACE_MS = 5
/** While rules or messages are late, retention waits. */
const BEHIND_MS = 5_000
/** Lateness after which a run has stood still, as a copy of the database does: holds that were made meanwhile may not be in it. */
const LATE_MS = 6 * 3_600_000
/** Never given up: it is owed. */
const UNTIL_DONE = { attemptsMax: Infinity }

export interface RetentionDependencies extends ErasingDue {
  database: Database
  clock: Clock
  jobs: JobRunner
  systemContext: (requestId: string) => Context
}

/** The runs of a customer take turns, a slice each; those of other customers have turns of their own. */
const keyOf = ([center, customer]: OrganizationPath): string => `retention:${customer ?? center}`

/** Registers the jobs of retention policies. */
export function registerRetentionJobs(dependencies: RetentionDependencies): void {
  const { jobs, systemContext } = dependencies
  jobs.register(RETENTION_BEGIN, {
    ...UNTIL_DONE,
    handler: (job) => beginRun(dependencies, systemContext(job.id), job),
  })
  jobs.register(RETENTION_SLICE, {
    ...UNTIL_DONE,
    handler: (job) => eraseSlice(dependencies, systemContext(job.id), job),
  })
}

/** Adds the job by which a new or changed policy begins. */
export function addBeginning(tx: Pick<WriteTx, 'addJob'>, policy: RetentionPolicy, runAt: Date): void {
  const { id, version, organizationId: organization } = policy
  tx.addJob(RETENTION_BEGIN.create({ policy: id, version, organization }, { runAt }))
}

async function beginRun(
  { transact }: RetentionDependencies,
  system: Context,
  job: Job<BeginPayload>,
): Promise<typeof ENDED> {
  const { policy: id, version } = job.payload
  await transact(system, async (tx) => {
    await finishJob(tx, job)
    const policy = await tx.em.findOne(RetentionPolicy, { id, version, endsAt: null })
    // Changed since: that change has asked for a run of its own.
    if (!policy) return
    const now = system.now()
    // Put off, as by a restore.
    if (policy.startsAt > now) return addBeginning(tx, policy, policy.startsAt)
    if (isLate(job.runAt, now)) {
      await putOff(tx, policy, now)
      return addBeginning(tx, policy, new Date(now.getTime() + DELAY_MS))
    }
    addBeginning(tx, policy, new Date(now.getTime() + DAY_MS))
    // The one of yesterday goes on.
    if ((await tx.em.count(RetentionRun, { policyId: id, policyVersion: version, status: 'running' })) > 0) return
    const path = pathOf(policy)
    const { days, subject } = policy
    const run = await insertOwned(system, tx, RetentionRun, {
      path,
      policyId: id,
      policyVersion: version,
      subject,
      days,
      before: new Date(now.getTime() - days * DAY_MS),
      status: 'running',
      erased: 0,
      held: 0,
      failed: 0,
      kept: [],
      cursor: null,
      finishedAt: null,
    })
    addSlice(tx, run)
    addEntry(tx, 'retentionRunBegun', run, run)
    emitRun(tx, run, 'created')
  })
  return ENDED
}

const isLate = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > LATE_MS

/** Has a policy erase nothing for a day. */
async function putOff(tx: WriteTx, policy: Pick<RetentionPolicy, 'id' | 'organizationId'>, now: Date): Promise<void> {
  await tx.query('select delay_retention($1, $2)', [policy.id, now])
  emitPolicy(tx, policy, 'updated')
}

const addSlice = (tx: WriteTx, run: RetentionRun): void =>
  tx.addJob(RETENTION_SLICE.create({ run: run.id, organization: run.organizationId }, { key: keyOf(pathOf(run)) }))

/** Outcome of a slice, beside what was erased, which is counted with each record. */
interface Done {
  held: HeldRecord[]
  failed: number
  isStopped: boolean
}

/** Killed anywhere, it begins anew where the last slice ended: what it has erased is gone, and not counted again. */
async function eraseSlice(
  dependencies: RetentionDependencies,
  system: Context,
  job: Job<SlicePayload>,
): Promise<typeof ENDED | void> {
  const { database, jobs, transact } = dependencies
  if (jobs.isBehind) throw new RetryLater('rules and messages are late: retention waits', BEHIND_MS)
  const run = await system.em.findOne(RetentionRun, { id: job.payload.run })
  if (run?.status !== 'running') return undefined
  if (isLate(run.updatedAt, system.now())) return stopLate(dependencies, system, job, run)
  const due: DueRecords = { path: pathOf(run), subject: run.subject, before: run.before, now: system.now() }
  const { ids, cursor } = await nextDue(database, due, run.cursor)
  const done = await eraseAll(dependencies, system, { id: run.id, due }, ids)
  await transact(system, async (tx) => {
    await finishJob(tx, job)
    const status = done.isStopped ? 'stopped' : cursor === null ? 'done' : 'running'
    const [now] = await tx.query<Counts>(END_SLICE, [
      ...[run.id, status, done.held.length, JSON.stringify(done.held), done.failed, cursor && JSON.stringify(cursor)],
      system.now(),
    ])
    if (!now) return
    emitRun(tx, run, 'updated')
    if (status === 'running') addSlice(tx, run)
    else addEntry(tx, status === 'done' ? 'retentionRunDone' : 'retentionRunStopped', run, now)
  })
  return ENDED
}

async function stopLate(
  { transact }: RetentionDependencies,
  system: Context,
  job: Job<SlicePayload>,
  run: RetentionRun,
): Promise<typeof ENDED> {
  await transact(system, async (tx) => {
    await finishJob(tx, job)
    await putOff(tx, { id: run.policyId, organizationId: run.organizationId }, system.now())
    emitRun(tx, run, 'updated')
    addEntry(tx, 'retentionRunStopped', run, run)
  })
  return ENDED
}

async function eraseAll(
  dependencies: RetentionDependencies,
  system: Context,
  run: RunOfDue,
  ids: readonly string[],
): Promise<Done> {
  const done: Done = { held: [], failed: 0, isStopped: false }
  for (const some of slicesOf(ids, TOGETHER[run.due.subject])) {
    const since = performance.now()
    for (const [id, outcome] of await eraseDue(dependencies, system, run, some)) {
      if (outcome.kind === 'held') done.held.push({ id, holds: outcome.holds })
      else if (outcome.kind === 'failed') done.failed += 1
      else if (outcome.kind === 'stopped') done.isStopped = true
    }
    if (done.isStopped) return done
    await delay(pacedMs(dependencies.clock, Math.max(PACE_MS, performance.now() - since)))
  }
  return done
}

const END_SLICE = `
update retention_run set status = $2, held = held + $3::int, failed = failed + $5::int, cursor = $6::jsonb,
  kept = (select coalesce(jsonb_agg(each order by at), '[]') from jsonb_array_elements(kept || $4::jsonb) with ordinality as k (each, at)
    where at <= ${KEPT_MAX}),
  finished_at = case when $2 <> 'running' then $7::timestamptz end, updated_at = $7, version = version + 1
where id = $1 and status = 'running' returning erased, held, failed`

type Counts = Pick<RetentionRun, 'erased' | 'held' | 'failed'>

function addEntry(
  tx: WriteTx,
  action: string,
  { id, policyId, organizationId, subject, days }: RetentionRun,
  { erased, held, failed }: Counts,
): void {
  tx.addAudit({
    action,
    object: { type: 'retentionPolicy', id: policyId },
    organization: organizationId,
    details: { run: id, subject, days, erased, held, failed },
  })
}
