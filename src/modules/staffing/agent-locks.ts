import type { Sql } from '../../platform/db/database.js'
import { DEAD_AFTER_SECONDS } from '../../platform/presence/presence-times.js'
import type { AssignmentMode } from '../channels/assignment.js'
import { isPausedSql } from '../users/pause-bots.js'
import { CAPACITY, type Availability } from './availability.js'
import { countLoads } from './load.js'
import { awaitsVerdictSql } from './missed-offers.js'
import { wrapsUpSql } from './wrap-up.js'

/** An agent whose row is locked until the end of the transaction. */
export interface LockedAgent {
  userId: string
  availability: Availability
  /** Time of the last change of availability; null before any. */
  since: Date | null
  capacity: number
  /** True while it is being found out if the agent responds at all. */
  awaitsVerdict: boolean
  /** True if it has closed a conversation, and is about to wrap up. */
  wrapsUp: boolean
  /** Counted under the lock, and raised by what this transaction gives the agent. */
  load: number
  /** Null for one who was archived, is a paused bot, or may not accept any more. */
  organization: string | null
  skills: ReadonlySet<string>
  /** The modes of the channels of which the agent is a member, and to whose queue it is subscribed on a living node. */
  seats: ReadonlyMap<string, AssignmentMode>
}

/** The agents to whom a transaction may give work, with a ledger of what it gives. */
export class AgentLocks {
  readonly #agents: ReadonlyMap<string, LockedAgent>

  constructor(agents: readonly LockedAgent[] = []) {
    this.#agents = new Map(agents.map((agent) => [agent.userId, agent]))
  }

  of(user: string): Readonly<LockedAgent> | undefined {
    return this.#agents.get(user)
  }

  /** Adds to the agent's load if that stays within the capacity. @returns whether it did */
  take(user: string, weight: number): boolean {
    const agent = this.#agents.get(user)
    if (!agent || agent.load + weight > agent.capacity) return false
    agent.load += weight
    return true
  }

  /** Adds to the agent's load, past the capacity too. */
  give(user: string, weight: number): void {
    const agent = this.#agents.get(user)
    if (agent) agent.load += weight
  }
}

export const NO_AGENT_LOCKS = new AgentLocks()

/**
 * Locks the rows of agents, after the conversations and before channels, and counts their loads: until the end of the
 * transaction, no other one gives them work. Skips those that another transaction has locked.
 * @returns as `locked` the agents that were skipped
 */
export async function lockAgents(
  sql: Sql,
  users: readonly string[],
  at: { now: Date; idleMinutes: number },
): Promise<{ agentLocks: AgentLocks; locked: ReadonlySet<string> }> {
  const all = [...new Set(users)].toSorted()
  const rows = [...(await sql.query<LockedRow>(LOCK, [all], 'lock-staff'))]
  const locked = new Set<string>()
  if (rows.length < all.length) {
    const found = new Set(rows.map(({ user }) => user))
    const skipped = all.filter((user) => !found.has(user))
    const made = await sql.query<LockedRow & { isMade: boolean }>(MAKE, [skipped], 'make-staff')
    for (const { isMade, ...row } of made) {
      if (isMade) rows.push(row)
      else locked.add(row.user)
    }
  }
  const ids = rows.map(({ user }) => user)
  // Statements of their own: they see what was committed while this one waited for the locks.
  const [loads, places] = await Promise.all([
    countLoads(sql, ids, at),
    sql.query<PlaceRow>(PLACES, [ids, DEAD_AFTER_SECONDS], 'places-of-staff'),
  ])
  const placeOf = new Map(places.map((place) => [place.user, place]))
  const agents = rows.map(({ user, availability, since, capacity }) => ({
    userId: user,
    availability,
    since,
    capacity,
    awaitsVerdict: placeOf.get(user)?.awaitsVerdict ?? false,
    wrapsUp: placeOf.get(user)?.wrapsUp ?? false,
    load: loads.get(user) ?? 0,
    organization: placeOf.get(user)?.organization ?? null,
    skills: new Set(placeOf.get(user)?.skills),
    seats: new Map(Object.entries(placeOf.get(user)?.seats ?? {})),
  }))
  return { agentLocks: new AgentLocks(agents), locked }
}

interface LockedRow {
  user: string
  availability: Availability
  since: Date | null
  capacity: number
}

interface PlaceRow {
  user: string
  organization: string
  skills: string[]
  awaitsVerdict: boolean
  wrapsUp: boolean
  seats: Record<string, AssignmentMode> | null
}

const LOCK = `select user_id as user, availability, since, capacity from staff where user_id = any($1::uuid[])
order by user_id for no key update skip locked`

/** Those who had a row before were skipped because of its lock. */
const MAKE = `with made as (
  insert into staff (user_id, availability, capacity)
  select id, 'offline', ${CAPACITY.default} from app_user where id = any($1::uuid[]) order by id
  on conflict do nothing returning user_id, availability, since, capacity
)
select user_id as user, availability, since, capacity, true as "isMade" from made
union all select user_id, availability, since, capacity, false from staff where user_id = any($1::uuid[])`

const PLACES = `
select u.id as user, u.organization_id as organization, array(select skill_id from staff_skill where user_id = u.id) as skills,
  ${awaitsVerdictSql('s')} as "awaitsVerdict", ${wrapsUpSql('u.id')} as "wrapsUp",
  (select jsonb_object_agg(c.id, coalesce(c.assignment ->> 'mode', 'pull'))
   from channel_member m join channel c on c.id = m.channel_id
   where m.user_id = u.id and exists (select 1 from queue_subscriber q join node n on n.id = q.node_id
     where q.channel_id = m.channel_id and q.user_id = u.id and n.seen_at > now() - make_interval(secs => $2))) as seats
from app_user u left join staff s on s.user_id = u.id where u.id = any($1::uuid[]) and u.status <> 'archived' and u.role <> 'viewer'
  and not ${isPausedSql('u')}`
