import type { Metrics } from '../metrics.js'
import { FairQueue, type FairLimits, type FairQueueOptions } from './fair-queue.js'
import type { WritingTenants } from './writing-tenants.js'

/** A resource shared among callers and tenants. `/metrics` shows the waits by these names. */
export type ShareName =
  | 'reads'
  | 'long_reads'
  | 'transactions'
  | 'operations'
  | 'subscriptions'
  | 'trials'
  | 'introspections'
  | 'documents'
  | 'disk_writes'

/** Creates a queue whose waits are measured. */
export function openShares(
  name: ShareName,
  limits: FairLimits,
  metrics: Metrics,
  options: Pick<FairQueueOptions, 'tenantMax'> = {},
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

/** A tenant's long reads get this part of its connections while others write: PostgreSQL has few processors more. */
const LONG_PART = 4

/**
 * Creates the queue of reads that take long. Those of a tenant leave PostgreSQL's processors to others that write; without
 * any, all of its connections may be used. Those of all tenants never take the connections of short ones.
 */
export function openLongReads(connections: number, metrics: Metrics, writing: WritingTenants): FairQueue {
  const { perTenant, perCaller, waitingPerCaller } = readLimits(connections)
  const limits = { total: Math.max(1, connections - 2), perTenant, perCaller, waitingPerCaller }
  const besideOthers = Math.max(1, Math.floor(perTenant / LONG_PART))
  const tenantMax = (tenant: string): number => {
    writing.refresh()
    return writing.hasOther(tenant) ? besideOthers : perTenant
  }
  return openShares('long_reads', limits, metrics, { tenantMax })
}

/**
 * Limits transactions that change resources. Those of one organization wait for each other in its stream: without a
 * limit they would do so on all connections. Two of these are left for conversations and jobs.
 */
export function writeLimits(connections: number): FairLimits {
  const perTenant = Math.max(1, Math.ceil(connections / 3))
  return { total: Math.max(1, connections - 2), perTenant, perCaller: perTenant, waitingPerCaller: 2_000 }
}

/** Limits of work that occupies the event loop or the disk alone. */
export function oneAtATime(waitingPerCaller: number): FairLimits {
  return { total: 1, perTenant: 1, perCaller: 1, waitingPerCaller }
}

export const INTROSPECTION_LIMITS: Readonly<FairLimits> = oneAtATime(10)

/** Documents that are read in turns; behind a proxy that is not trusted all anonymous callers have one address. */
export const DOCUMENT_READ_LIMITS: Readonly<FairLimits> = oneAtATime(1_000)

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
export const TRIAL_LIMITS: Readonly<FairLimits> = { total: 8, perTenant: 2, perCaller: 1, waitingPerCaller: 1_000 }

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
