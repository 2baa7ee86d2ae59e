import { isId } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { camelRow } from '../lists/rows.js'
import type { Touchpoint } from '../messages/message-enums.js'
import type { TouchpointService } from './adapter.js'

/** Reads an active service of this type, secrets included; null for anything else. */
export async function readTouchpointService(sql: Sql, type: Touchpoint, id: string): Promise<TouchpointService | null> {
  if (!isId(id)) return null
  const [row] = await sql.query<Record<string, unknown>>(
    `select id, organization_id, org1, org2, org3, name, type, params from service
     where id = $1 and type = $2 and status = 'active'`,
    [id, type],
    'touchpoint-service',
  )
  return row ? camelRow<TouchpointService>(row) : null
}
