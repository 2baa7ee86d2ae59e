import type { Sql } from '../../platform/db/database.js'

/** Blocks contact $1, and its last network address, at time $2 (3.1, `/block`). */
export const BLOCK_CONTACT = `
with blocked as (
  update contact set status = 'blocked', updated_at = $2, version = version + 1 where id = $1 returning id, organization_id, address
)
insert into blocked_address (organization_id, address, contact_id, created_at)
select organization_id, address, id, $2 from blocked where address is not null on conflict do nothing`

/** Unblocks a contact and the address that was blocked with it. */
export async function unblockContact(sql: Sql, { contact, now }: { contact: string; now: Date }): Promise<void> {
  await sql.query(
    `with freed as (delete from blocked_address where contact_id = $1)
     update contact set status = 'active', updated_at = $2, version = version + 1 where id = $1`,
    [contact, now],
  )
}
