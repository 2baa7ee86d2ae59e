import type { WriteTx } from '../../platform/events/transact.js'
import type { AgentState } from './agent-state.js'
import { isAtWorkSql, occupancySql } from './occupancy.js'
import { piecesSql } from './pieces.js'

/** Appended to the detail of a state that went on beyond the quarter of an hour that the milestone counts. */
export const GOES_ON = '+'

/**
 * Records that an agent was in a state up to now, for reports: the time of each quarter of an hour in that quarter, for the
 * channels of which the agent is a member then. Needs the lock of the staff row, by which these milestones are numbered.
 */
export async function addStateMilestone(
  tx: WriteTx,
  { userId, availability, since, reasonCodeId }: AgentState,
  now: Date,
): Promise<void> {
  // Nobody set a state yet.
  if (!since) return
  // Nothing measures how long agents are offline, which may be weeks.
  const from = availability === 'offline' || since > now ? now : since
  await tx.query(STATE_MILESTONE, [userId, now, from, availability, reasonCodeId], 'state-milestone')
}

const STATE_MILESTONE = `
with piece as materialized (${piecesSql('$3::timestamptz', '$2::timestamptz')}),
counted as materialized (
  select 'agentState' as kind, case when p.last then $2 else p.at end as at, p.ms,
    $4 || case when p.last then '' else '${GOES_ON}' end as detail from piece p
  union all
  select o.kind, o.at, o.ms, o.detail
  from (${occupancySql({ user: '$1::uuid', state: '$4::text', from: '$3::timestamptz', to: '$2::timestamptz' })}) as o
  where ${isAtWorkSql('$4::text')}),
numbered as (
  update staff set milestone_count = milestone_count + (select count(*) from counted) where user_id = $1
  returning user_id, milestone_count - (select count(*) from counted) as before)
insert into milestone (conversation_id, nth, kind, at, org1, org2, org3, user_id, channels, ms, detail, reason_id)
select u.id, b.before + row_number() over (order by c.kind, c.at, c.detail), c.kind, c.at, u.org1, u.org2, u.org3, u.id,
  array(select channel_id from channel_member where user_id = u.id order by channel_id), c.ms, c.detail, $5::uuid
from counted c cross join numbered b join app_user u on u.id = b.user_id`
