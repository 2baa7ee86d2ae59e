import { openShares, ROUTING_CODE_LIMITS } from '../../platform/fairness/shares.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Transact } from '../../platform/events/transact.js'
import type { Module } from '../../platform/module.js'
import { DocumentThread } from './document-thread.js'
import { RoutingCodeResolver } from './routing-resolver.js'

/** Opens the export, the plan and the application of routing documents. */
export function openRoutingCodeModule({
  transact,
  metrics,
  accessChanges,
}: {
  transact: Transact
  metrics: Metrics
  accessChanges: { userChanged(user: string): void }
}): Module {
  const thread = new DocumentThread()
  const turns = openShares('routing_documents', ROUTING_CODE_LIMITS, metrics)
  const onAccessChange = (users: readonly string[]): void => users.forEach((user) => accessChanges.userChanged(user))
  return {
    resolvers: [new RoutingCodeResolver({ transact, onAccessChange, thread, turns })],
    stop: () => thread.stop(),
  }
}
