import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import { addJobs } from '../../platform/jobs/job.js'
import type { JobKind } from '../../platform/jobs/job-type.js'
import { storableText } from '../../platform/json.js'
import type { MaintenanceTask } from '../../platform/maintenance/maintenance.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { redactSecrets } from '../services/redact-secrets.js'
import { checkJob, SERVICE_CHECK, TOLD_AFTER, type CheckCode } from '../services/service-check.js'
import { isServiceInUseSql, servicesWithoutJob } from '../services/service-in-use.js'
import { findingsOf, type ServiceKind } from '../services/service-kinds.js'
import { noteProblem } from '../services/service-problem.js'
import { ServiceTestFailed } from '../services/service-test.js'
import type { TouchpointService } from './adapter.js'
import { readOpenedService } from './touchpoint-service.js'

export interface CheckOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  metrics: Metrics
  transact: Transact
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
  /** Kinds of services by type. */
  kinds: ReadonlyMap<string, ServiceKind>
  /** Time between two checks; 0: there are none. */
  everyMs: number
}

const CHECK_MS_MAX = 20_000
const MESSAGE_CHARS_MAX = 500

interface Found {
  code: CheckCode | null
  message: string | null
  quality: string | null
}

/**
 * Handles `service.check`: tries a service out as `testService` does, and adds the next check first, so that they go on whatever
 * becomes of this one. The third failure in a row makes the service `failing`; the first success afterwards ends that.
 */
export function checkServiceJob(options: CheckOptions): JobKind<{ service: string }> {
  const { clock, everyMs, kinds, metrics, sealer, sql, systemContext, transact } = options
  return {
    isOutbound: true,
    async handler({ id: job, payload: { service: id } }) {
      const now = clock.now()
      const next = new Date(now.getTime() + everyMs)
      const [claimed] = everyMs > 0 ? await sql.query<{ type: string }>(CLAIM, [id, now, next], 'claim-check') : []
      const kind = claimed && kinds.get(claimed.type)
      if (!claimed || !kind?.isChecked) return
      await addJobs(sql, [checkJob(id, next)], clock)
      const service = await readOpenedService({ sql, sealer }, claimed.type, id)
      if (!service) return
      const system = systemContext(job)
      const found = await findOut(service, kind, system)
      metrics.serviceChecks.inc({ type: claimed.type, outcome: found.code ?? 'ok' })
      const values = [id, clock.now(), found.code, found.message, found.quality]
      const [noted] = await sql.query<{ failures: number; isTold: boolean }>(NOTE, values, 'note-check')
      if (!noted) return
      const isFailing = noted.failures >= TOLD_AFTER
      if (!isFailing && !noted.isTold) return
      // Before the problem, which is told each time, as others end it too: a node that dies in between leaves what the next check tells.
      if (isFailing && !(await tell(sql, id, true))) return
      await noteProblem(system, transact, { service: id, problem: isFailing ? found.message : null })
      if (!isFailing) await tell(sql, id, false)
    },
  }
}

/** @returns false if the service was saved meanwhile: what was found is of other settings */
async function tell(sql: Sql, service: string, isTold: boolean): Promise<boolean> {
  const rows = await sql.query(
    'update service_check set is_told = $2 where service_id = $1 returning 1',
    [service, isTold],
    'check-told',
  )
  return rows.length > 0
}

async function findOut(service: TouchpointService, kind: ServiceKind, ctx: Context): Promise<Found> {
  const signal = AbortSignal.timeout(CHECK_MS_MAX)
  const nobody = { ctx, user: '', email: '' }
  try {
    const { quality = null } = findingsOf(
      (await kind.test?.({ service, to: null, ...nobody, now: ctx.now(), signal })) ?? '',
    )
    return { code: null, message: null, quality: quality && storableText(quality, MESSAGE_CHARS_MAX) }
  } catch (error) {
    const code = error instanceof ServiceTestFailed ? error.code : 'unreachable'
    const said = error instanceof Error ? error.message : String(error)
    return {
      code,
      message: storableText(redactSecrets(said, service.params), MESSAGE_CHARS_MAX),
      quality: null,
    }
  }
}

/** Finds it due for one of two jobs. */
const CLAIM = `
insert into service_check as c (service_id, due_at)
select s.id, $3 from service s where s.id = $1 and ${isServiceInUseSql('s')} and s.touchpoint is not null
on conflict (service_id) do update set due_at = $3 where c.due_at <= $2
returning (select type from service where id = $1) as type`

const NOTE = `
update service_check set checked_at = $2, code = $3, message = $4, quality = coalesce($5, quality),
  failures = case when $3::text is null then 0 else failures + 1 end,
  failing_since = case when $3::text is not null then coalesce(failing_since, $2) end
where service_id = $1 returning failures, is_told as "isTold"`

/** Adds checks of services that have none coming, such as those that were just switched on with the setting. */
export function keepChecking({
  clock,
  everyMs,
  kinds,
}: Pick<CheckOptions, 'clock' | 'everyMs' | 'kinds'>): MaintenanceTask {
  return {
    name: 'checks of services',
    async run(sql, now) {
      if (everyMs === 0) return
      const types = [...kinds].flatMap(([type, { isChecked }]) => (isChecked ? [type] : []))
      const services = await servicesWithoutJob(sql, SERVICE_CHECK.kind, types, 'touchpoint is not null')
      await addJobs(
        sql,
        services.map((id) => checkJob(id, now)),
        clock,
      )
    },
  }
}
