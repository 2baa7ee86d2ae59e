import { serviceInactive } from '../../services/service-inactive.js'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Database, Sql } from '../../../platform/db/database.js'
import { BadUserInput, Unavailable, Unprocessable } from '../../../platform/errors.js'
import { isAbsent, parseInteger } from '../../../platform/input.js'
import { dueNowSql, type Pulse } from '../../../platform/jobs/pulse.js'
import type { JsonObject } from '../../../platform/json.js'
import type { Service } from '../../services/service.js'
import { newestMessageIds } from '../delivery-store.js'
import { envelopeBody, type Address } from '../envelope.js'
import { bodyForReader } from '../reader-view.js'
import type { ServiceHints } from '../taking/service-hints.js'
import { WaitingTakes, type WaitingTake } from '../taking/waiting-takes.js'
import { eventsFitting } from '../webhook-events.js'
import { parsePatterns } from '../webhook-params.js'
import { beginFeed } from './feed-kind.js'
import { beginningOf, isBefore, readFeedCursor, writeFeedCursor, type FeedCursor } from './feed-position.js'
import {
  followsSql,
  hasEventAt,
  positionBefore,
  readEventSources,
  readFeed,
  scanEvents,
  type EventSource,
  type KeptEvent,
  type StoredFeed,
} from './feed-store.js'
import { keptFrom } from './feed-upkeep.js'

/** An event as a reader of a feed gets it. */
export interface FeedEvent {
  id: string
  event: string
  at: Date
  cursor: string
  payload: JsonObject
}

export interface FeedPage {
  events: FeedEvent[]
  cursor: string
  hasMore: boolean
}

export interface FeedRequest {
  after?: string | null
  since?: Date | null
  types?: readonly string[] | null
  limit: number
  waitSeconds: number
}

export interface EventFeedsOptions extends Address {
  database: Database
  clock: Clock
  hints: ServiceHints
  pulse: Pulse
  eventRetentionDays: number
}

/** The most events that one answer has. */
export const FEED_LIMIT_MAX = 500
const WAIT_SECONDS_MAX = 25
/** Payloads of one answer, beyond the first event: the others are in the next. */
const ANSWER_CHARS_MAX = 4 * 1_048_576
/** Events that are looked at for some of the types, and how often in one answer. */
const SCAN = 5_000
const SCANS_MAX = 20
/** Events whose payloads are made at once. */
const PAYLOADS_AT_ONCE = 50
/** Time until a read looks again for what an older transaction holds back. */
const HELD_MS = 100

/** The beginning of a read: a cursor, a time, or neither. */
interface Start {
  after: string | null
  since: Date | null
}

/**
 * Reads the events that were kept for services of type `feed`: every one of them, in an order that keeps that of each
 * conversation, from a cursor on. Nothing is noted of who has read what, so any number of readers share a feed. A read that waits
 * is called by hints of the commits of all nodes, and without Redis by the pulse.
 */
export class EventFeeds {
  readonly #waiting = new WaitingTakes('reads')

  constructor(private readonly options: EventFeedsOptions) {
    const { hints, pulse } = options
    hints.hear((service) => this.#waiting.callAll(service))
    pulse.add({
      dueSql: ({ now, value }) => {
        const column = (key: 'feed' | 'xid' | 'number'): string =>
          value(() => this.#waiting.positions.map((at) => at[key]))
        return dueNowSql(followsSql(column('feed'), column('xid'), column('number')), now)
      },
      onDue: () => {
        for (const service of this.#waiting.services) this.#waiting.callAll(service)
      },
    })
  }

  /** Number of reads that wait on this node. */
  get waiting(): number {
    return this.#waiting.count
  }

  /**
   * Returns the events that follow; waits for some if there are none.
   * @throws BadUserInput; Unprocessable for a cursor or a time of which something is missing, and for an inactive service;
   *   RateLimited
   */
  async read(ctx: Context, service: Service, request: FeedRequest): Promise<FeedPage> {
    const limit = parseInteger(request.limit, 'limit', 1, FEED_LIMIT_MAX)
    const waitSeconds = parseInteger(request.waitSeconds, 'waitSeconds', 0, WAIT_SECONDS_MAX)
    const { after = null, since = null, types = null } = request
    if (after !== null && since !== null) {
      throw new BadUserInput('since', 'since and after exclude each other: give one of them')
    }
    if (types !== null) parsePatterns(types, 'types')
    const names = types === null ? null : eventsFitting(types)
    if (service.status !== 'active') throw serviceInactive(service)
    const until = performance.now() + waitSeconds * 1_000
    return this.#waiting.during(ctx, { service: service.id, isWaiting: waitSeconds > 0 }, async (waiting) => {
      let start: Start = { after, since }
      for (let scans = 1; ; scans++) {
        const { isHeld, ...page } = await this.#read(ctx, service, { start, names, limit, waiting })
        const leftMs = until - performance.now()
        if (page.events.length > 0 || waiting.isEnded || leftMs <= 0 || scans === SCANS_MAX) return page
        start = { after: page.cursor, since: null }
        if (!page.hasMore) {
          scans = 0
          await ctx.waitFor(() => waiting.called(isHeld ? Math.min(leftMs, HELD_MS) : leftMs))
        }
      }
    })
  }

  /** Ends all reads that wait. */
  drain(): void {
    this.#waiting.drain()
  }

  async #read(
    ctx: Context,
    service: Service,
    request: { start: Start; names: readonly string[] | null; limit: number; waiting: WaitingTake },
  ): Promise<FeedPage & { isHeld: boolean }> {
    const { names, limit } = request
    await this.#begin(ctx, service)
    return ctx.reads.snapshot(async (sql) => {
      const feed = await this.#feedOf(sql, service)
      const after = await this.#startOf(sql, ctx, feed, request.start)
      const scan = names === null ? limit + 1 : SCAN
      const scanned = await scanEvents(sql, { after, settled: feed.settled, scan, limit: limit + 1, names })
      const found = scanned.found.slice(0, limit)
      const events = await this.#eventsOf(sql, service, feed, found)
      const isCut = events.length < scanned.found.length
      const last = isCut ? found[events.length - 1]! : scanned.last
      const end = last ? positionOf(feed, last) : after
      request.waiting.position = end
      const hasMore = isCut || scanned.count === scan
      return { events, cursor: writeFeedCursor(end), hasMore, isHeld: scanned.isHeld }
    }, 'event-feed')
  }

  /** A feed begins when writers have passed: with its service, or if they took too long with the first read. */
  async #begin(ctx: Context, { id }: Service): Promise<void> {
    const feed = await readFeed(ctx.reads, id)
    if (!feed || feed.begunAt) return
    const { database, clock } = this.options
    if (!(await beginFeed(database, clock, id))) throw new Unavailable('the feed begins in a moment')
  }

  async #feedOf(sql: Sql, { id }: Service): Promise<StoredFeed & { begunAt: Date }> {
    const feed = await readFeed(sql, id)
    // Until the service has another type, or is deleted, all at once.
    if (!feed?.begunAt) throw new Unavailable(`the feed of service ${id} changes at this moment`)
    if (feed.isOther) throw new Unavailable('the database was restored, and its feeds are put in order')
    return { ...feed, begunAt: feed.begunAt }
  }

  /** @throws BadUserInput; Unprocessable if something is missing after the start */
  async #startOf(
    sql: Sql,
    ctx: Context,
    feed: StoredFeed & { begunAt: Date },
    { after, since }: Start,
  ): Promise<FeedCursor> {
    const beginning = feed.expired ?? beginningOf(feed.id)
    if (after !== null) return checkCursor(sql, feed, readFeedCursor(after, 'after'))
    if (isAbsent(since)) return beginning
    const from = keptFrom(ctx.now(), this.options.eventRetentionDays)
    const keptSince = feed.begunAt > from ? feed.begunAt : from
    if (since < keptSince) {
      const why = keptSince === feed.begunAt ? 'the feed began then' : 'earlier ones have expired'
      throw new Unprocessable(
        `since ${since.toISOString()}: events are kept since ${keptSince.toISOString()}, as ${why}; begin there, or without since`,
        { reason: 'EVENTS_GONE', field: 'since', keptSince: keptSince.toISOString() },
      )
    }
    return (await positionBefore(sql, feed, since)) ?? beginning
  }

  /** @returns the first of them, as many as one answer has room for */
  async #eventsOf(sql: Sql, service: Service, feed: StoredFeed, found: readonly KeptEvent[]): Promise<FeedEvent[]> {
    const events: FeedEvent[] = []
    let chars = 0
    for (let from = 0; from < found.length && chars <= ANSWER_CHARS_MAX; from += PAYLOADS_AT_ONCE) {
      const some = found.slice(from, from + PAYLOADS_AT_ONCE)
      const sources = await readEventSources(
        sql,
        some.map(({ event }) => event),
      )
      const bodies = await Promise.all(some.map(({ event }) => this.#bodyOf(sql, service, sources.get(event))))
      for (const [index, body] of bodies.entries()) {
        if (chars > ANSWER_CHARS_MAX) break
        const { event: id } = some[index]!
        // It has left the log since the feed was pruned.
        if (body === null) throw gone('the next event')
        chars += body.length
        const { event, at } = sources.get(id)!
        const cursor = writeFeedCursor(positionOf(feed, some[index]!))
        events.push({ id, event, at, cursor, payload: JSON.parse(body) as JsonObject })
      }
    }
    return events
  }

  /** Returns what a webhook of the service's organization would be sent; null if the event is no longer in the log. */
  async #bodyOf(sql: Sql, { organizationId }: Service, source: EventSource | undefined): Promise<string | null> {
    if (!source || (source.body === null && source.data === null)) return null
    const { publicUrl, links } = this.options
    const { id, event, at, organizationId: organization, conversationId: conversation, context, data } = source
    const body =
      source.body ??
      envelopeBody(
        {
          ...{ id, event, at, organization, conversation, data: data!, context },
          messages: await newestMessageIds(sql, context?.conversation ?? null),
        },
        { publicUrl, links },
      )
    return bodyForReader(body, organizationId)
  }
}

const positionOf = ({ id: feed }: StoredFeed, kept: KeptEvent): FeedCursor => ({ feed, ...kept })

const HOW = 'begin anew with since, the time of the last event that you have, or without a cursor'

function gone(what: string): Unprocessable {
  return new Unprocessable(`${what} is older than what is kept, and events after it are gone: ${HOW}`, {
    reason: 'EVENTS_GONE',
    field: 'after',
  })
}

/**
 * A cursor is believed if its event stands where it says, or was the last that expired. That shows a restored database, too:
 * after the last event that both have, others follow.
 */
async function checkCursor(sql: Sql, feed: StoredFeed, cursor: FeedCursor): Promise<FeedCursor> {
  const { expired } = feed
  const isOwn = cursor.feed === feed.id
  if (isOwn && cursor.event === null) {
    if (expired) throw gone('the cursor')
    return cursor
  }
  if (isOwn && ((await hasEventAt(sql, cursor)) || isSame(cursor, expired))) return cursor
  if (isOwn && expired && isBefore(cursor, expired)) throw gone('the cursor')
  throw new Unprocessable(
    `the cursor is of another feed, or of events that this one does not have: it was switched off and on, or the database was restored. ${HOW}`,
    { reason: 'CURSOR_UNKNOWN', field: 'after' },
  )
}

function isSame(one: FeedCursor, other: FeedCursor | null): boolean {
  return one.xid === other?.xid && one.number === other.number && one.event === other.event
}
