import type { Sql } from '../db/database.js'
import { DEAD_AFTER_SECONDS } from '../presence/presence-times.js'
import { CAPACITY, type Availability } from './availability.js'
import { countLoads } from './load.js'

/** An agent whose row is locked until the end of the transaction. */
export interface ClaimedAgent {
  userId: string
  availability: Availability
  capacity: number
  /** Counted under the lock, and raised by what this transaction gives the agent. */
  load: number
  /** Channels whose queue the agent is subscribed to on a living node. */
  subscribed: ReadonlySet<string>
}

/** The agents to whom a transaction may give work, with a ledger of what it gives. */
export class StaffClaims {
  readonly #agents: ReadonlyMap<string, ClaimedAgent>

  constructor(agents: readonly ClaimedAgent[] = []) {
    this.#agents = new Map(agents.map((agent) => [agent.userId, agent]))
  }

  of(user: string): Readonly<ClaimedAgent> | undefined {
    return this.#agents.get(user)
  }

  /** Adds to the agent's load if that stays within the capacity. @returns whether it did */
  take(user: string, weight: number): boolean {
    const agent = this.#agents.get(user)
    if (!agent || agent.load + weight > agent.capacity) return false
    agent.load += weight
    return true
  }
}

export const NO_CLAIMS = new StaffClaims()

/**
 * Locks the rows of agents in the order of their ids, after the conversations and before channels, and counts their
 * loads: until the end of the transaction, no other one gives them work.
 */
export async function lockClaims(
  sql: Sql,
  users: readonly string[],
  at: { now: Date; idleMinutes: number },
): Promise<StaffClaims> {
  const ids = [...new Set(users)].toSorted()
  let rows = await sql.query<LockedRow>(LOCK, [ids], 'lock-staff')
  if (rows.length < ids.length) {
    await sql.query(MAKE, [ids, at.now], 'make-staff')
    rows = await sql.query<LockedRow>(LOCK, [ids], 'lock-staff')
  }
  // Statements of their own: they see what was committed while this one waited for the locks.
  const [loads, subscribers] = await Promise.all([
    countLoads(sql, ids, at),
    sql.query<{ user: string; channels: string[] }>(SUBSCRIBED, [ids, DEAD_AFTER_SECONDS], 'subscribed-channels'),
  ])
  const channels = new Map(subscribers.map(({ user, channels }) => [user, channels]))
  return new StaffClaims(
    rows.map(({ user, availability, capacity }) => ({
      userId: user,
      availability,
      capacity,
      load: loads.get(user) ?? 0,
      subscribed: new Set(channels.get(user)),
    })),
  )
}

interface LockedRow {
  user: string
  availability: Availability
  capacity: number
}

const LOCK = `select user_id as user, availability, capacity from staff where user_id = any($1::uuid[])
order by user_id for no key update`

const MAKE = `insert into staff (user_id, availability, since, capacity)
select id, 'offline', $2::timestamptz, ${CAPACITY.default} from app_user where id = any($1::uuid[]) order by id
on conflict do nothing`

const SUBSCRIBED = `select q.user_id as user, array_agg(distinct q.channel_id) as channels
from queue_subscriber q join node n on n.id = q.node_id
where q.user_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2) group by q.user_id`
