import type { Logger } from 'pino'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { isRepeatable } from '../../platform/db/sql-errors.js'
import { isOfType, userStream, type StoredEvent } from '../../platform/events/event.js'
import { readEvents } from '../../platform/events/streams.js'
import { addJobs } from '../../platform/jobs/job.js'
import { isLiveSql } from './push-subscription.js'
import { PUSH_SEND } from './send-push.js'

/** Subscriptions looked at in one round; the others follow in the next. */
const ROUND_MAX = 200
/** After this time the others wait for the next round: the transaction that holds the lock of the rounds is idle meanwhile. */
const ROUND_MS_MAX = 5_000
/** Interval of rounds that look at all subscriptions, whether this node has heard of news or not. */
const ALL_EVERY_MS = 30_000
/** More events than these since the last round are not looked at one by one. */
const EVENTS_MAX = 400
/** Notifications of one round for one browser: the newest. More would be read by nobody. */
export const PUSHES_MAX = 5

interface Due {
  userId: string
  org1: string
  position: number
  head: number
  /** True if the user has notifications switched on. */
  isWanted: boolean
}

export interface DuePushesOptions {
  database: Database
  clock: Clock
  log: Pick<Logger, 'warn'>
  elapsed?: () => number
}

/**
 * Adds a job for each conversation of which a browser has to be notified: one that came into the inbox, or whose unread
 * messages have become more since the last round. What was notified is a position in the user's stream, which moves in the
 * transaction that adds the jobs: an event is neither missed nor taken twice, on whichever node a round runs. A browser whose
 * last notifications are still being sent waits, so that its jobs are bounded.
 */
export class DuePushes {
  /** Users of whom this node has committed news since the last round over all, and since the one before it. */
  #heard = new Set<string>()
  #heardBefore = new Set<string>()
  #allAt = -Infinity

  constructor(private readonly options: DuePushesOptions) {}

  /** Takes note of whose streams have news: only they are looked at until the next round over all. */
  hear(events: readonly StoredEvent[]): void {
    for (const { stream } of events) if (stream.startsWith(USER)) this.#heard.add(stream.slice(USER.length))
  }

  /** Tells whether a round would look at anything. */
  get isNeeded(): boolean {
    const { elapsed = () => performance.now() } = this.options
    return this.#heard.size + this.#heardBefore.size > 0 || elapsed() - this.#allAt >= ALL_EVERY_MS
  }

  /**
   * Needs the lock of the rounds, which `sql` holds. One subscription that fails does not stop the others.
   * @returns whether jobs were added
   */
  async round(sql: Sql): Promise<boolean> {
    const { clock, log, elapsed = () => performance.now() } = this.options
    const since = elapsed()
    const isOfAll = since - this.#allAt >= ALL_EVERY_MS
    const heard = [...this.#heard, ...this.#heardBefore]
    if (!isOfAll && heard.length === 0) return false
    const due = isOfAll
      ? await sql.query<{ id: string }>(DUE, [clock.now()], 'due-pushes')
      : await sql.query<{ id: string }>(DUE_OF_USERS, [clock.now(), heard], 'due-pushes-of-users')
    if (isOfAll && due.length < ROUND_MAX) {
      this.#allAt = since
      this.#heardBefore = this.#heard
      this.#heard = new Set()
    }
    let isAdded = false
    const errors: unknown[] = []
    for (const { id } of due) {
      if (elapsed() - since > ROUND_MS_MAX) break
      try {
        isAdded = (await this.#move(id)) || isAdded
      } catch (error) {
        if (isRepeatable(error)) throw error
        errors.push(error)
        // Behind the others: as many as fit into a round must not stop them.
        await this.#write((own) => own.query(LAST, [id, clock.now()]))
      }
    }
    if (errors.length > 0)
      log.warn(
        { err: errors[0], subscriptions: errors.length },
        'failed to look for what browsers have to be notified of',
      )
    return isAdded
  }

  /** @returns whether jobs were added */
  #move(id: string): Promise<boolean> {
    const { clock } = this.options
    return this.#write(async (sql) => {
      const now = clock.now()
      const [due] = await sql.query<Due>(LOCKED, [id, now], 'due-push')
      if (!due) return false
      const events = await eventsOf(sql, due)
      const before = await readUnread(sql, due, events)
      const jobs = pushesOf(events, before).map((conversation) =>
        PUSH_SEND.create(
          { subscription: id, conversation, at: now.toISOString() },
          { key: pushKey(id), share: `push:${due.org1}` },
        ),
      )
      await sql.query(MOVE, [id, due.head, now], 'move-push-position')
      await addJobs(sql, jobs, clock)
      return jobs.length > 0
    })
  }

  /** A transaction of its own. What a power failure takes is found again: position and jobs are lost together. */
  #write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.options.database.sqlTransaction(work, { isUnsynced: true })
  }
}

const USER = userStream('')

/** The key of a browser's jobs: those that wait under it are what is being sent. */
const pushKey = (subscription: string): string => `push:${subscription}`

/** @param more further conditions */
const dueSql = (more: string): string => `
select p.id from push_subscription p join stream s on s.name = 'user:' || p.user_id
where s.head <> p.position and not exists (
    select 1 from job j where j.key = '${pushKey('')}' || p.id and j.run_at < 'infinity')
  and ${isLiveSql('p', '$1')} ${more}
order by p.looked_at nulls first, p.id limit ${ROUND_MAX}`

/** Those that were looked at the longest ago come first: who has news all the time does not stop the others. */
const DUE = dueSql('')
const DUE_OF_USERS = dueSql('and p.user_id = any($2::uuid[])')

const LOCKED = `
select p.user_id as "userId", u.org1, p.position, s.head, coalesce((u.settings ->> 'pushNotify')::boolean, false) as "isWanted"
from push_subscription p join app_user u on u.id = p.user_id join stream s on s.name = 'user:' || p.user_id
where p.id = $1 and s.head <> p.position and ${isLiveSql('p', '$2')} for no key update of p skip locked`

const MOVE = 'update push_subscription set position = $2, looked_at = $3 where id = $1'
const LAST = 'update push_subscription set looked_at = $2 where id = $1'

/**
 * Nothing while notifications are switched off: who switches them on is not told of what was before. Nothing either where the
 * head is behind the position, that of a restored database.
 */
function eventsOf(sql: Sql, { userId, position, head, isWanted }: Due): Promise<StoredEvent[]> {
  if (!isWanted || head < position) return Promise.resolve([])
  const after = Math.max(position, head - EVENTS_MAX)
  return readEvents(sql, userStream(userId), after, head - after)
}

/** Reads how many messages of each conversation were unread before the events, however long before. */
async function readUnread(sql: Sql, { userId }: Due, events: readonly StoredEvent[]): Promise<Map<string, number>> {
  const conversations = new Set(events.filter(isEntry).map(({ data }) => data.entry.conversation))
  if (conversations.size === 0) return new Map()
  const rows = await sql.query<{ id: string; unread: number }>(
    UNREAD,
    [userStream(userId), events[0]!.number, [...conversations]],
    'unread-before-pushes',
  )
  return new Map(rows.map(({ id, unread }) => [id, unread]))
}

/** By the index of the conversation that an event shows. */
const UNREAD = `
select c.id, before.unread from unnest($3::text[]) as c(id) cross join lateral (
  select (e.data #>> '{entry,unreadCount}')::int as unread from event e
  where e.data #>> '{entry,conversation}' = c.id and e.data ? 'entry' and e.stream = $1 and e.number < $2
  order by e.number desc limit 1) before`

/** The conversations that came into the inbox, or have more unread messages than before: the newest first. */
function pushesOf(events: readonly StoredEvent[], before: ReadonlyMap<string, number>): string[] {
  const unread = new Map(before)
  const grown = new Set<string>()
  for (const event of events) {
    if (!isEntry(event)) continue
    const { conversation, unreadCount } = event.data.entry
    if (event.type === 'inbox.added' || unreadCount > (unread.get(conversation) ?? 0)) {
      grown.delete(conversation)
      grown.add(conversation)
    }
    unread.set(conversation, unreadCount)
  }
  return [...grown].slice(-PUSHES_MAX).toReversed()
}

function isEntry(
  event: StoredEvent,
): event is StoredEvent & { data: { entry: { conversation: string; unreadCount: number } } } {
  return (
    isOfType(event, 'inbox.added') ||
    isOfType(event, 'inbox.changed') ||
    isOfType(event, 'mine.added') ||
    isOfType(event, 'mine.changed')
  )
}
