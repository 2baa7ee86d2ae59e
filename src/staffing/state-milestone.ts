import type { WriteTx } from '../events/transact.js'
import type { AgentState } from './agent-state.js'

/**
 * Records that an agent was in a state up to now, for reports: it counts for the channels of which the agent is a member
 * then. Needs the lock of the staff row, by which these milestones are numbered.
 */
export async function addStateMilestone(
  tx: WriteTx,
  { userId, availability, since }: AgentState,
  now: Date,
): Promise<void> {
  // Nobody set a state yet.
  if (!since) return
  const ms = Math.max(0, now.getTime() - since.getTime())
  await tx.query(STATE_MILESTONE, [userId, now, ms, availability], 'state-milestone')
}

const STATE_MILESTONE = `
with numbered as (
  update staff set milestone_count = milestone_count + 1 where user_id = $1 returning user_id, milestone_count)
insert into milestone (conversation_id, nth, kind, at, org1, org2, org3, user_id, channels, ms, detail)
select u.id, n.milestone_count, 'agentState', $2, u.org1, u.org2, u.org3, u.id,
  array(select channel_id from channel_member where user_id = u.id order by channel_id), $3, $4
from numbered n join app_user u on u.id = n.user_id`
