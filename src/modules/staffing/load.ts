import type { Sql } from '../../platform/db/database.js'
import { TOUCHPOINTS, traitsOf, type Touchpoint } from '../touchpoint-traits.js'

/** A conversation of a consumer without a touchpoint yet. */
const WEIGHT_UNKNOWN = 4

/** The part of a conversation by which it weighs. */
interface Weighed {
  touchpoint: Touchpoint | null
  contactId: string | null
  /** The largest that the channels from which it came set; see {@link channelWeightSql}. */
  channelWeight: number | null
}

/**
 * Returns the capacity units that a conversation takes: as its channel says, else by its touchpoint; a team conversation
 * takes none.
 */
export function weightOf({ touchpoint, contactId, channelWeight }: Weighed): number {
  if (contactId === null) return 0
  if (channelWeight !== null) return channelWeight
  return touchpoint === null ? WEIGHT_UNKNOWN : traitsOf(touchpoint).weight
}

/** A condition in SQL: conversations are given out among users such as the one at `alias`. A bot needs a row in the staff; it may be paused. */
export const isStaffSql = (alias: string): string => `(${alias}.status <> 'archived' and ${alias}.role <> 'viewer'
  and (${alias}.role <> 'bot' or exists (select from staff where user_id = ${alias}.id)))`

/** SQL of the weight that its channels give to a conversation at the alias; null if none does. */
export const channelWeightSql = (alias: string): string =>
  `(select max((w.assignment ->> 'weight')::int) from channel w where w.id = any(${alias}.case_channels))`

/** SQL of {@link weightOf}, for a conversation at the alias. */
export const weightSql = (alias: string): string => `case when ${alias}.contact_id is null then 0
  else coalesce(${channelWeightSql(alias)}, ${byTouchpointSql(alias)}) end`

const byTouchpointSql = (alias: string): string => `case
  ${TOUCHPOINTS.map((each) => `when ${alias}.touchpoint = '${each}' then ${traitsOf(each).weight}`).join(' ')} else ${WEIGHT_UNKNOWN} end`

/**
 * Counts the load of users: the weights of the active conversations that they accepted, but for snoozed
 * ones and idle ones, which were answered and have been silent for `idleMinutes`, and those of pending offers. Never stored, so it cannot be wrong.
 */
export async function countLoads(
  sql: Sql,
  users: readonly string[],
  { now, idleMinutes }: { now: Date; idleMinutes: number },
): Promise<Map<string, number>> {
  if (users.length === 0) return new Map()
  const rows = await sql.query<{ user: string; load: number }>(
    LOADS,
    [users, silentSince({ now, idleMinutes })],
    'count-loads',
  )
  return new Map(rows.map(({ user, load }) => [user, load]))
}

/** Conversations that were answered and have had no message since then are idle. */
export const silentSince = ({ now, idleMinutes }: { now: Date; idleMinutes: number }): Date =>
  new Date(now.getTime() - idleMinutes * 60_000)

/** SQL of the loads of users, without those that have none. @param users array of ids; @param silent {@link silentSince} */
export const loadsSql = (users: string, silent: string): string => `
select x.user, sum(x.weight)::int as load from (
  select p.user_id as user, ${weightSql('c')} as weight
  from participant p join conversation c on c.id = p.conversation_id
  where p.user_id = any(${users}) and p.accepted and c.status = 'active' and c.snoozed_until is null
    and (c.awaiting_reply or c.last_message_at is null or c.last_message_at > ${silent})
  union all
  select c.offer_user_id, ${weightSql('c')} from conversation c
  where c.offer_user_id = any(${users}) and c.offer_id is not null
) x group by x.user`
const LOADS = loadsSql('$1::uuid[]', '$2')
