import { assignmentOf, type ChannelAssignment } from '../../channels/assignment.js'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { Sql } from '../../db/database.js'
import { DEAD_AFTER_SECONDS } from '../../presence/presence-times.js'
import { CAPACITY, type Availability } from '../../staffing/availability.js'
import { urgencyOf } from '../../sla/sla-clock.js'
import { countLoads, weightOf } from '../../staffing/load.js'
import { displayNameOf, type Named } from '../../users/user.js'
import { camelRow } from '../../lists/rows.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { Office, OfficeAgent, WaitingConversation } from './match.js'

/** Conversations considered at once; the others follow when these are offered. */
const WAITING_MAX = 10_000

/** Reads the channels of a level-1 organization that offer or assign, and the agents of these. */
export async function readOffice(sql: Sql, org1: string, at: { now: Date; idleMinutes: number }): Promise<Office> {
  const rows = await sql.query<{ id: string; assignment: ChannelAssignment }>(
    `select id, assignment from channel where org1 = $1 and assignment ->> 'mode' <> 'pull' order by id`,
    [org1],
    'offering-channels',
  )
  const channels = new Map(rows.map(({ id, assignment }) => [id, assignmentOf(assignment)]))
  return { channels, agents: channels.size === 0 ? [] : await readAgents(sql, [...channels.keys()], at) }
}

interface AgentRow extends Named {
  id: string
  avatar: string | null
  role: string
  organizationId: string
  availability: Availability
  capacity: number
  idleSince: Date | null
  skills: string[]
  memberOf: string[]
  subscribed: string[]
}

async function readAgents(
  sql: Sql,
  channels: readonly string[],
  at: { now: Date; idleMinutes: number },
): Promise<OfficeAgent[]> {
  const rows = await sql.query<Record<string, unknown>>(AGENTS, [channels, DEAD_AFTER_SECONDS], 'office-agents')
  const agents = rows.map((row) => camelRow<AgentRow>(row))
  const loads = await countLoads(
    sql,
    agents.map(({ id }) => id),
    at,
  )
  return agents.map((row) => ({
    id: row.id,
    name: displayNameOf(row),
    avatar: row.avatar,
    role: row.role,
    organization: row.organizationId,
    availability: row.availability,
    capacity: row.capacity,
    load: loads.get(row.id) ?? 0,
    idleSince: row.idleSince?.getTime() ?? 0,
    skills: new Set(row.skills),
    memberOf: new Set(row.memberOf),
    subscribed: new Set(row.subscribed),
  }))
}

const AGENTS = `
with member as materialized (
  select user_id, array_agg(channel_id) as channels from channel_member where channel_id = any($1::uuid[]) group by user_id
), here as materialized (
  select q.user_id, array_agg(distinct q.channel_id) as channels from queue_subscriber q join node n on n.id = q.node_id
  where q.channel_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2) group by q.user_id
)
select u.id, u.display_name, u.given_name, u.additional_name, u.family_name, u.avatar, u.role, u.organization_id,
  coalesce(s.availability, 'offline') as availability, coalesce(s.capacity, ${CAPACITY.default}) as capacity,
  greatest(s.since, (select max(made_at) from offer where user_id = u.id)) as idle_since,
  array(select skill_id from staff_skill where user_id = u.id) as skills,
  m.channels as member_of, coalesce(h.channels, '{}') as subscribed
from member m join app_user u on u.id = m.user_id left join staff s on s.user_id = u.id
left join here h on h.user_id = u.id
where u.status <> 'archived' and u.role <> 'viewer' and (u.role <> 'bot' or s.user_id is not null) order by u.id`

type WaitingRow = Pick<
  ConversationState,
  | 'id'
  | 'version'
  | 'touchpoint'
  | 'contactId'
  | 'queuedAt'
  | 'needs'
  | 'nextDue'
  | 'sla'
  | 'channels'
  | 'org1'
  | 'org2'
  | 'org3'
> & { declinedBy: string[]; lastAgent: string | null }

/** Reads the conversations that wait in the queues of these channels without an offer, the oldest first. */
export async function readWaiting(sql: Sql, org1: string, channels: readonly string[]): Promise<WaitingConversation[]> {
  const rows = await sql.query<Record<string, unknown>>(
    `${WAITING} ${IN_ORDER} limit ${WAITING_MAX}`,
    [org1, channels],
    'waiting',
  )
  return rows.map((row) => waitingOf(camelRow<WaitingRow>(row)))
}

/** Reads one of them, for the explanation of why nobody is offered it. */
export async function readWaitingOne(
  sql: Sql,
  { org1, id }: { org1: string; id: string },
  channels: readonly string[],
): Promise<WaitingConversation | null> {
  const [row] = await sql.query<Record<string, unknown>>(
    `${WAITING} and c.id = $3`,
    [org1, channels, id],
    'waiting-one',
  )
  return row ? waitingOf(camelRow<WaitingRow>(row)) : null
}

/** What the rules that queued a conversation ask of agents. */
export function askedOf({ needs, queuedAt }: Pick<WaitingRow, 'needs' | 'queuedAt'>) {
  const queued = queuedAt?.getTime() ?? 0
  return {
    skills: needs?.skills ?? [],
    skillsDropAt: needs?.skillsDropAfter === undefined ? null : queued + needs.skillsDropAfter * 1_000,
  }
}

function waitingOf({
  id,
  version,
  channels,
  needs,
  nextDue,
  sla,
  queuedAt,
  declinedBy,
  lastAgent,
  ...row
}: WaitingRow) {
  return {
    id,
    version,
    channels,
    path: [row.org1, row.org2, row.org3].filter((organization) => organization !== null),
    weight: weightOf(row),
    queuedAt: queuedAt?.getTime() ?? 0,
    // A missed target counts as much as what a rule says.
    urgency: (needs?.urgency ?? 0) + urgencyOf(sla),
    nextDue: nextDue?.getTime() ?? Infinity,
    ...askedOf({ needs, queuedAt }),
    declinedBy,
    lastAgent,
  }
}

/** Uses the indexes of waiting conversations by channel (migration 0016). */
const WAITING = `
select c.id, c.version, c.touchpoint, c.contact_id, c.queued_at, c.needs, c.next_due, c.sla, c.org1, c.org2, c.org3,
  array(select distinct x from unnest(c.channels || c.channels_offline) x where x = any($2::uuid[]) order by x) as channels,
  array(select o.user_id from offer o where o.conversation_id = c.id and o.queueing = c.queueing
    and o.outcome in ('declined', 'expired')) as declined_by,
  (select o.user_id from offer o where o.conversation_id = c.id and o.outcome = 'accepted'
    order by o.made_at desc limit 1) as last_agent
from conversation c
where c.org1 = $1 and ${isWaitingSql('c')} and c.status = 'queued' and c.offer_id is null
  and (c.channels && $2::uuid[] or c.channels_offline && $2::uuid[])`
const IN_ORDER = 'order by c.queued_at, c.id'
