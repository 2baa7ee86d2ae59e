import type { JointWrite } from '../conversations/state/shared-reads.js'

/** A message that is being received, as it is remembered. */
export interface InboundClaim {
  service: string
  provider: string
  /** Another id by which the provider may have named it; else the same. */
  alsoKnownAs: string
  message: string
  further: string[]
  conversation: string
  contact: string
  receivedAt: Date
  sentAt: Date | null
  /** True where somebody else than the contact wrote it: their erasure would not find it, so it is remembered by a pseudonym. */
  isOthers: boolean
  /** The consumer said it: neither the organization elsewhere, nor whom a message was forwarded to. */
  isByContact: boolean
}

/** Remembers messages as received. @returns false for one that was received before, or goes with another of its name */
export const claimInbound: JointWrite<InboundClaim, boolean> = async (sql, claims) => {
  const names = new Set<string>()
  const firsts = claims.filter(({ service, provider, alsoKnownAs }) => {
    const own = [provider, alsoKnownAs].map((name) => `${service} ${name}`)
    if (own.some((name) => names.has(name))) return false
    for (const name of own) names.add(name)
    return true
  })
  const rows = await sql.query<{ message: string }>(CLAIM, [JSON.stringify(firsts)], 'claim-inbound')
  const claimed = new Set(rows.map(({ message }) => message))
  return claims.map(({ message }) => claimed.has(message))
}

// The lookup is a scalar subquery by the whole key, so that no plan joins the whole table or reads a service.
const CLAIM = `
with given as materialized (
  select x.*, array[x.provider, pseudonym(s.value, x.provider), x."alsoKnownAs", pseudonym(s.value, x."alsoKnownAs")] as names
  from server_secret s, jsonb_to_recordset($1::jsonb) as x(service uuid, provider text, "alsoKnownAs" text, message uuid, further uuid[],
    conversation uuid, contact uuid, "receivedAt" timestamptz, "sentAt" timestamptz, "isOthers" boolean, "isByContact" boolean)
  where s.name = 'erasure'
)
insert into inbound_message
  (service_id, provider_id, message_id, further_ids, conversation_id, contact_id, received_at, sent_at, is_by_contact)
select g.service, case when g."isOthers" then g.names[2] else g.provider end, g.message, g.further, g.conversation,
  case when not g."isOthers" then g.contact end, g."receivedAt", g."sentAt", g."isByContact"
from given g
where (
  select true from unnest(g.names) as n(name) cross join lateral (
    select from inbound_message m where m.service_id = g.service and m.provider_id = n.name limit 1) m limit 1) is null
order by g.service, g.provider
on conflict do nothing returning message_id as message`

/** The conversation that collects a contact's messages of a touchpoint, and the service used last. */
export interface Thread {
  contact: string
  touchpoint: string
  isApart: boolean
  service: string
}

const THREADS = `jsonb_to_recordset($1::jsonb) as
  x(contact uuid, touchpoint text, conversation uuid, service uuid, "isApart" boolean)`

/** SQL that stores new threads, with their `conversation`; by `rowAfterWrites`. */
export const INSERT_THREADS = `
insert into touchpoint_thread (contact_id, touchpoint, conversation_id, service_id, is_apart)
select contact, touchpoint, conversation, service, "isApart" from ${THREADS} order by contact, touchpoint`

/** Notes the service that the consumer wrote to: replies come from it. */
export const noteThreadServices: JointWrite<Thread, void> = async (sql, threads) => {
  await sql.query(
    `update touchpoint_thread t set service_id = x.service from ${THREADS}
     where t.contact_id = x.contact and t.touchpoint = x.touchpoint and t.is_apart = x."isApart"
       and t.service_id is distinct from x.service`,
    [JSON.stringify(threads)],
    'thread-services',
  )
  return threads.map(() => undefined)
}
