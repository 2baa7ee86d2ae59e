import { batchingOn } from '../../platform/db/batching.js'
import { isId } from '../../platform/db/clock.js'
import { isCenterInUseSql } from '../../platform/db/archived-centers.js'
import type { Sql } from '../../platform/db/database.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { openParams } from '../services/stored-params.js'
import type { TouchpointService } from './adapter.js'
import { isServiceInUseSql } from '../services/service-in-use.js'

/** A service as it is stored: its params are as they are shown. */
export type StoredService = TouchpointService & { sealedParams: string | null }

/** Reads a service of this type that is in use, without its secrets; null for anything else. */
export async function readTouchpointService(sql: Sql, type: string, id: string): Promise<TouchpointService | null> {
  return readStored(sql, { type, id })
}

/** Reads a service of this type that is in use, secrets included; null for anything else. */
export async function readOpenedService(
  { sql, sealer }: { sql: Sql; sealer: Sealer },
  type: string,
  id: string,
): Promise<TouchpointService | null> {
  const stored = await readStored(sql, { type, id })
  return stored && openService(sealer, stored)
}

/** Returns a service that was read with its secrets. */
export function openService(sealer: Sealer, { sealedParams, ...service }: StoredService): TouchpointService {
  return { ...service, params: openParams(sealer, { ...service, sealedParams }) }
}

/** Jobs that begin together need the same service, or few. */
const readStored = batchingOn<{ type: string; id: string }, StoredService | null>(async (sql, wanted) => {
  const ids = [...new Set(wanted.map(({ id }) => id))].filter(isId)
  if (ids.length === 0) return wanted.map(() => null)
  const rows = await sql.query<Record<string, unknown>>(
    `select id, organization_id, org1, org2, org3, name, type, touchpoint, status, params, sealed_params from service s
     where id = any($1::uuid[]) and touchpoint is not null and ${isServiceInUseSql('s')} and ${isCenterInUseSql('s')}`,
    [ids],
    'touchpoint-service',
  )
  const found = rows.map((row) => camelRow<StoredService>(row))
  return wanted.map(({ type, id }) => found.find((service) => service.id === id && service.type === type) ?? null)
})
