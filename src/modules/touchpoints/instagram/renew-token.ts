import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Transact } from '../../../platform/events/transact.js'
import { addJobs, type NewJob } from '../../../platform/jobs/job.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { MaintenanceTask } from '../../../platform/maintenance/maintenance.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import { hidingSecrets } from '../../services/hide-secrets.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { noteProblem } from '../../services/service-problem.js'
import { claimToken, dueTokens, replaceToken, type DueToken } from '../../services/service-token.js'
import { DeliveryRefused, ServiceRefused, type TouchpointService } from '../adapter.js'
import { readOpenedService } from '../touchpoint-service.js'
import { renewToken } from './instagram-api.js'
import { parseInstagramParams } from './instagram-params.js'

/** The job that replaces the access token of a service. */
export const INSTAGRAM_TOKEN = defineJob<{ service: string }>('instagram.token', { service: 'string' })

export interface RenewTokenOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  log: Logger
  http: OutboundHttp
  transact: Transact
  systemContext: (requestId: string) => Context
  kind: Pick<ServiceKind, 'params' | 'secrets'>
}

const TYPE = 'instagram'
const DAY_MS = 86_400_000
/** Between two tries, whatever becomes of the first. */
const AGAIN_MS = DAY_MS
/** A token is replaced when it is so old: there are as many days left for tries. */
const OLD_MS = 30 * DAY_MS
/** The platform replaces none that is younger. */
const YOUNG_MS = DAY_MS

export const tokenJob = (service: string, runAt?: Date): NewJob =>
  INSTAGRAM_TOKEN.create(
    { service },
    { key: `${INSTAGRAM_TOKEN.kind}:${service}`, share: INSTAGRAM_TOKEN.kind, ...(runAt && { runAt }) },
  )

/**
 * Handles `instagram.token`. Of several nodes one takes the token, for a day, in which nobody else tries. What the platform has given
 * is stored if the service still has the token that it was given for. A refusal is the problem of the service; anything else is tried again.
 */
export function renewTokenJob(options: RenewTokenOptions): JobKind<{ service: string }> {
  const { clock, sql, sealer } = options
  return {
    isOutbound: true,
    async handler({ id: job, payload }) {
      const now = clock.now()
      const service = await readOpenedService({ sql, sealer }, TYPE, payload.service)
      if (!service) return
      const due = await claimToken(sql, service.id, { now, next: new Date(now.getTime() + AGAIN_MS) })
      if (due) await renew(options, job, service, due)
    },
  }
}

async function renew(
  options: RenewTokenOptions,
  job: string,
  service: TouchpointService,
  due: DueToken,
): Promise<void> {
  const { clock, http, log, systemContext, transact } = options
  const params = parseInstagramParams(service.params)
  const system = systemContext(job)
  const of = { service: service.id }
  try {
    const { token, endsInMs } = await hidingSecrets(service.params, () =>
      renewToken({ http, now: clock.now() }, params),
    )
    const at = clock.now().getTime()
    const restMs = Math.max(AGAIN_MS, Math.min(OLD_MS, endsInMs / 2))
    const isKept = await replaceToken(system, options, {
      ...of,
      type: TYPE,
      param: 'accessToken',
      from: params.accessToken!,
      to: token,
      endsAt: new Date(at + endsInMs),
      dueAt: new Date(at + restMs),
    })
    log.info({ ...of, isKept }, 'the access token was replaced')
    if (isKept) await noteProblem(system, transact, { ...of, problem: null })
  } catch (error) {
    const isRefused = error instanceof DeliveryRefused || error instanceof ServiceRefused
    const isYoung = due.endsAt === null && clock.now().getTime() - due.since.getTime() < YOUNG_MS
    if (!isRefused || (isYoung && !(error instanceof ServiceRefused))) {
      log.info({ err: error, ...of }, 'the access token was not replaced yet')
      return
    }
    const current = await readOpenedService(options, TYPE, service.id)
    // The refusal may be the reason for which an administrator has given it another one meanwhile.
    if (current?.params.accessToken !== params.accessToken) return
    const problem = `the access token cannot be replaced before it ends: ${error.message}`
    log.warn({ ...of, problem: error.message }, 'the access token was not replaced')
    await noteProblem(system, transact, { ...of, problem })
  }
}

/** Has tokens replaced that are due. */
export function keepTokens({ clock }: Pick<RenewTokenOptions, 'clock'>): MaintenanceTask {
  return {
    name: 'access tokens of Instagram',
    async run(sql, now) {
      const services = await dueTokens(sql, TYPE, now)
      await addJobs(
        sql,
        services.map((service) => tokenJob(service)),
        clock,
      )
    },
  }
}
