import type { Sql } from '../../platform/db/database.js'

/**
 * Notes that nothing arrives at the address of a delivery any more: the person has blocked the service, or there is no such
 * address. Routing passes it over, for all contacts that have it, until one writes from it. A message that came since the delivery
 * began, of whichever of them, says otherwise.
 */
export async function blockAddress(sql: Sql, delivery: string, now: Date): Promise<void> {
  await sql.query(BLOCK, [delivery, now], 'block-address')
}

/** A copy in a merged conversation may have gone to the address of either contact. */
const BLOCK = `
insert into contact_handle as h (service_id, address, contact_id, created_at, blocked_at)
select s.id, d.recipient, t.id, $2, $2
from delivery d join service s on s.id = d.service_id join message m on m.id = d.message_id
join conversation c on c.id in (d.conversation_id, m.origin_id)
join contact t on t.id = c.contact_id and t.erasing_at is null
where d.id = $1 and (d.recipient in (t.email, t.telephone) or exists (
    select from contact_handle k where k.service_id = s.id and k.address = d.recipient and k.contact_id = t.id))
  and not exists (
    select from contact k join inbound_message i on i.contact_id = k.id
    where (k.id = t.id or k.email = d.recipient or k.telephone = d.recipient) and i.service_id = s.id
      and i.received_at > d.created_at)
limit 1
on conflict (service_id, address) do update set blocked_at = coalesce(h.blocked_at, $2),
  contact_id = case when h.last_inbound_at is null then excluded.contact_id else h.contact_id end`

/** Forgets that mails to an address came back, at all services of the customer: somebody writes from there. */
export async function unblockMailAddress(sql: Sql, center: string, address: string): Promise<void> {
  await sql.query(UNBLOCK, [center, address], 'unblock-mail-address')
}

const UNBLOCK = `
delete from contact_handle h using service s
where s.org1 = $1 and s.touchpoint = 'email' and h.service_id = s.id and h.address = $2 and h.last_inbound_at is null`

/** Forgets that mails to the address of a mail's delivery came back: the mail server took one again. */
export async function unblockSentAddress(sql: Sql, delivery: string): Promise<void> {
  await sql.query(UNBLOCK_SENT, [delivery], 'unblock-sent-address')
}

const UNBLOCK_SENT = `
delete from contact_handle h using delivery d
where d.id = $1 and h.service_id = d.service_id and h.address = d.recipient
  and h.last_inbound_at is null and h.blocked_at < d.updated_at`
