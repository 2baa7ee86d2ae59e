import type { Sql } from '../../../platform/db/database.js'
import { addressesOf } from './receive-whatsapp.js'
import type { WhatsappEvent } from './whatsapp-events.js'

/**
 * Gives a person's new number or id to the contact who had the old one. An address that somebody has already stays with
 * them: the platform gives old numbers to other people.
 */
export async function moveAddresses(
  sql: Sql,
  service: string,
  { from, to }: Extract<WhatsappEvent, { kind: 'moved' }>,
): Promise<void> {
  await sql.query(MOVED, [service, addressesOf(from), addressesOf(to)], 'move-addresses')
}

const MOVED = `
with known as (
  select contact_id, created_at, last_inbound_at, open_until, machines_until, blocked_at from contact_handle
  where service_id = $1 and address = any($2::text[]) order by array_position($2::text[], address) limit 1
), added as (
  insert into contact_handle
    (service_id, address, contact_id, created_at, last_inbound_at, open_until, machines_until, blocked_at)
  select $1, a.address, contact_id, created_at, last_inbound_at, open_until, machines_until, blocked_at
  from known cross join unnest($3::text[]) as a(address)
  on conflict (service_id, address) do nothing
)
delete from contact_handle h using known k
where h.service_id = $1 and h.contact_id = k.contact_id and h.address = any($2::text[])
  and not h.address = any($3::text[])
  -- A new number takes the place of a number, a new id that of an id.
  and exists (select 1 from unnest($3::text[]) as a(address) where (a.address ~ '^[0-9]+$') = (h.address ~ '^[0-9]+$'))`
