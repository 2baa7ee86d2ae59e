import { assignmentOf, type Assignment, type ChannelAssignment } from '../../channels/assignment.js'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { Sql } from '../../../platform/db/database.js'
import { DEAD_AFTER_SECONDS } from '../../../platform/presence/presence-times.js'
import { CAPACITY, type Availability } from '../../staffing/availability.js'
import { channelWeightSql, isStaffSql, loadsSql, silentSince, weightOf } from '../../staffing/load.js'
import { wrapsUpSql } from '../../staffing/wrap-up.js'
import { awaitsVerdictSql } from '../../staffing/missed-offers.js'
import { isPausedSql } from '../../users/pause-bots.js'
import { displayNameOf, type Named } from '../../users/user.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { inTurnSql } from '../writer/in-turn.js'
import type { ConversationState } from '../state/conversation-state.js'
import { closedAtSql } from '../state/closing.js'
import type { Staff, StaffAgent, WaitingConversation } from './match.js'

/** Conversations considered at once; if more wait, only those that somebody who is here could take. */
const WAITING_MAX = 10_000

interface At {
  now: Date
  idleMinutes: number
}

/** Reads the channels of a contact center that offer or assign, and the agents of these. */
export async function readStaff(sql: Sql, tenant: string, at: At): Promise<Staff> {
  const channels = await readOffering(sql, tenant)
  return { channels, agents: await readAgents(sql, [...channels.keys()], at) }
}

export interface Work {
  staff: Staff
  waiting: WaitingConversation[]
}

/**
 * Reads the same, and what waits for an offer. The agents first: of a place that became free by the end of an offer, what
 * that offer was of is seen too, and is not passed over. The writer decides each offer again.
 */
export async function readWork(sql: Sql, tenant: string, at: At): Promise<Work> {
  const channels = await readOffering(sql, tenant)
  const ids = [...channels.keys()]
  const agents = await readAgents(sql, ids, at)
  const waiting = await readWaiting(sql, tenant, ids)
  if (waiting.length < WAITING_MAX) return { staff: { channels, agents }, waiting }
  // What nobody can take must not keep from the agents what comes after it, however much that is.
  return { staff: { channels, agents }, waiting: await readTakeable(sql, { tenant, ids, agents, now: at.now }) }
}

async function readOffering(sql: Sql, tenant: string): Promise<Map<string, Assignment>> {
  const rows = await sql.query<{ id: string; assignment: ChannelAssignment }>(
    `select id, assignment from channel where org1 = $1 and assignment ->> 'mode' <> 'pull' order by id`,
    [tenant],
    'offering-channels',
  )
  return new Map(rows.map(({ id, assignment }) => [id, assignmentOf(assignment)]))
}

interface AgentRow extends Named {
  id: string
  avatar: string | null
  role: string
  organizationId: string
  availability: Availability
  capacity: number
  load: number
  isPaused: boolean
  awaitsVerdict: boolean
  wrapsUp: boolean
  idleSince: Date | null
  skills: string[]
  memberOf: string[]
  subscribed: string[]
}

async function readAgents(sql: Sql, channels: readonly string[], at: At): Promise<StaffAgent[]> {
  if (channels.length === 0) return []
  const rows = await sql.query<Record<string, unknown>>(
    AGENTS,
    [channels, DEAD_AFTER_SECONDS, silentSince(at)],
    'staff-agents',
  )
  return rows
    .map((row) => camelRow<AgentRow>(row))
    .map((row) => ({
      id: row.id,
      name: displayNameOf(row),
      avatar: row.avatar,
      role: row.role,
      organization: row.organizationId,
      availability: row.isPaused ? 'offline' : row.availability,
      isPaused: row.isPaused,
      capacity: row.capacity,
      load: row.load,
      awaitsVerdict: row.awaitsVerdict,
      wrapsUp: row.wrapsUp,
      // Who works is not idle; of those, the load decides.
      idleSince: row.load > 0 ? at.now.getTime() : (row.idleSince?.getTime() ?? 0),
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
), loads as materialized (${loadsSql('array(select user_id from member)', '$3::timestamptz')})
select u.id, u.display_name, u.given_name, u.additional_name, u.family_name, u.avatar, u.role, u.organization_id,
  coalesce(s.availability, 'offline') as availability, coalesce(s.capacity, ${CAPACITY.default}) as capacity,
  greatest(s.since, (select max(made_at) from offer where user_id = u.id),
    (select max(at) from milestone where user_id = u.id and kind = 'agentLeft'),
    ${closedAtSql('u.id::text')}) as idle_since,
  coalesce(l.load, 0) as load, ${isPausedSql('u')} as is_paused,
  ${awaitsVerdictSql('s')} as awaits_verdict, ${wrapsUpSql('u.id')} as wraps_up,
  array(select skill_id from staff_skill where user_id = u.id) as skills,
  m.channels as member_of, coalesce(h.channels, '{}') as subscribed
from member m join app_user u on u.id = m.user_id left join staff s on s.user_id = u.id
left join here h on h.user_id = u.id left join loads l on l.user = u.id
where ${isStaffSql('u')} order by u.id`

type WaitingRow = Pick<
  ConversationState,
  | 'id'
  | 'version'
  | 'touchpoint'
  | 'contactId'
  | 'queuedAt'
  | 'needs'
  | 'nextDue'
  | 'urgency'
  | 'channels'
  | 'org1'
  | 'org2'
  | 'org3'
> & { channelWeight: number | null; declinedBy: string[]; lastAgent: string | null }

/** Reads the conversations that wait in the queues of these channels without an offer, in their turn. */
async function readWaiting(sql: Sql, tenant: string, channels: readonly string[]): Promise<WaitingConversation[]> {
  if (channels.length === 0) return []
  return waitingOfRows(await sql.query(`${WAITING} ${IN_ORDER} limit ${WAITING_MAX}`, [tenant, channels], 'waiting'))
}

interface Takers {
  tenant: string
  ids: readonly string[]
  agents: readonly StaffAgent[]
  now: Date
}

/** Reads the first of those that an available agent with room has the skills for, and can see. */
async function readTakeable(sql: Sql, { tenant, ids, agents, now }: Takers): Promise<WaitingConversation[]> {
  const takers = agents
    .filter(({ availability, load, capacity }) => availability === 'available' && load < capacity)
    .map(({ organization, skills, memberOf, subscribed }) =>
      JSON.stringify({
        organization,
        skills: [...skills].toSorted(),
        channels: [...memberOf.intersection(subscribed)],
      }),
    )
  if (takers.length === 0) return []
  const text = `${WAITING} ${TAKEABLE} ${IN_ORDER} limit ${WAITING_MAX}`
  return waitingOfRows(await sql.query(text, [tenant, ids, `[${[...new Set(takers)].join()}]`, now], 'takeable'))
}

/** Reads one of them, for the explanation of why nobody is offered it. */
export async function readWaitingOne(
  sql: Sql,
  { org1: tenant, id }: { org1: string; id: string },
  channels: readonly string[],
): Promise<WaitingConversation | null> {
  const rows = await sql.query<Record<string, unknown>>(
    `${WAITING} and c.id = $3`,
    [tenant, channels, id],
    'waiting-one',
  )
  return waitingOfRows(rows)[0] ?? null
}

const waitingOfRows = (rows: Record<string, unknown>[]): WaitingConversation[] =>
  rows.map((row) => waitingOf(camelRow<WaitingRow>(row)))

/** Demands on agents of the rules that queued a conversation. */
export function askedOf({ needs, queuedAt }: Pick<WaitingRow, 'needs' | 'queuedAt'>) {
  const queued = queuedAt?.getTime() ?? 0
  return {
    skills: needs?.skills ?? [],
    askedSkills: needs?.askedSkills ?? [],
    exceptUsers: needs?.exceptUsers ?? [],
    skillsDropAt: needs?.skillsDropAfter === undefined ? null : queued + needs.skillsDropAfter * 1_000,
  }
}

function waitingOf({ id, version, channels, needs, nextDue, queuedAt, declinedBy, lastAgent, ...row }: WaitingRow) {
  return {
    id,
    version,
    channels,
    path: [row.org1, row.org2, row.org3].filter((organization) => organization !== null),
    weight: weightOf(row),
    queuedAt: queuedAt?.getTime() ?? 0,
    urgency: row.urgency,
    nextDue: nextDue?.getTime() ?? Infinity,
    ...askedOf({ needs, queuedAt }),
    declinedBy: needs?.leftBy ? [...declinedBy, ...needs.leftBy] : declinedBy,
    lastAgent,
  }
}

/** Uses the indexes of waiting conversations by channel. */
const WAITING = `
select c.id, c.version, c.touchpoint, c.contact_id, c.queued_at, c.needs, c.next_due, c.urgency, c.org1, c.org2, c.org3,
  ${channelWeightSql('c')} as channel_weight,
  array(select distinct x from unnest(c.channels || c.channels_offline) x where x = any($2::uuid[]) order by x) as channels,
  array(select o.user_id from offer o where o.conversation_id = c.id and o.queueing = c.queueing
    and o.outcome in ('declined', 'expired')) as declined_by,
  (select o.user_id from offer o where o.conversation_id = c.id and o.outcome = 'accepted'
    order by o.made_at desc limit 1) as last_agent
from conversation c
where c.org1 = $1 and ${isWaitingSql('c')} and c.status = 'queued' and c.offer_id is null
  and (c.channels && $2::uuid[] or c.channels_offline && $2::uuid[])`
/** As `match` decides for each agent, weights and refusals aside. */
const TAKEABLE = `and exists (
  select from jsonb_to_recordset($3::jsonb) as taker(organization uuid, skills jsonb, channels uuid[])
  where taker.organization in (c.org1, c.org2, c.org3)
    and (c.channels && taker.channels or c.channels_offline && taker.channels)
    and taker.skills @> coalesce(c.needs -> 'askedSkills', '[]')
    and (taker.skills @> coalesce(c.needs -> 'skills', '[]')
      or c.queued_at + make_interval(secs => (c.needs ->> 'skillsDropAfter')::float) <= $4))`
/** As `match` decides: what is urgent must be among the first {@link WAITING_MAX}. */
const IN_ORDER = `order by ${inTurnSql('c')}`
