import { reading, type ReadSql, type Sql } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { NewJob } from '../../../platform/jobs/job.js'
import { isPausedSql } from '../../users/pause-bots.js'
import { botPause, departure } from '../../users/user-jobs.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'

/*
 * A conversation is in reach of the users who may fetch it: those of its organization and of those above it who are not
 * archived. Only users in reach may be notified, and a user can be moved, archived or deleted at any time.
 */

type Place = Pick<ConversationState, 'org1' | 'org2' | 'org3'>

/** Returns those users who have the conversation in reach. */
export async function usersInReach(sql: ReadSql, conversation: Place, users: readonly string[]): Promise<Set<string>> {
  if (users.length === 0) return new Set()
  const rows = await sql.query<{ id: string }>(
    reading(
      `select id from app_user where id = any($1::uuid[]) and organization_id = any($2::uuid[]) and status <> 'archived'`,
    ),
    [[...new Set(users)], pathOf(conversation)],
    'users-in-reach',
  )
  return new Set(rows.map(({ id }) => id))
}

/** A participation that an operation gave to a user. Users who had one before are handled by the departure itself. */
export interface GivenPart {
  user: string
  path: string[]
  isBot: boolean
}

/** Returns the participations that are new. */
export function givenParts(
  conversation: Place,
  earlier: ReadonlyMap<string, ParticipantState> | undefined,
  participants: readonly ParticipantState[],
): GivenPart[] {
  const path = [...pathOf(conversation)] as string[]
  return participants
    .filter((participant) => PARTS.some((part) => participant[part] && !earlier?.get(participant.userId)?.[part]))
    .map(({ userId, role }) => ({ user: userId, path, isBot: role === 'bot' }))
}

const PARTS = ['inbox', 'accepted', 'active', 'follow'] as const

/**
 * Returns jobs for users who were given a participation while being moved, archived, deleted or paused, since their own departure
 * or pause may not have seen it. Never waits: a user whose row is locked counts as departing, and the job checks again. Users who
 * depart later, or are paused, wait for this transaction and see its writes.
 */
export async function departuresAmong(sql: Sql, given: readonly GivenPart[]): Promise<NewJob[]> {
  if (given.length === 0) return []
  const rows = await sql.query<{ user: string }>(DEPARTING, [JSON.stringify(given)], 'departing-users')
  const departing = new Set(rows.map(({ user }) => user))
  const bots = [...new Set(given.filter(({ isBot }) => isBot).map(({ user }) => user))]
  // In a statement of its own, which sees every pause that did not wait for the locks.
  const stopped = new Set([...(await pausedAmong(sql, bots)), ...bots.filter((bot) => departing.has(bot))])
  return [...[...departing].map(departure), ...[...stopped].map(botPause)]
}

/** Returns those bots that are paused. */
export async function pausedAmong(sql: ReadSql, bots: readonly string[]): Promise<Set<string>> {
  if (bots.length === 0) return new Set()
  const rows = await sql.query<{ id: string }>(PAUSED, [bots], 'paused-among')
  return new Set(rows.map(({ id }) => id))
}

const PAUSED = reading(`select u.id from app_user u where u.id = any($1::uuid[]) and ${isPausedSql('u')}`)

const DEPARTING = `
with given as materialized (
  select x."user" as id, x.path from jsonb_to_recordset($1::jsonb) as x("user" uuid, path uuid[])
), held as materialized (
  select u.id, u.organization_id, u.status from app_user u
  where u.id in (select id from given) order by u.id for share skip locked
)
select distinct g.id as "user" from given g where not exists (
  select 1 from held h where h.id = g.id and h.status <> 'archived' and h.organization_id = any(g.path))`
