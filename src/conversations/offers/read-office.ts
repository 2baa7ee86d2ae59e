import { assignmentOf, type Assignment, type ChannelAssignment } from '../../channels/assignment.js'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import type { Sql } from '../../db/database.js'
import { DEAD_AFTER_SECONDS } from '../../presence/presence-times.js'
import { CAPACITY, type Availability } from '../../staffing/availability.js'
import { loadsSql, silentSince, weightOf } from '../../staffing/load.js'
import { displayNameOf, type Named } from '../../users/user.js'
import { camelRow } from '../../lists/rows.js'
import { inTurnSql } from '../writing/in-turn.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { Office, OfficeAgent, WaitingConversation } from './match.js'

/** Conversations considered at once; if more wait, only those that somebody who is here could take. */
const WAITING_MAX = 10_000

interface At {
  now: Date
  idleMinutes: number
}

/** Reads the channels of a level-1 organization that offer or assign, and the agents of these. */
export async function readOffice(sql: Sql, org1: string, at: At): Promise<Office> {
  const channels = await readOffering(sql, org1)
  return { channels, agents: await readAgents(sql, [...channels.keys()], at) }
}

export interface Work {
  office: Office
  waiting: WaitingConversation[]
}

/**
 * Reads the same, and what waits for an offer. The agents first: of a place that became free by the end of an offer, what
 * that offer was of is seen too, and is not passed over. The writer decides each offer again.
 */
export async function readWork(sql: Sql, org1: string, at: At): Promise<Work> {
  const channels = await readOffering(sql, org1)
  const ids = [...channels.keys()]
  const agents = await readAgents(sql, ids, at)
  const waiting = await readWaiting(sql, org1, ids)
  if (waiting.length < WAITING_MAX) return { office: { channels, agents }, waiting }
  // What nobody can take must not keep from the agents what comes after it, however much that is.
  return { office: { channels, agents }, waiting: await readTakeable(sql, { org1, ids, agents, now: at.now }) }
}

async function readOffering(sql: Sql, org1: string): Promise<Map<string, Assignment>> {
  const rows = await sql.query<{ id: string; assignment: ChannelAssignment }>(
    `select id, assignment from channel where org1 = $1 and assignment ->> 'mode' <> 'pull' order by id`,
    [org1],
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
  idleSince: Date | null
  skills: string[]
  memberOf: string[]
  subscribed: string[]
}

async function readAgents(sql: Sql, channels: readonly string[], at: At): Promise<OfficeAgent[]> {
  if (channels.length === 0) return []
  const rows = await sql.query<Record<string, unknown>>(
    AGENTS,
    [channels, DEAD_AFTER_SECONDS, silentSince(at)],
    'office-agents',
  )
  return rows
    .map((row) => camelRow<AgentRow>(row))
    .map((row) => ({
      id: row.id,
      name: displayNameOf(row),
      avatar: row.avatar,
      role: row.role,
      organization: row.organizationId,
      availability: row.availability,
      capacity: row.capacity,
      load: row.load,
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
), loads as materialized (${loadsSql('array(select user_id from member)', '$3::timestamptz')})
select u.id, u.display_name, u.given_name, u.additional_name, u.family_name, u.avatar, u.role, u.organization_id,
  coalesce(s.availability, 'offline') as availability, coalesce(s.capacity, ${CAPACITY.default}) as capacity,
  greatest(s.since, (select max(made_at) from offer where user_id = u.id)) as idle_since,
  coalesce(l.load, 0) as load, array(select skill_id from staff_skill where user_id = u.id) as skills,
  m.channels as member_of, coalesce(h.channels, '{}') as subscribed
from member m join app_user u on u.id = m.user_id left join staff s on s.user_id = u.id
left join here h on h.user_id = u.id left join loads l on l.user = u.id
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
  | 'urgency'
  | 'channels'
  | 'org1'
  | 'org2'
  | 'org3'
> & { declinedBy: string[]; lastAgent: string | null }

/** Reads the conversations that wait in the queues of these channels without an offer, in their turn. */
async function readWaiting(sql: Sql, org1: string, channels: readonly string[]): Promise<WaitingConversation[]> {
  if (channels.length === 0) return []
  return waitingOfRows(await sql.query(`${WAITING} ${IN_ORDER} limit ${WAITING_MAX}`, [org1, channels], 'waiting'))
}

interface Takers {
  org1: string
  ids: readonly string[]
  agents: readonly OfficeAgent[]
  now: Date
}

/** Reads the first of those that an available agent with room has the skills for, and can see. */
async function readTakeable(sql: Sql, { org1, ids, agents, now }: Takers): Promise<WaitingConversation[]> {
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
  return waitingOfRows(await sql.query(text, [org1, ids, `[${[...new Set(takers)].join()}]`, now], 'takeable'))
}

/** Reads one of them, for the explanation of why nobody is offered it. */
export async function readWaitingOne(
  sql: Sql,
  { org1, id }: { org1: string; id: string },
  channels: readonly string[],
): Promise<WaitingConversation | null> {
  const rows = await sql.query<Record<string, unknown>>(`${WAITING} and c.id = $3`, [org1, channels, id], 'waiting-one')
  return waitingOfRows(rows)[0] ?? null
}

const waitingOfRows = (rows: Record<string, unknown>[]): WaitingConversation[] =>
  rows.map((row) => waitingOf(camelRow<WaitingRow>(row)))

/** What the rules that queued a conversation ask of agents. */
export function askedOf({ needs, queuedAt }: Pick<WaitingRow, 'needs' | 'queuedAt'>) {
  const queued = queuedAt?.getTime() ?? 0
  return {
    skills: needs?.skills ?? [],
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
    declinedBy,
    lastAgent,
  }
}

/** Uses the indexes of waiting conversations by channel (migration 0016). */
const WAITING = `
select c.id, c.version, c.touchpoint, c.contact_id, c.queued_at, c.needs, c.next_due, c.urgency, c.org1, c.org2, c.org3,
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
    and (taker.skills @> coalesce(c.needs -> 'skills', '[]')
      or c.queued_at + make_interval(secs => (c.needs ->> 'skillsDropAfter')::float) <= $4))`
/** As `match` decides: what is urgent must be among the first {@link WAITING_MAX}. */
const IN_ORDER = `order by ${inTurnSql('c')}`
