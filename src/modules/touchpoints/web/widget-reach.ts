import { LRUCache } from 'lru-cache'
import { pacedMs, type Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { DEAD_AFTER_SECONDS } from '../../../platform/presence/presence-times.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { isWaitingSql } from '../../channels/is-waiting-sql.js'
import { expectedWait, medianGap, readAccepts } from '../../conversations/place/accept-pace.js'
import { CompiledSchedules, readSchedules } from '../../schedules/current-schedule.js'
import { CAPACITY } from '../../staffing/availability.js'
import { loadsSql, silentSince } from '../../staffing/load.js'
import { standing, type StandingFacts } from '../../staffing/standing.js'

/** Tells what a visitor may expect: an answer now, later today, or when it opens. */
export interface WidgetReach {
  /** `OPEN`: an agent has room; `BUSY`: agents work, and have none; `NOBODY` works; `CLOSED`: outside the hours. */
  reach: 'OPEN' | 'BUSY' | 'NOBODY' | 'CLOSED'
  /** Time at which it opens, if it is closed and opens again. */
  opensAt: string | null
  /** The expected wait for an agent, where channels tell places and agents work; else null. */
  waitSeconds: number | null
}

/** Visitors of a page ask for it again and again: it is counted once in this time. */
const STALE_MS = 5_000

/** Reads how an organization can be reached by a new visitor: by the standing of its agents, and its hours. */
export class WidgetReaches {
  readonly #known: LRUCache<string, Promise<WidgetReach>>
  readonly #compiled = new CompiledSchedules()

  constructor(private readonly options: { sql: Sql; clock: Clock; idleMinutes: number }) {
    this.#known = new LRUCache({ max: 1_000, ttl: pacedMs(options.clock, STALE_MS) })
  }

  /** @param path the organization and those above it, whose channels its conversations may come to; the first is level 1 */
  read(path: readonly string[]): Promise<WidgetReach> {
    const key = path.join()
    const known = this.#known.get(key)
    if (known) return known
    const asked = this.#read(path)
    this.#known.set(key, asked)
    asked.catch(() => this.#known.delete(key))
    return asked
  }

  async #read(path: readonly string[]): Promise<WidgetReach> {
    const closed = await this.#closedUntil(path)
    if (closed) return { reach: 'CLOSED', opensAt: closed.opensAt, waitSeconds: null }
    const words = (await this.#readAgents(path)).map((facts) => standing(facts))
    if (words.every((word) => word === 'signedOut' || word === 'notWorking'))
      return { reach: 'NOBODY', opensAt: null, waitSeconds: null }
    const reach = words.includes('available') ? 'OPEN' : 'BUSY'
    return { reach, opensAt: null, waitSeconds: await this.#waitSeconds(path) }
  }

  /** Closed is what no schedule of its policies has open now: which of them applies is known with the conversation. */
  async #closedUntil(path: readonly string[]): Promise<{ opensAt: string | null } | null> {
    const { sql, clock } = this.options
    const rows = await sql.query<{ id: string }>(SCHEDULES, [path], 'widget-schedules')
    const ids = rows.map(({ id }) => id)
    const schedules = [...(await readSchedules(sql, ids, this.#compiled)).values()]
    const at = clock.now().getTime()
    if (schedules.length === 0 || schedules.some(({ hours }) => hours.isOpenAt(at))) return null
    const opens = schedules.map(({ hours }) => hours.nextChangeAfter(at)).filter((each) => each !== null)
    return { opensAt: opens.length === 0 ? null : new Date(Math.min(...opens)).toISOString() }
  }

  async #readAgents(path: readonly string[]): Promise<StandingFacts[]> {
    const { sql, clock, idleMinutes } = this.options
    const silent = silentSince({ now: clock.now(), idleMinutes })
    const rows = await sql.query<Record<string, unknown>>(AGENTS, [path, DEAD_AFTER_SECONDS, silent], 'widget-agents')
    return rows.map((row) => camelRow<StandingFacts>(row))
  }

  /** Expected wait; the number of those who wait is told only where the channels tell it to those who wait. */
  async #waitSeconds(path: readonly string[]): Promise<number | null> {
    const { sql, clock } = this.options
    const [row] = await sql.query<{ channels: string[] | null; waiting: number }>(
      WAITING,
      [path[0], path],
      'widget-waiting',
    )
    if (!row?.channels) return null
    const accepts = await readAccepts(sql, { tenant: path[0]!, channels: row.channels, now: clock.now() })
    const gap = medianGap(accepts, new Set(row.channels))
    return gap === null ? null : expectedWait(gap, row.waiting + 1)
  }
}

const SCHEDULES = `
select distinct schedule_id as id from sla_policy where organization_id = any($1::uuid[]) and schedule_id is not null`

/** Agents that are subscribed to a queue: others can take nothing. */
const AGENTS = `
with here as materialized (
  select distinct q.user_id from queue_subscriber q join node n on n.id = q.node_id join channel c on c.id = q.channel_id
  where c.organization_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2)
), loads as materialized (${loadsSql('array(select user_id from here)', '$3::timestamptz')})
select coalesce(s.availability, 'offline') as availability, true as is_connected,
  coalesce(l.load, 0) as load, coalesce(s.capacity, ${CAPACITY.default}) as capacity
from here h left join staff s on s.user_id = h.user_id left join loads l on l.user = h.user_id`

const WAITING = `
with telling as materialized (
  select array_agg(id) as channels from channel
  where organization_id = any($2::uuid[]) and (assignment ->> 'tellPlace')::boolean
)
select t.channels, (select count(*)::int from conversation c where c.org1 = $1 and ${isWaitingSql('c')}
  and c.status = 'queued' and c.type = 'contact' and (c.channels && t.channels or c.channels_offline && t.channels)) as waiting
from telling t`
