import type { Logger } from 'pino'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { addJobs } from '../../platform/jobs/job.js'
import type { JobKind } from '../../platform/jobs/job-type.js'
import type { MaintenanceTask } from '../../platform/maintenance/maintenance.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { redactSecrets } from '../services/redact-secrets.js'
import type { ServiceKind } from '../services/service-kinds.js'
import { storeTemplates } from '../services/stored-templates.js'
import { TEMPLATE_SYNC } from '../services/template-sync.js'
import { DeliveryRefused } from './adapter.js'
import { readOpenedService } from './touchpoint-service.js'
import { isServiceInUseSql } from '../services/service-in-use.js'

export interface TemplateSyncOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  log: Logger
  /** Kinds of services by type. */
  kinds: ReadonlyMap<string, ServiceKind>
}

const TRIES_MAX = 5
const EVERY = '6 hours'

/** Handles `template.sync`: the service's stored templates become those that its provider lists. */
export function templateSyncJob({ sql, sealer, clock, log, kinds }: TemplateSyncOptions): JobKind<{ service: string }> {
  return {
    isOutbound: true,
    attemptsMax: TRIES_MAX,
    async handler({ payload }) {
      const [found] = await sql.query<{ type: string }>('select type from service where id = $1', [payload.service])
      const kind = found && kinds.get(found.type)
      const service = found && (await readOpenedService({ sql, sealer }, found.type, payload.service))
      if (!service || !kind?.fetchTemplates) return
      try {
        await storeTemplates(sql, clock, service.id, await kind.fetchTemplates(service, clock.now()))
      } catch (error) {
        // The same again would be refused again; the next round asks.
        if (!(error instanceof DeliveryRefused)) throw error
        log.warn({ service: service.id, reason: redactSecrets(error.message, service.params) }, 'no templates')
      }
    },
  }
}

/** Has templates that are older than six hours fetched again. */
export function refreshTemplates({ clock, kinds }: Pick<TemplateSyncOptions, 'clock' | 'kinds'>): MaintenanceTask {
  return {
    name: 'message templates',
    async run(sql, now) {
      const types = [...kinds].flatMap(([type, { fetchTemplates }]) => (fetchTemplates ? [type] : []))
      const services = await sql.query<{ id: string }>(
        `select id from service s where type = any($1::text[]) and ${isServiceInUseSql('s')} and not exists (
           select 1 from message_template t where t.service_id = s.id
             and t.synced_at > $2::timestamptz - interval '${EVERY}')`,
        [types, now],
      )
      await addJobs(
        sql,
        services.map(({ id }) => TEMPLATE_SYNC.create({ service: id }, { key: `template.sync:${id}`, share: id })),
        clock,
      )
    },
  }
}
