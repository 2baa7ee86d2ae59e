import { reading, type ReadSql, type Sql } from '../../../platform/db/sql.js'
import type { TenantColumns } from '../../../platform/db/tenancy.js'
import { TOUCHPOINTS, traitsOf, type Touchpoint } from '../../touchpoint-traits.js'
import { DEAD_AFTER_SECONDS } from '../../../platform/presence/presence-times.js'
import type { SharedReads } from './shared-reads.js'
import { optedOutAtSql } from '../../services/opt-outs.js'
import { isServiceInUseSql } from '../../services/service-in-use.js'

/** An address of a contact at a service. Times are ISO 8601; null where nothing closes. */
export interface HandleRoute {
  service: string
  address: string
  /** Until when people may write to it, and until when machines may. */
  openUntil: string | null
  machinesUntil: string | null
  /** Since when nothing may be sent there. */
  blockedAt: string | null
}

/** A service by which a contact may be reached. */
export interface ServiceRoute {
  id: string
  touchpoint: Touchpoint
  /** Time at which the contact's telephone number asked it for no more messages; ISO 8601. */
  optedOutAt?: string | null
  /** The same of the service last used, in place of which this one is taken since that one was switched off. */
  optedOutBeforeAt?: string | null
}

/** The touchpoints that reach a contact, with the facts needed to choose one. */
export interface ContactRoutes {
  email: string | null
  telephone: string | null
  /**
   * Active services of the conversation's organization and those above it: the one the contact uses first, then the
   * nearest.
   */
  services: ServiceRoute[]
  /** Addresses of the contact at services; its email address and telephone number only if they are blocked. */
  handles: HandleRoute[]
  /**
   * True if the contact, or one merged into it, has the conversation open or was there a moment ago: likely to be
   * online (4.7, delivery rule 1).
   */
  isOnline: boolean
  /** True if the contact was ever on the web. */
  isKnownOnWeb: boolean
}

/** Touchpoints that a telephone number can opt out of, as an array of SQL. */
const TELEPHONED = `{${TOUCHPOINTS.filter((each) => traitsOf(each).address === 'telephone').join()}}`

/** Touchpoints whose addresses are fields of the profile, which several contacts may have, as an array of SQL. */
const ADDRESSED = `{${TOUCHPOINTS.filter((each) => ['email', 'telephone'].includes(traitsOf(each).address)).join()}}`

/** Time that covers a page reload or a telephone that changes networks. */
const RECENT_SECONDS = 60

/** Reads the routes of stored conversations, by id; conversations without a contact are omitted. */
export async function reachOfConversations(
  sql: Pick<Sql, 'query'>,
  conversations: readonly string[],
): Promise<Map<string, ContactRoutes>> {
  const rows = await sql.query<ContactRoutes & { id: string }>(
    reachSql('from conversation c where c.id = any($1::uuid[])'),
    [conversations],
    'reach-of-conversations',
  )
  return new Map(rows.map(({ id, ...reach }) => [id, reach]))
}

type WithContact = Pick<TenantColumns, 'org1' | 'org2' | 'org3'> & { id: string; contactId: string | null }

/**
 * Reads the routes of conversations as they are in memory, of which some may not be stored yet, by id; those whose contact
 * does not exist are omitted.
 */
export async function reachOfContacts(
  sql: ReadSql,
  conversations: readonly WithContact[],
): Promise<Map<string, ContactRoutes>> {
  const given = conversations.map(({ id, contactId, org1, org2, org3 }) => ({ id, contactId, org1, org2, org3 }))
  const rows = await sql.query<ContactRoutes & { id: string }>(
    REACH_OF_CONTACTS,
    [JSON.stringify(given)],
    'reach-of-contacts',
  )
  return new Map(rows.map(({ id, ...reach }) => [id, reach]))
}

/** Returns the routes of a conversation that is created together with its contact: all facts are in the request. */
export async function reachOfNewContact(
  { sql, shared, conversation }: { sql: ReadSql; shared: SharedReads; conversation: TenantColumns },
  { email, telephone }: { email?: string; telephone?: string },
): Promise<ContactRoutes> {
  const { org1, org2, org3 } = conversation
  const path = [org3, org2, org1].filter((id) => id !== null)
  // What an earlier contact of the number has asked for is found when the message is sent.
  const services = await shared.once(`services for ${path.join()}`, () =>
    sql.query<ServiceRoute>(SERVICES, [path], 'services-for-path'),
  )
  return {
    email: email ?? null,
    telephone: telephone ?? null,
    services,
    handles: [],
    isOnline: false,
    isKnownOnWeb: false,
  }
}

const REACH_OF_CONTACTS = reading(
  reachSql(
    'from (select x.id, x."contactId" as contact_id, x.org1, x.org2, x.org3 from jsonb_to_recordset($1::jsonb) ' +
      'as x(id uuid, "contactId" uuid, org1 uuid, org2 uuid, org3 uuid)) c',
  ),
)

/** Nearest organization first. */
const SERVICES = reading(`
select s.id, s.touchpoint from service s
where s.organization_id = any($1::uuid[]) and ${isServiceInUseSql('s')} and s.touchpoint is not null
order by array_position($1::uuid[], s.organization_id), s.id`)

/** One statement, using indexes: it accompanies the lock for each agent message. */
function reachSql(conversations: string): string {
  return `
with c as (select c.id, c.contact_id, c.org1, c.org2, c.org3 ${conversations})
select c.id, ct.email, ct.telephone,
  coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'touchpoint', s.touchpoint, 'optedOutAt',
      case when s.touchpoint = any('${TELEPHONED}') and ct.telephone is not null then ${optedOutAtSql('s.id', 'ct.telephone')} end,
      'optedOutBeforeAt', case when f.id is not null and ct.telephone is not null then ${optedOutAtSql('f.id', 'ct.telephone')} end)
      order by (t.service_id = s.id) desc nulls last, (s.org3 is not null) desc, (s.org2 is not null) desc, s.id)
    from service s left join touchpoint_thread t on t.contact_id = ct.id and t.touchpoint = s.touchpoint
      and not t.is_apart
    left join service f on f.id = t.service_id and f.touchpoint = any('${TELEPHONED}')
      and f.organization_id in (c.org1, c.org2, c.org3) and not ${isServiceInUseSql('f')}
    where s.organization_id in (c.org1, c.org2, c.org3) and ${isServiceInUseSql('s')}
      and s.touchpoint is not null), '[]') as services,
  coalesce((select jsonb_agg(jsonb_build_object('service', h.service_id, 'address', h.address,
      'openUntil', h.open_until, 'machinesUntil', h.machines_until, 'blockedAt', h.blocked_at)
      order by h.last_inbound_at desc nulls last)
    from (
      select own.* from contact_handle own where own.contact_id = ct.id
      union all
      -- Gone for all who have it, of whom the block names one.
      select gone.* from service s join contact_handle gone on gone.service_id = s.id and gone.address in (ct.email, ct.telephone)
      where s.organization_id in (c.org1, c.org2, c.org3) and s.touchpoint = any('${ADDRESSED}')
        and gone.last_inbound_at is null and gone.blocked_at is not null and gone.contact_id <> ct.id
    ) h), '[]') as handles,
  coalesce(p.last_seen_at > now() - make_interval(secs => ${RECENT_SECONDS}), false) or exists (
    select 1 from conversation_viewer v join node n on n.id = v.node_id
    where v.conversation_id = c.id and v.contact_id is not null
      and n.seen_at > now() - make_interval(secs => ${DEAD_AFTER_SECONDS})) as "isOnline",
  p.contact_id is not null as "isKnownOnWeb"
from c join contact ct on ct.id = c.contact_id
left join contact_presence p on p.contact_id = ct.id and p.touchpoint = 'web'`
}
