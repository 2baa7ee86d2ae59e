import type { Metrics } from '../metrics.js'
import { FairQueue, type FairLimits } from './fair-queue.js'

/** What is shared among callers and tenants. `/metrics` shows the waits under these names. */
export type ShareName = 'reads' | 'operations' | 'subscriptions'

/** A queue that the operator can watch. */
export function openShares(name: ShareName, limits: FairLimits, metrics: Metrics): FairQueue {
  const wait = metrics.shareWait.labels({ share: name })
  const queue = new FairQueue({ name, limits, observeWait: (ms) => wait.observe(ms / 1_000) })
  metrics.watchShares(name, queue)
  return queue
}

/**
 * One tenant gets half of the connections, and one caller not all of what its tenant gets: whoever asks for what takes
 * long is in nobody's way.
 */
export function readLimits(connections: number): FairLimits {
  const perTenant = Math.max(1, Math.floor(connections / 2))
  return { total: connections, perTenant, perCaller: Math.max(1, perTenant - 1), waitingPerCaller: 2_000 }
}

/** Queries under way, whatever they read; the statements of one are many. */
export const OPERATION_LIMITS: Readonly<FairLimits> = {
  total: 128,
  perTenant: 48,
  perCaller: 16,
  waitingPerCaller: 1_000,
}

/**
 * Subscriptions being set up. Bounded by caller above all: what many callers ask in one moment, as when their screens
 * come back, is read together.
 */
export const SUBSCRIPTION_LIMITS: Readonly<FairLimits> = {
  total: 1_024,
  perTenant: 512,
  perCaller: 8,
  waitingPerCaller: 5_000,
}
