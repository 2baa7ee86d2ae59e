import type { Logger } from 'pino'
import type { Sql } from '../../platform/db/database.js'
import type { MaintenanceTask } from '../../platform/maintenance/maintenance.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { ServiceKinds } from './service-kinds.js'
import { openParams, sealParams, type StoredParams } from './stored-params.js'
import { MASK } from './service-secrets.js'

/** In a round: a transaction that holds the rows until its end. */
const ROWS_MAX = 1_000

/** Any text or number in clear. */
const IN_CLEAR = `$.** ? ((@.type() == "string" && @ != "" && @ != "${MASK}") || @.type() == "number")`

/** Returns the task that seals params of types of one's own that an earlier version stored in clear. */
export function sealingOwnTypes(
  sealer: Sealer,
  kinds: Pick<ServiceKinds, 'keys'>,
  log: Pick<Logger, 'info'>,
): MaintenanceTask {
  return {
    name: 'params of own types',
    async run(sql: Sql) {
      const rows = await sql.query<StoredParams>(
        `select id, params, sealed_params as "sealedParams" from service
         where type <> all($1) and jsonb_path_exists(params, $2::jsonpath) limit ${ROWS_MAX} for update skip locked`,
        [[...kinds.keys()], IN_CLEAR],
      )
      for (const row of rows) {
        const { params, sealedParams } = sealParams(sealer, { id: row.id, params: openParams(sealer, row) }, undefined)
        const values = [row.id, params, sealedParams]
        await sql.query('update service set params = $2, sealed_params = $3 where id = $1', values)
      }
      if (rows.length > 0) log.info({ count: rows.length }, 'sealed params of types of one’s own')
    },
  }
}
