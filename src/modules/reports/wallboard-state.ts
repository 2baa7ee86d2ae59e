import { isWaitingSql } from '../channels/is-waiting-sql.js'
import type { Sql } from '../../platform/db/database.js'
import { DEAD_AFTER_SECONDS } from '../../platform/presence/presence-times.js'
import type { Availability } from '../staffing/availability.js'
import { displayNameOf, type Named } from '../users/user.js'
import { readToday, type Today } from './wallboard-today.js'

/** Conversations that are in the same channels. */
interface Together {
  channels: string[]
  count: number
  /** Since when the longest of them waits. */
  since: string | null
}

/** Open conversations in the same channels whose clocks are past their warning, or past their due time. */
interface Risk {
  channels: string[]
  atRisk: number
  breached: number
  /** The due time that passed first. */
  overdueSince: string | null
}

/** Pending offers of a channel to an agent. */
interface Offered {
  channel: string
  user: string
  count: number
}

/** The part that changes every second. */
export interface Waiting {
  waiting: Together[]
  risks: Risk[]
  offers: Offered[]
}

/** The team, and what it did today, which are read less often. */
export interface Team {
  channels: { id: string; name: string }[]
  members: {
    user: string
    channels: string[]
    name: string
    /** Channels to whose queue the member is subscribed. */
    online: string[]
    availability: Availability
    reason: string | null
    active: number
  }[]
  active: Together[]
  today: Today
}

/** Contents of the wallboards of a contact center. */
export interface WallboardState extends Waiting, Team {}

interface WaitingRow {
  channels: string[]
  offline: string[]
  count: number
  since: Date | null
  atRisk: number
  breached: number
  overdueSince: Date | null
}

/** Reads what waits, and what is late: one statement for all wallboards of a contact center. */
export async function readWaiting(sql: Sql, tenant: string, now: Date): Promise<Waiting> {
  const rows = await sql.query<WaitingRow>(WAITING, [tenant, now], 'wallboard-waiting')
  const offers = await sql.query<Offered>(OFFERS, [tenant], 'wallboard-offers')
  const groups = rows.map(({ channels, offline, ...row }) => ({ ...row, channels: [...channels, ...offline] }))
  const text = (at: Date | null): string | null => at?.toISOString() ?? null
  return {
    waiting: groups
      .filter(({ count }) => count > 0)
      .map(({ channels, count, since }) => ({ channels, count, since: text(since) })),
    risks: groups
      .filter(({ atRisk, breached }) => atRisk + breached > 0)
      .map(({ channels, atRisk, breached, overdueSince }) => {
        return { channels, atRisk, breached, overdueSince: text(overdueSince) }
      }),
    offers,
  }
}

const RISKS = `
  count(*) filter (where c.risk_at < $2 and c.next_due >= $2) as "atRisk",
  count(*) filter (where c.next_due < $2) as breached,
  min(c.next_due) filter (where c.next_due < $2) as "overdueSince"`

/** Reads of those that do not wait only what is late. */
const WAITING = `
select c.channels, c.channels_offline as offline, count(*) as count,
  min(coalesce(c.waiting_since, c.queued_at)) as since, ${RISKS}
from conversation c where c.org1 = $1 and ${isWaitingSql('c')} group by 1, 2
union all
select c.case_channels, '{}', 0, null, ${RISKS}
from conversation c
where c.org1 = $1 and c.risk_at < $2 and not ${isWaitingSql('c')} group by 1`

/** An offer is pending only while its conversation waits. */
const OFFERS = `
select o.channel_id as channel, o.user_id as "user", count(*) as count
from conversation c join offer o on o.id = c.offer_id
where c.org1 = $1 and ${isWaitingSql('c')} and c.offer_id is not null group by 1, 2`

export async function readTeam(sql: Sql, tenant: string, now: Date): Promise<Team> {
  const channels = await sql.query<Team['channels'][number]>(CHANNELS, [tenant], 'wallboard-channels')
  const members = await sql.query<Named & Omit<Team['members'][number], 'name'>>(MEMBERS, [tenant], 'wallboard-members')
  const active = await sql.query<{ channels: string[]; count: number }>(ACTIVE, [tenant], 'wallboard-active')
  return {
    channels,
    members: members.map(({ user, channels: own, online, availability, reason, active: count, ...names }) => ({
      ...{ user, channels: own, online, availability, reason, active: count },
      name: displayNameOf(names),
    })),
    active: active.map((row) => ({ ...row, since: null })),
    today: await readToday(sql, tenant, now),
  }
}

const CHANNELS = 'select c.id, c.name from channel c where c.org1 = $1 order by c.name, c.id'

const MEMBERS = `
with online as (
    select q.channel_id, q.user_id from queue_subscriber q join node n on n.id = q.node_id
    where n.seen_at > now() - make_interval(secs => ${DEAD_AFTER_SECONDS})),
  held as (
    select p.user_id, count(*) as count from conversation c join participant p on p.conversation_id = c.id and p.accepted
    where c.org1 = $1 and c.status in ('queued', 'active') and c.status = 'active' and c.type = 'contact' group by 1),
  members as (
    select m.user_id, array_agg(m.channel_id order by m.channel_id) as channels
    from channel_member m join channel c on c.id = m.channel_id where c.org1 = $1 group by 1)
select u.id as "user", u.display_name as "displayName", u.given_name as "givenName",
  u.additional_name as "additionalName", u.family_name as "familyName", m.channels,
  array(select distinct o.channel_id from online o where o.user_id = u.id and o.channel_id = any(m.channels)) as online,
  coalesce(s.availability, 'offline') as availability, coalesce(r.name, s.reason) as reason, coalesce(h.count, 0) as active
from members m join app_user u on u.id = m.user_id left join held h on h.user_id = u.id
  left join staff s on s.user_id = u.id left join reason_code r on r.id = s.reason_code_id
order by u.id`

const ACTIVE = `
select c.case_channels as channels, count(*) as count from conversation c
where c.org1 = $1 and c.status in ('queued', 'active') and c.status = 'active' and c.type = 'contact' group by 1`
