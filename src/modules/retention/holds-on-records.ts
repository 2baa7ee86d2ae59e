import { reading, type ReadStatement, type Sql } from '../../platform/db/sql.js'
import { HELD_AMONG } from '../holds/held.js'
import type { HoldName } from '../holds/hold.js'
import type { RetentionSubject } from './retention-policy.js'

const holdsSql = (subject: RetentionSubject): ReadStatement =>
  reading(`select o.id, h.id as hold, h.name from (${HELD_AMONG[subject]}) o join hold h on h.id = o.hold_id
    where h.released_at is null order by h.created_at, h.id`)

/** Reads the holds that keep records, also those of organizations above. A deletion shares the holds before, see `shareHolds`. */
export async function holdsOnRecords(
  sql: Pick<Sql, 'query'>,
  subject: RetentionSubject,
  ids: readonly string[],
): Promise<Map<string, HoldName[]>> {
  const rows = await sql.query<{ id: string; hold: string; name: string }>(holdsSql(subject), [ids])
  const holds = new Map<string, HoldName[]>()
  for (const { id, hold, name } of rows) holds.set(id, [...(holds.get(id) ?? []), { id: hold, name }])
  return holds
}
