import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import { LeftPlace } from '../../platform/fairness/left-place.js'
import { systemShare } from '../../platform/fairness/share.js'
import { deliverPartition, type DeliveryDependencies } from './deliver-partition.js'
import {
  dueDeliveriesSql,
  releaseDeadRunnerLeases,
  partitionKey,
  leasePartitions,
  releasePartition,
  renewLeases,
  type LeasedPartition,
} from './delivery-store.js'
import { checkAddress, leaseChecks, type DueCheck } from './handshake.js'
import { LEASE_MS, LeasePoller } from '../../platform/jobs/lease-poller.js'
import type { Pulse } from '../../platform/jobs/pulse.js'
import type { RunnerSession, RunnerSessions } from '../../platform/jobs/runner-session.js'

export interface DeliveryRunnerOptions extends DeliveryDependencies {
  database: Database
  /** Places of deliveries that read or record. */
  places: FairQueue
  sessions: RunnerSessions
  /** Says when something is due while nothing happens here; absent: it looks by itself, twice a second. */
  pulse?: Pulse | undefined
  clock: Clock
  log: Logger
  /** Creates a context that sees every tenant, one per turn of a partition. */
  systemContext: (requestId: string) => Context
  /** Tells whether rules and messages are delayed: they have priority over deliveries. */
  isServerBehind: () => boolean
}

/** Partitions of one webhook being delivered at once. */
const PER_ENDPOINT = 8
const PER_ENDPOINT_WHEN_BEHIND = 1
/** Partitions being delivered on this node: a few slow endpoints cannot use them all. */
const PARTITIONS_MAX = 256
const CHECKS_MAX = 16
/** Delay after an error on our side, such as an unavailable database. */
const ERROR_DELAY_MS = 1_000

/**
 * Makes due deliveries and handshakes; any number of nodes share the work. Separate from the server's jobs, so that
 * slow receivers cannot delay rules or messages.
 */
export class DeliveryRunner {
  readonly #partitions = new Map<string, LeasedPartition & { until: Date }>()
  readonly #working = new Set<Promise<void>>()
  readonly #checking = new Map<string, DueCheck>()
  readonly #poller: LeasePoller

  constructor(private readonly options: DeliveryRunnerOptions) {
    this.#poller = new LeasePoller({
      clock: options.clock,
      log: options.log,
      subject: 'due webhook deliveries',
      lease: () => this.#lease(),
      renew: () => this.#renew(),
      releaseDead: () => releaseDeadRunnerLeases(options.database.asyncCommit),
      rests: options.pulse !== undefined,
    })
    options.pulse?.add({
      dueSql: ({ now, until }) => dueDeliveriesSql(now, until),
      onDue: (inMs) => this.#poller.nudge(inMs),
    })
  }

  start(): void {
    this.#poller.start()
  }

  /**
   * Waits for running deliveries to end, for at most `graceMs`; other nodes take the rest once the session is closed.
   */
  async stop(graceMs = 3_000): Promise<void> {
    await this.#poller.stop(() => this.#working, graceMs)
    this.options.http.close()
    await Promise.allSettled(this.#working)
  }

  /** Must be called when deliveries or handshakes may be due. */
  wake(): void {
    this.#poller.wake()
  }

  async #lease(): Promise<boolean> {
    const { database, clock, sessions, isServerBehind } = this.options
    const perEndpoint = isServerBehind() ? PER_ENDPOINT_WHEN_BEHIND : PER_ENDPOINT
    const session = await sessions.current()
    const now = clock.now()
    const room = PARTITIONS_MAX - this.#partitions.size
    const until = new Date(now.getTime() + LEASE_MS)
    const [partitions, checks] = await Promise.all([
      room > 0
        ? leasePartitions(database.asyncCommit, {
            runner: session.runner,
            now,
            until,
            perEndpoint,
            limit: room,
            running: [...this.#partitions.values()],
          })
        : [],
      this.#checking.size < CHECKS_MAX
        ? leaseChecks(database, now, CHECKS_MAX - this.#checking.size, [...this.#checking.values()])
        : [],
    ])
    for (const partition of partitions) this.#track(this.#deliver(partition, session, until))
    for (const check of checks) this.#track(this.#check(check))
    // Each that ends looks for more.
    return false
  }

  #track(work: Promise<void>): void {
    this.#working.add(work)
    void work.finally(() => {
      this.#working.delete(work)
      this.wake()
    })
  }

  async #deliver(partition: LeasedPartition, session: RunnerSession, until: Date): Promise<void> {
    const key = partitionKey(partition)
    const held = { ...partition, until }
    this.#partitions.set(key, held)
    const { runner } = session
    const { clock, database, log, systemContext } = this.options
    const isHeld = (): boolean => !this.#poller.isStopped && session.isAlive && held.until > clock.now()
    try {
      const place = new LeftPlace(
        this.options.places,
        systemShare([partition.org1, partition.organizationId], 'webhooks'),
      )
      const whileWaiting = <T>(wait: () => Promise<T>): Promise<T> => place.outside(wait)
      const ctx = systemContext(`webhook ${key}`)
      await place.run(() => deliverPartition(this.options, ctx, { ...partition, runner, isHeld, whileWaiting }))
    } catch (error) {
      log.error(
        { err: error, webhook: partition.serviceId, partition: partition.partition },
        'webhook delivery failed unexpectedly',
      )
      const dueAt = new Date(clock.now().getTime() + ERROR_DELAY_MS)
      await releasePartition(database.asyncCommit, partition, runner, dueAt).catch(() => undefined)
    } finally {
      this.#partitions.delete(key)
    }
  }

  async #check(check: DueCheck): Promise<void> {
    this.#checking.set(check.serviceId, check)
    try {
      await checkAddress(this.options, this.options.systemContext(`webhook ${check.serviceId}`), check)
    } catch (error) {
      this.options.log.warn({ err: error, webhook: check.serviceId }, 'webhook handshake failed unexpectedly')
    } finally {
      this.#checking.delete(check.serviceId)
    }
  }

  async #renew(): Promise<void> {
    const held = [...this.#partitions.values()]
    if (held.length === 0) return
    const until = new Date(this.options.clock.now().getTime() + LEASE_MS)
    // Uses the connection that holds the lock: if that is lost, the leases must not be renewed.
    const session = await this.options.sessions.current()
    await renewLeases(session, session.runner, held, until)
    for (const partition of held) partition.until = until
  }
}
