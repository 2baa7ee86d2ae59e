import { serviceInactive } from '../../services/service-inactive.js'
import { shareOfCaller, type Context } from '../../../platform/context.js'
import { isId, type Clock } from '../../../platform/db/clock.js'
import type { Database, Sql } from '../../../platform/db/database.js'
import { BadUserInput } from '../../../platform/errors.js'
import type { FairQueue } from '../../../platform/fairness/fair-queue.js'
import { parseInteger, parseList } from '../../../platform/input.js'
import type { Pulse } from '../../../platform/jobs/pulse.js'
import type { JsonObject } from '../../../platform/json.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { retryDelayMs } from '../../../platform/outbound/retries.js'
import type { Service } from '../../services/service.js'
import { recordGivenUp } from '../attempt-store.js'
import { deliveryBody, type BodyDependencies } from '../delivery-body.js'
import { RedactedMeanwhile } from '../delivery-store.js'
import {
  dueEventsSql,
  findEvents,
  leaseEvents,
  readTaken,
  recordAcknowledged,
  recordGivenBack,
  servicesWithEvents,
  TAKE_MAX,
  type NamedEvent,
  type TakenEvent,
} from './take-store.js'
import type { ServiceHints } from './service-hints.js'
import { WaitingTakes, type WaitingTake } from './waiting-takes.js'

/** An event as a consumer takes it. */
export interface EventDelivery {
  id: string
  event: string
  at: Date
  payload: JsonObject
  attempt: number
}

export interface EventTakesOptions extends BodyDependencies {
  database: Database
  hints: ServiceHints
  clock: Clock
  pulse: Pulse
  /** Schedules the takes of callers; one that waits has no place. */
  shares: FairQueue
}

const LEASE_MS = 60_000
const WAIT_SECONDS_MAX = 25
/** Payloads of one answer, beyond the first: the other events are given back. */
const ANSWER_CHARS_MAX = 4 * 1_048_576
/** Redactions of one event during a take. */
const READ_AGAIN_MAX = 5

/**
 * Gives consumers the events that were recorded for services of type `events`: at least once, those of each partition in
 * order. What is taken is leased for a minute; the next of its partition follow once all of it was acknowledged or given back,
 * or the lease has ended. A take that waits is called by hints of the commits of all nodes, and without Redis by the pulse.
 */
export class EventTakes {
  readonly #waiting = new WaitingTakes('takes')

  constructor(private readonly options: EventTakesOptions) {
    const { hints, pulse, database, clock } = options
    hints.hear((service) => this.#waiting.call(service))
    pulse.add({
      dueSql: ({ now, until, value }) =>
        dueEventsSql(
          value(() => this.#waiting.services),
          now,
          until,
        ),
      onDue: (inMs) => {
        const { services } = this.#waiting
        if (services.length === 0) return
        const call = async (): Promise<void> => {
          for (const service of await servicesWithEvents(database, services, clock.now())) this.#waiting.call(service)
        }
        // If it fails, the next pulse calls them.
        setTimeout(() => void call().catch(() => undefined), inMs).unref()
      },
    })
  }

  /** Number of takes that wait on this node. */
  get waiting(): number {
    return this.#waiting.count
  }

  /**
   * Leases events for the caller; waits for some if there are none.
   * @throws BadUserInput; Unprocessable for an inactive service; RateLimited
   */
  async take(ctx: Context, service: Service, given: { max: number; waitSeconds: number }): Promise<EventDelivery[]> {
    const max = parseInteger(given.max, 'max', 1, TAKE_MAX)
    const waitSeconds = parseInteger(given.waitSeconds, 'waitSeconds', 0, WAIT_SECONDS_MAX)
    if (service.status !== 'active') throw serviceInactive(service)
    const until = performance.now() + waitSeconds * 1_000
    return this.#waiting.during(ctx, { service: service.id, isWaiting: waitSeconds > 0 }, async (waiting) => {
      for (;;) {
        if (waiting.isEnded) return []
        const taken = await this.#takeNow(ctx, service, max, waiting)
        const leftMs = until - performance.now()
        if (taken.length > 0 || leftMs <= 0) return taken
        await waiting.called(leftMs)
      }
    })
  }

  /** Marks events as delivered. @returns how many were waiting @throws NotFound naming one that is not the service's */
  async acknowledge(ctx: Context, service: Service, ids: readonly string[]): Promise<number> {
    return this.#inTurn(ctx, async () => {
      const events = await this.#find(service, ids)
      return this.#end(service, (sql) => recordAcknowledged(sql, { service: service.id, events, now: ctx.now() }))
    })
  }

  /**
   * Gives events back that were not handled: they come again, ahead of the later ones of their conversations, in a second at
   * first, then less and less often. What somebody else has taken since stays theirs: nothing tells them that it comes again.
   * @param attempts of each, as they were taken @returns how many @throws BadUserInput; NotFound
   */
  async retry(
    ctx: Context,
    service: Service,
    { ids, attempts }: { ids: readonly string[]; attempts: readonly number[] },
  ): Promise<number> {
    parseList(ids, 'ids', TAKE_MAX)
    parseList(attempts, 'attempts', TAKE_MAX)
    if (attempts.length !== ids.length)
      throw new BadUserInput('attempts', `attempts has ${attempts.length} numbers for ${ids.length} ids: one for each`)
    return this.#inTurn(ctx, async () => {
      const taken = new Map(ids.map((id, index) => [id.toLowerCase(), attempts[index]!]))
      const found = await this.#find(service, ids)
      const events = found.filter((each) => each.attempts === taken.get(each.eventId))
      if (events.length === 0) return 0
      return this.#giveBack(ctx, service, events, retryDelayMs(Math.max(1, ...events.map((each) => each.attempts))))
    })
  }

  /** Ends all takes that wait. */
  drain(): void {
    this.#waiting.drain()
  }

  async #takeNow(ctx: Context, service: Service, max: number, waiting: WaitingTake): Promise<EventDelivery[]> {
    const leased = await this.#inTurn(ctx, () => this.#lease(ctx, service, max))
    if (leased.length === 0) return []
    // There may be something for the next one, too.
    this.#waiting.call(service.id)
    const taken: EventDelivery[] = []
    const left: TakenEvent[] = []
    let chars = 0
    for (const each of leased) {
      if (waiting.isEnded || chars > ANSWER_CHARS_MAX) {
        left.push(each)
        continue
      }
      const body = await this.#bodyOf(ctx, service, each)
      if (body === null) {
        await recordGivenUp(this.options.database, each.id, 'the event is no longer in the log', ctx.now())
        left.push(each)
        continue
      }
      chars += body.length
      const { eventId: id, event, at, attempts: attempt } = each
      taken.push({ id, event, at, payload: JSON.parse(body) as JsonObject, attempt })
    }
    const givenBack = waiting.isEnded ? leased : left
    if (givenBack.length > 0) await this.#giveBack(ctx, service, givenBack, 0)
    return waiting.isEnded ? [] : taken
  }

  #inTurn<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
    return this.options.shares.run(shareOfCaller(ctx.caller), work)
  }

  async #lease(ctx: Context, service: Service, max: number): Promise<TakenEvent[]> {
    const { database } = this.options
    const now = ctx.now()
    const lease = { service: service.id, now, until: new Date(now.getTime() + LEASE_MS), max }
    // A lease that is lost with its transaction is another consumer's.
    const ids = await database.sqlTransaction((sql) => leaseEvents(sql, lease), { isUnsynced: true })
    return ids.length > 0 ? readTaken(database, ids) : []
  }

  /** Returns null if the event is no longer in the log. */
  async #bodyOf(ctx: Context, { organizationId: owner, params }: Service, taken: TakenEvent): Promise<string | null> {
    let source: TakenEvent | undefined = taken
    for (let tries = 1; source; tries++) {
      try {
        return await deliveryBody(this.options, ctx, source, { owner, params })
      } catch (error) {
        if (!(error instanceof RedactedMeanwhile) || tries === READ_AGAIN_MAX) throw error
        source = (await readTaken(this.options.database, [taken.id]))[0]
      }
    }
    return null
  }

  async #giveBack(ctx: Context, service: Service, events: readonly NamedEvent[], delayMs: number): Promise<number> {
    const now = ctx.now()
    const held = { service: service.id, events, now }
    const dueAt = new Date(now.getTime() + delayMs)
    return this.#end(service, (sql) => recordGivenBack(sql, held, dueAt))
  }

  async #end(service: Service, work: (sql: Sql) => Promise<{ count: number; hasMore: boolean }>): Promise<number> {
    const { count, hasMore } = await this.options.database.sqlTransaction(work)
    if (hasMore) this.options.hints.tell([service.id])
    return count
  }

  /** @throws BadUserInput; NotFound naming the first that was not recorded for the service */
  async #find(service: Service, ids: readonly string[]): Promise<NamedEvent[]> {
    parseList(ids, 'ids', TAKE_MAX)
    if (ids.length === 0) throw new BadUserInput('ids', 'ids is empty: name the events that you were given')
    const found = await findEvents(this.options.database, service.id, ids.filter(isId))
    const known = new Set(found.map(({ eventId }) => eventId))
    for (const [index, id] of ids.entries())
      if (!known.has(id.toLowerCase())) throw recordNotFound('Event', id, `ids[${index}]`)
    return found
  }
}
