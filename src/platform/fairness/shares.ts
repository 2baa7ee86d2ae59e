import type { Metrics } from '../metrics.js'
import { FairQueue, type FairLimits, type FairQueueOptions, type Pause } from './fair-queue.js'
import { CUSTOMER_DEPTH } from './share.js'
import type { WritingAccounts } from './writing-accounts.js'

/** A resource shared among callers and tenants. `/metrics` shows the waits by these names. */
export type ShareName =
  | 'reads'
  | 'long_reads'
  | 'transactions'
  | 'operations'
  | 'subscriptions'
  | 'takes'
  | 'deliveries'
  | 'trials'
  | 'routing_documents'
  | 'reports'
  | 'introspections'
  | 'documents'
  | 'disk_writes'

/** Creates a queue whose waits are measured. */
export function openShares(
  name: ShareName,
  limits: FairLimits,
  metrics: Metrics,
  options: Pick<FairQueueOptions, 'accountMax' | 'pause' | 'mustPause'> = {},
): FairQueue {
  const queue = new FairQueue({ name, limits, observeWait: metrics.waitsOf(name), ...options })
  metrics.watchShares(name, queue)
  return queue
}

/**
 * A tenant gets at most half of the connections, and a caller not all of its tenant's, so that long reads do not block
 * others.
 */
export function readLimits(connections: number): FairLimits {
  const perTenant = Math.max(1, Math.floor(connections / 2))
  return { total: connections, perTenant, perCaller: Math.max(1, perTenant - 1), waitingPerCaller: 2_000 }
}

/** The long reads of an account get this part of a tenant's connections while others write: PostgreSQL has few processors more. */
const LONG_PART = 4

/**
 * Creates the queue of reads that take long. Those of a tenant, a customer, a caller leave PostgreSQL's processors to others
 * of the same level that write; without any, all of a tenant's connections may be used. Those of all tenants never take
 * the connections of short ones.
 */
export function openLongReads(connections: number, metrics: Metrics, writing: WritingAccounts): FairQueue {
  const { perTenant, perCaller, waitingPerCaller } = readLimits(connections)
  const limits = { total: Math.max(1, connections - 2), perTenant, perCaller, waitingPerCaller }
  return openShares('long_reads', limits, metrics, { accountMax: besideOthers(writing, perTenant, LONG_PART) })
}

/** Deliveries of an account get this part of the connections while others write. */
const DELIVERIES_PART = 4

/** While another customer writes they get a quarter of that again: they keep the event loop and PostgreSQL's processors busy too. */
const DELIVERIES_PAUSE: Readonly<Pause> = { factor: 3, msMax: 100 }

/**
 * Creates the queue of webhooks' deliveries, which have a place while they read and record, not while a receiver answers:
 * those of a tenant whose receivers fail by the thousand leave the connections to others that write. Without any, they may use
 * all but two.
 */
export function openDeliveryPlaces(connections: number, metrics: Metrics, writing: WritingAccounts): FairQueue {
  const total = Math.max(1, connections - 2)
  const limits = { total, perTenant: total, perCaller: total, waitingPerCaller: 2_000 }
  return openShares('deliveries', limits, metrics, {
    accountMax: besideOthers(writing, connections, DELIVERIES_PART),
    pause: DELIVERIES_PAUSE,
    mustPause: (account, depth) => depth <= CUSTOMER_DEPTH && writing.hasOther(account, depth),
  })
}

/** Returns a part of the connections for an account while another of its level writes, and all of them else. */
function besideOthers(writing: WritingAccounts, connections: number, part: number): FairQueueOptions['accountMax'] {
  const few = Math.max(1, Math.floor(connections / part))
  return (account, depth) => (writing.hasOther(account, depth) ? few : connections)
}

/**
 * Limits transactions that change resources. Those of one organization wait for each other in its stream: without a
 * limit they would do so on all connections. Two of these are left for conversations and jobs.
 */
export function writeLimits(connections: number): FairLimits {
  const perTenant = Math.max(1, Math.ceil(connections / 3))
  return { total: Math.max(1, connections - 2), perTenant, perCaller: perTenant, waitingPerCaller: 2_000 }
}

/** Limits of consumers that lease events; those that wait for some have no place. */
export const TAKE_LIMITS: Readonly<FairLimits> = { total: 8, perTenant: 4, perCaller: 2, waitingPerCaller: 1_000 }

/** Limits of work that occupies the event loop or the disk alone. */
export function oneAtATime(waitingPerCaller: number): FairLimits {
  return { total: 1, perTenant: 1, perCaller: 1, waitingPerCaller }
}

export const INTROSPECTION_LIMITS: Readonly<FairLimits> = oneAtATime(10)

/** It gets a fifth of the event loop. */
export const INTROSPECTION_PAUSE: Readonly<Pause> = { factor: 4, msMax: 500 }

/** Documents that are read in turns; behind a proxy that is not trusted all anonymous callers have one address. */
export const DOCUMENT_READ_LIMITS: Readonly<FairLimits> = oneAtATime(1_000)

/** Reading in turns gets a third of the event loop, from however many callers it comes. */
export const DOCUMENT_READ_PAUSE: Readonly<Pause> = { factor: 2, msMax: 50 }

/** There are never more uploads than their own limit. */
export const DISK_LIMITS: Readonly<FairLimits> = oneAtATime(1_000)

/** Limits of running queries; each may run many statements. */
export const OPERATION_LIMITS: Readonly<FairLimits> = {
  total: 128,
  perTenant: 48,
  perCaller: 16,
  waitingPerCaller: 1_000,
}

/** Limits of rules being tried out, explained or replayed: they share the event loop with the rules of messages. */
export const TRIAL_LIMITS: Readonly<FairLimits> = { total: 4, perTenant: 1, perCaller: 1, waitingPerCaller: 1_000 }

/** The pause of a tenant after each of them: one expression over a long text cannot be interrupted. */
export const TRIAL_PAUSE: Readonly<Pause> = { factor: 2, msMax: 1_000 }

/** Limits of plans and applications of routing documents: each keeps a transaction open for seconds. */
export const ROUTING_CODE_LIMITS: Readonly<FairLimits> = { total: 2, perTenant: 1, perCaller: 1, waitingPerCaller: 20 }

/** Limits of reports over long spans: they keep PostgreSQL's processors busy, and then the event loop. */
export const LONG_REPORT_LIMITS: Readonly<FairLimits> = {
  total: 2,
  perTenant: 1,
  perCaller: 1,
  waitingPerCaller: 1_000,
}

/** The pause of a tenant after each of them. */
export const LONG_REPORT_PAUSE: Readonly<Pause> = { factor: 1, msMax: 2_000 }

/**
 * Limits of subscriptions being set up. Mainly limited per caller: reads of many callers at one moment, as when clients
 * reconnect, are combined.
 */
export const SUBSCRIPTION_LIMITS: Readonly<FairLimits> = {
  total: 1_024,
  perTenant: 512,
  perCaller: 8,
  waitingPerCaller: 5_000,
}
