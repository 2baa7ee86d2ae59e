import type { Availability } from './availability.js'
import { piecesSql } from './pieces.js'

/** States in which an agent is at work: only in them it is occupied or not. */
const AT_WORK: readonly Availability[] = ['available', 'busy', 'wrapUp']
const WRAP_UP: Availability = 'wrapUp'

/** Causes for which an agent is occupied, in the details of `occupied`. */
export const OCCUPIED_BY = { conversations: 'conversations', wrapUp: 'wrapUp' } as const

export const isAtWorkSql = (state: string): string => `${state} in (${AT_WORK.map((each) => `'${each}'`).join(', ')})`

interface Span {
  user: string
  state: string
  from: string
  to: string
}

/**
 * SQL of how an agent was occupied in each quarter of an hour of the time that it was in a state: for how long it had at
 * least one conversation, or wrapped up without one, and the time of each of its conversations added. A conversation counts
 * from its acceptance until the agent left it, or it was closed or queued, but not while it was snoozed. What ended is in the
 * milestones, or with the closing that can still be undone; what has not, in the participants.
 */
export const occupancySql = ({ user, state, from, to }: Span): string => `
select w.kind, p.at, w.ms, w.detail
from (${piecesSql(from, to)}) as p
  cross join lateral (select tstzrange(p.at, p.at + p.ms * interval '1 millisecond') as span) as q
  cross join lateral (
    select coalesce(sum(${msSql('h.held * q.span')}), 0)::int8 as ms, range_agg(h.held * q.span) as times
    from (${heldSql(user, from, to)}) as h where h.held && q.span) as h
  cross join lateral (select coalesce(sum(${msSql('r')}), 0)::int8 as ms from unnest(h.times) as r) as b
  cross join lateral (values
    ('held', h.ms, null),
    ('occupied', b.ms, '${OCCUPIED_BY.conversations}'),
    ('occupied', case when ${state} = '${WRAP_UP}' then p.ms - b.ms end, '${OCCUPIED_BY.wrapUp}')) as w(kind, ms, detail)
where w.ms > 0`

const msSql = (range: string): string => `round(date_part('epoch', upper(${range}) - lower(${range})) * 1000)`

/** The job that holds the milestones of a closing while that can be undone. */
const CLOSING = 'conversation.closing'

/** The time up to a milestone since the conversation was accepted or woken: what was before has milestones of its own. */
const lastSpanSql = (milestone: string): string =>
  `tstzrange(${milestone}.at - (${milestone}.ms - coalesce(${milestone}.detail::int8, 0)) * interval '1 millisecond', ${milestone}.at)`

/** The times for which the agent had conversations with consumers. */
const heldSql = (user: string, from: string, to: string): string => `
      select ${lastSpanSql('m')} as held from milestone m
      where m.user_id = ${user} and m.kind in ('agentLeft', 'snoozed') and m.at > ${from} and m.ms > 0
      union all
      select tstzrange(t.accepted_at, ${to}) from participant t join conversation c on c.id = t.conversation_id
      where t.user_id = ${user} and t.accepted and t.accepted_at < ${to} and c.status = 'active' and c.type = 'contact'
        and c.snoozed_until is null
      union all
      select ${lastSpanSql('e')} from job j
        cross join lateral jsonb_to_recordset(j.payload -> 'milestones') as e(kind text, "userId" uuid, at timestamptz, ms int8, detail text)
      where j.kind = '${CLOSING}' and j.payload -> 'users' @> to_jsonb(${user}::text)
        and e.kind = 'agentLeft' and e."userId" = ${user} and e.at > ${from} and e.ms > 0`
