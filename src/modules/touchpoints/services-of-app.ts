import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Sql } from '../../platform/db/database.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { isServiceInUseSql } from '../services/service-in-use.js'
import { openParams, type StoredParams } from '../services/stored-params.js'
import type { TouchpointService } from './adapter.js'
import { isSameSecret } from './hub-routes.js'

export interface AppOfServices {
  /** Type of the services. */
  type: string
  /** Name of the param that holds the platform's id of what a service is of: a page, an account or a number. */
  param: string
  /** The service whose endpoint the request reached. */
  own: Pick<TouchpointService, 'id' | 'params'>
  /** The app's secret, which the request has just proved. */
  appSecret: string
  ids: readonly string[]
}

/**
 * Finds the services of ids: an app has one endpoint for all its pages, accounts or numbers, so that the events of the others arrive
 * at one too. Only services with the same app secret; the own one has its id in any case.
 */
export async function servicesOfApp(
  { sql, sealer }: { sql: Sql; sealer: Sealer },
  { type, param, own, appSecret, ids }: AppOfServices,
): Promise<Map<string, string>> {
  const known = own.params[param]
  const found = new Map(typeof known === 'string' ? [[known, own.id]] : [])
  const others = [...new Set(ids)].filter((id) => !found.has(id))
  if (others.length === 0) return found
  const rows = await sql.query<StoredParams>(
    `select id, params, sealed_params as "sealedParams" from service s
     where type = $2 and ${isServiceInUseSql('s')} and params ->> $3::text = any($1::text[]) and ${isCenterInUseSql('s')}
     order by id desc`,
    [others, type, param],
    'services-of-app',
  )
  const sameApp = rows.filter((row) => {
    const { appSecret: secret } = openParams(sealer, row)
    return typeof secret === 'string' && isSameSecret(secret, appSecret)
  })
  for (const { id, params } of sameApp) found.set(String(params[param]), id)
  return found
}
