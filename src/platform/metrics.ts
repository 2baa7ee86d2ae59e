import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { RecentKeys } from './recent-keys.js'

interface WatchedReplicas {
  readonly all: readonly { readonly name: string; readonly lagMs: number }[]
  readonly counts: Readonly<Record<'replica' | 'primary', number>>
}

/** A minute's waits are shown, as an operator's graph reads them. */
const WAITS_WINDOW_MS = 60_000
/** Tenants that are shown, so that no number of them makes more series. */
const WAITS_SHOWN_MAX = 10

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of the process: collected once, since what observes it is never let go, with all that it refers to. */
let ofProcess: Registry | undefined

function metricsOfProcess(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** Metrics for operators, in the text format of Prometheus. One instance per server: several can share a process. */
export class Metrics {
  readonly registry = new Registry()

  readonly httpDuration = new Histogram({
    name: 'switchboard_http_request_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  })

  readonly commitToDelivery = new Histogram({
    name: 'switchboard_commit_to_delivery_seconds',
    help: "Time from an event's own time to its frames being written to the sockets of this node.",
    buckets: SECONDS,
    registers: [this.registry],
  })

  readonly queueWait = new Histogram({
    name: 'switchboard_queue_wait_seconds',
    help: 'Time from the queueing of a conversation to the agent who accepts it.',
    buckets: [1, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400],
    registers: [this.registry],
  })

  readonly offers = new Counter({
    name: 'switchboard_offers_total',
    help: 'Conversations that this node offered or assigned to agents.',
    registers: [this.registry],
  })

  readonly routing = new Histogram({
    name: 'switchboard_routing_seconds',
    help: 'Time from the queueing of a conversation to the routing decision, while the conversation is locked.',
    labelNames: ['by'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  })

  readonly commits = new Histogram({
    name: 'switchboard_commit_seconds',
    help: "Duration of this node's probing commit, of which there is one per second.",
    buckets: SECONDS,
    registers: [this.registry],
  })

  readonly countedAlone = this.#counter(
    'counted_alone_total',
    'Times that this node counted for itself against a limit of all nodes, since Redis gave no answer.',
  )

  readonly outage = this.#counter('database_outage_seconds_total', 'Time in which the database took no writes.')

  /** `history`: another history of the database; `cursor`: one that cannot be continued; `delivery`: a failed delivery. */
  readonly resyncs = new Counter({
    name: 'switchboard_resyncs_total',
    help: 'Subscriptions whose state was replaced by a snapshot, by cause.',
    labelNames: ['cause'] as const,
    registers: [this.registry],
  })

  readonly socketCloses = new Counter({
    name: 'switchboard_socket_closes_total',
    help: 'Closed WebSockets, by close code.',
    labelNames: ['code'] as const,
    registers: [this.registry],
  })

  readonly eventsExpired = this.#counter(
    'events_expired_total',
    'Events for services of type events that nobody acknowledged in time.',
  )

  readonly lateHints = this.#counter(
    'late_hints_total',
    'Streams that the periodic check found behind: hints of other nodes were lost, or late.',
  )

  readonly jobLateness = new Histogram({
    name: 'switchboard_job_lateness_seconds',
    help: "Delay of a job's start.",
    labelNames: ['kind'] as const,
    buckets: [...SECONDS, 30, 60, 300],
    registers: [this.registry],
  })

  readonly serviceChecks = new Counter({
    name: 'switchboard_service_checks_total',
    help: 'Checks of services that are ways to the consumer, by type and outcome.',
    labelNames: ['type', 'outcome'] as const,
    registers: [this.registry],
  })

  readonly pushes = new Counter({
    name: 'switchboard_pushes_total',
    help: 'Answers of push services to notifications of browsers, by HTTP status.',
    labelNames: ['status'] as const,
    registers: [this.registry],
  })

  readonly #shareWait = new Histogram({
    name: 'switchboard_share_wait_seconds',
    help: "Time that callers' requests wait in the fair queue.",
    labelNames: ['share'] as const,
    buckets: [...SECONDS, 30],
    registers: [this.registry],
  })

  readonly #tenantWaits = new Map<string, RecentKeys>()

  readonly guestMessages = this.#counter('guest_messages_total', 'Accepted messages of guests.')
  readonly guestUploadBytes = this.#counter('guest_upload_bytes_total', 'Accepted bytes of guest uploads.')

  readonly policyReports = new Counter({
    name: 'switchboard_policy_reports_total',
    help: "Reports of browsers on what a page's content security policy refused, by directive.",
    labelNames: ['directive'] as const,
    registers: [this.registry],
  })

  readonly guestRefusals = new Counter({
    name: 'switchboard_guest_refusals_total',
    help: 'Refused requests of guests, by limit.',
    labelNames: ['what', 'whose'] as const,
    registers: [this.registry],
  })

  constructor() {
    metricsOfProcess()
    this.#showTenantWaits()
  }

  /** All metrics of this server, and those of the process that it shares with others. */
  text(): Promise<string> {
    return Registry.merge([metricsOfProcess(), this.registry]).metrics()
  }

  /** @returns the duration and tenant of each wait, by name */
  waitsOf(share: string): (ms: number, tenant: string) => void {
    const wait = this.#shareWait.labels({ share })
    const tenants = new RecentKeys(WAITS_WINDOW_MS)
    this.#tenantWaits.set(share, tenants)
    return (ms, tenant) => {
      wait.observe(ms / 1_000)
      tenants.note(tenant, ms)
    }
  }

  /**
   * Shows the tenants that waited longest only: a label for each of thousands would be a burden to whoever collects
   * them.
   */
  #showTenantWaits(): void {
    const shares = this.#tenantWaits
    this.registry.registerMetric(
      new Gauge({
        name: 'switchboard_tenant_wait_seconds',
        help: 'The longest wait for a turn in the last minute or two, of the ten tenants that waited longest.',
        labelNames: ['share', 'tenant'] as const,
        registers: [],
        collect() {
          this.reset()
          for (const [share, waits] of shares)
            for (const [tenant, ms] of waits.largest(WAITS_SHOWN_MAX)) this.set({ share, tenant }, ms / 1_000)
        },
      }),
    )
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name: `switchboard_${name}`, help, registers: [this.registry] })
  }

  /** A gauge that is read when the metrics are collected. */
  gauge(name: string, help: string, read: () => number): void {
    this.registry.registerMetric(
      new Gauge({
        name: `switchboard_${name}`,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      }),
    )
  }

  /** A gauge of one label that is read when the metrics are collected. */
  gaugeBy(
    name: string,
    help: string,
    label: string,
    read: () => Iterable<readonly [value: string, count: number]>,
  ): void {
    this.registry.registerMetric(
      new Gauge({
        name: `switchboard_${name}`,
        help,
        labelNames: [label],
        registers: [],
        collect() {
          this.reset()
          for (const [value, count] of read()) this.set({ [label]: value }, count)
        },
      }),
    )
  }

  /** A histogram that gets the current values each time the metrics are collected. */
  distribution(name: string, help: string, buckets: number[], read: () => Iterable<number>): void {
    this.registry.registerMetric(
      new Histogram({
        name: `switchboard_${name}`,
        help,
        buckets,
        registers: [],
        collect() {
          for (const value of read()) this.observe(value)
        },
      }),
    )
  }

  /** Running and waiting work of a fair queue. */
  watchShares(share: string, queue: { running: number; waiting: number }): void {
    const what = share.replaceAll('_', ' ')
    this.gauge(`${share}_running`, `Running ${what} of callers.`, () => queue.running)
    this.gauge(`${share}_waiting`, `Waiting ${what} of callers.`, () => queue.waiting)
  }

  /** Measures the lag of replicas, and who serves the reads that they may serve. */
  watchReplicas({ all, counts }: WatchedReplicas): void {
    this.registry.registerMetric(
      new Gauge({
        name: 'switchboard_replica_lag_seconds',
        help: 'How far a replica is behind the primary; infinite while it is away.',
        labelNames: ['replica'] as const,
        registers: [],
        collect() {
          for (const { name, lagMs } of all) this.set({ replica: name }, lagMs / 1_000)
        },
      }),
    )
    this.registry.registerMetric(
      new Gauge({
        name: 'switchboard_replica_reads',
        help: 'Reads for which a replica was wanted, by who served them: the primary where none was fresh enough.',
        labelNames: ['by'] as const,
        registers: [],
        collect() {
          for (const by of ['replica', 'primary'] as const) this.set({ by }, counts[by])
        },
      }),
    )
  }

  /** Connections of the database pool. */
  watchPool(pool: { totalCount: number; idleCount: number; waitingCount: number }): void {
    this.gauge('database_connections', 'Open connections of this node.', () => pool.totalCount)
    this.gauge('database_connections_idle', 'Idle connections.', () => pool.idleCount)
    this.gauge('database_waiting', 'Requests waiting for a connection.', () => pool.waitingCount)
  }
}
