import type { Logger } from 'pino'
import type { Context } from '../context.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import { deliverLane, type DeliveryDependencies } from './deliver-partition.js'
import {
  releaseDeadRunnerLeases,
  laneKey,
  leaseLanes,
  releaseLane,
  renewLeases,
  type LaneLease,
} from './delivery-store.js'
import { checkAddress, leaseChecks, type DueCheck } from './handshake.js'
import type { RunnerSession, RunnerSessions } from '../jobs/runner-session.js'

export interface DeliveryRunnerOptions extends DeliveryDependencies {
  database: Database
  sessions: RunnerSessions
  clock: Clock
  log: Logger
  /** A context that sees every tenant, one for each lane's turn. */
  systemContext: (requestId: string) => Context
  /** Whether rules and messages are late: telling of what happened comes after what has to happen. */
  isServerBehind: () => boolean
}

/** Lanes of one webhook under way at once. */
const PER_ENDPOINT = 8
const PER_ENDPOINT_WHEN_BEHIND = 1
/** Lanes under way on this node: a few slow endpoints do not fill it. */
const LANES_MAX = 256
const CHECKS_MAX = 16
/** A runner that hangs holds its lanes this long; renewed while they are under way. One that dies frees them. */
const LEASE_MS = 10_000
const DEATH_CHECK_MS = 1_000
const RENEW_MS = 3_000
/** What other nodes add is seen this often at the latest; our own wakes the runner at once. */
const POLL_MS = 500
/** After an error of ours, such as a database that is away. */
const ERROR_DELAY_MS = 1_000

/**
 * Delivers what is due, and asks addresses for their handshake; any number of nodes share the work. Apart from the jobs
 * of the server, so that no slow receiver holds back a rule or a message.
 */
export class DeliveryRunner {
  readonly #lanes = new Map<string, LaneLease & { until: Date }>()
  readonly #working = new Set<Promise<void>>()
  readonly #checking = new Set<string>()
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = true
  #timer: NodeJS.Timeout | null = null
  #renewal: NodeJS.Timeout | null = null
  #deathCheckAt = 0

  constructor(private readonly options: DeliveryRunnerOptions) {}

  start(): void {
    this.#stopped = false
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS)
    this.#renewal.unref()
    this.wake()
  }

  /** Lets what is under way end, for at most `graceMs`; the rest is free for others once the session is closed. */
  async stop(graceMs = 3_000): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#claiming
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([Promise.allSettled(this.#working), grace])
    if (this.#renewal) clearInterval(this.#renewal)
    this.options.http.close()
    await Promise.allSettled(this.#working)
  }

  /** Call when deliveries or handshakes may be due. */
  wake(): void {
    if (this.#stopped) return
    if (this.#claiming) this.#again = true
    else this.#claiming = this.#claim()
  }

  async #claim(): Promise<void> {
    try {
      do {
        this.#again = false
        await this.#lease()
      } while (this.#again && !this.#stopped)
    } catch (error) {
      this.options.log.warn({ err: error }, 'could not look for webhook deliveries')
    } finally {
      this.#claiming = null
      if (this.#timer) clearTimeout(this.#timer)
      if (!this.#stopped) {
        this.#timer = setTimeout(() => this.wake(), POLL_MS)
        this.#timer.unref()
      }
    }
  }

  async #lease(): Promise<void> {
    const { database, clock, sessions, isServerBehind } = this.options
    const perEndpoint = isServerBehind() ? PER_ENDPOINT_WHEN_BEHIND : PER_ENDPOINT
    const session = await sessions.current()
    await this.#releaseDeadRunnerLeases()
    const now = clock.now()
    const room = LANES_MAX - this.#lanes.size
    const until = new Date(now.getTime() + LEASE_MS)
    const [lanes, checks] = await Promise.all([
      room > 0
        ? leaseLanes(database.asyncCommit, {
            runner: session.runner,
            now,
            until,
            perEndpoint,
            limit: room,
            running: [...this.#lanes.keys()],
          })
        : [],
      this.#checking.size < CHECKS_MAX ? leaseChecks(database, now, CHECKS_MAX - this.#checking.size) : [],
    ])
    for (const lane of lanes) this.#track(this.#deliver(lane, session, until))
    for (const check of checks) this.#track(this.#check(check))
  }

  async #releaseDeadRunnerLeases(): Promise<void> {
    // By the time that passes: a clock that stands still must not keep the dead alive.
    const now = performance.now()
    if (now < this.#deathCheckAt) return
    this.#deathCheckAt = now + DEATH_CHECK_MS
    await releaseDeadRunnerLeases(this.options.database.asyncCommit)
  }

  #track(work: Promise<void>): void {
    this.#working.add(work)
    void work.finally(() => {
      this.#working.delete(work)
      this.wake()
    })
  }

  async #deliver(lane: LaneLease, session: RunnerSession, until: Date): Promise<void> {
    const key = laneKey(lane)
    const held = { ...lane, until }
    this.#lanes.set(key, held)
    const { runner } = session
    const { clock, database, log, systemContext } = this.options
    const isHeld = (): boolean => !this.#stopped && session.isAlive && held.until > clock.now()
    try {
      await deliverLane(this.options, systemContext(`webhook ${key}`), { ...lane, runner, isHeld })
    } catch (error) {
      log.error({ err: error, webhook: lane.serviceId, lane: lane.lane }, 'a webhook delivery broke off')
      const dueAt = new Date(clock.now().getTime() + ERROR_DELAY_MS)
      await releaseLane(database.asyncCommit, lane, runner, dueAt).catch(() => undefined)
    } finally {
      this.#lanes.delete(key)
    }
  }

  async #check(check: DueCheck): Promise<void> {
    this.#checking.add(check.serviceId)
    try {
      await checkAddress(this.options, this.options.systemContext(`webhook ${check.serviceId}`), check)
    } catch (error) {
      this.options.log.warn({ err: error, webhook: check.serviceId }, 'a webhook handshake broke off')
    } finally {
      this.#checking.delete(check.serviceId)
    }
  }

  async #renew(): Promise<void> {
    const held = [...this.#lanes.values()]
    if (held.length === 0) return
    const until = new Date(this.options.clock.now().getTime() + LEASE_MS)
    try {
      // By the connection that holds the lock: who is not heard there must not believe to hold anything.
      const session = await this.options.sessions.current()
      await renewLeases(session, session.runner, held, until)
      for (const lane of held) lane.until = until
    } catch (error) {
      this.options.log.warn({ err: error }, 'could not renew the webhook leases')
    }
  }
}
