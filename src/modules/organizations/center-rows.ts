import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'

/** A contact center as its operator sees it: nothing of its content. */
export interface CenterRow {
  id: string
  name: string
  createdAt: Date
}

/** Adds a contact center, which is an organization of level 1. Runs in the caller's transaction. */
export async function insertCenter(sql: Sql, clock: Clock, name: string): Promise<CenterRow> {
  const [id, createdAt] = [clock.newId(), clock.now()]
  await sql.query(
    `insert into organization (id, organization_id, org1, created_at, updated_at, name, level)
     values ($1, $1, $1, $2, $2, $3, 1)`,
    [id, createdAt, name],
  )
  await sql.query('insert into contact_center (org1) values ($1)', [id])
  return { id, name, createdAt }
}

/** Notes who was invited first. Runs in the same transaction. */
export async function setFirstOwner(sql: Sql, center: string, owner: string): Promise<void> {
  await sql.query('update contact_center set owner_id = $2 where org1 = $1', [center, owner])
}
