import type { Sql } from '../db/database.js'

/**
 * Capacity units that a conversation takes, by touchpoint: a chat needs an agent's attention now, a mail later. Team
 * conversations take none.
 */
export const WEIGHTS = { web: 4, messenger: 4, sms: 2, email: 1 } as const
/** A conversation of a consumer without a touchpoint yet. */
const WEIGHT_UNKNOWN = 4

export function weightOf({ touchpoint, contactId }: { touchpoint: string | null; contactId: string | null }): number {
  if (contactId === null) return 0
  return touchpoint === null ? WEIGHT_UNKNOWN : (WEIGHTS[touchpoint as keyof typeof WEIGHTS] ?? WEIGHT_UNKNOWN)
}

/** SQL of {@link weightOf}, for a conversation at the alias. */
export const weightSql = (alias: string): string => `case when ${alias}.contact_id is null then 0
  ${Object.entries(WEIGHTS)
    .map(([touchpoint, weight]) => `when ${alias}.touchpoint = '${touchpoint}' then ${weight}`)
    .join(' ')} else ${WEIGHT_UNKNOWN} end`

/**
 * Counts the load of users: the weights of the active conversations that they accepted, but for idle ones, which were
 * answered and have been silent for `idleMinutes`, and those of pending offers. Never stored, so it cannot be wrong.
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
  where p.user_id = any(${users}) and p.accepted and c.status = 'active'
    and (c.awaiting_reply or c.last_message_at is null or c.last_message_at > ${silent})
  union all
  select c.offer_user_id, ${weightSql('c')} from conversation c
  where c.offer_user_id = any(${users}) and c.offer_id is not null
) x group by x.user`
const LOADS = loadsSql('$1::uuid[]', '$2')
