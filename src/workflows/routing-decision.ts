import type { ConditionTrace } from './condition-trace.js'

export interface WorkflowName {
  id: string
  name: string
}

export interface RuleName {
  id: string
  /** `params.name`; null when the rule has none. */
  name: string | null
}

/** Plain JSON. */
export interface RoutingDecision {
  /** What to notify now: each channel has active subscribers, each list names an id once. */
  notify: NotifyTarget[]
  /** Channels that a rule fired for while they had no active subscribers; for `channelsOffline`. */
  offline: string[]
  /** What waits, in order. The caller keeps one job, due at the first one's delay, and hands it the whole list. */
  deferred: DeferredRule[]
  /** In order of processing. */
  trace: RoutingTraceEntry[]
}

export interface NotifyTarget {
  /** Null when no workflow decided. */
  workflow: WorkflowName | null
  rule: RuleName | null
  channels: string[]
  users: string[]
}

export interface DeferredRule {
  workflow: WorkflowName
  rule: RuleName
  channels: string[]
  users: string[]
  /** Seconds from the queueing on, not from the rule before. */
  delaySeconds: number
  isLastRule: boolean
}

export interface RoutingTraceEntry {
  workflow: WorkflowName | null
  rule: RuleName | null
  outcome: 'fired' | 'deferred' | 'notMatched' | 'skipped'
  reason: string
  /** Null where nothing was evaluated now: a deferred rule at its time, or no workflow at all. */
  conditions: ConditionTrace | null
  channelsNotified: string[]
  channelsOffline: string[]
  users: string[]
  /** Only of a delayed rule. */
  delaySeconds?: number
}

/** Whether a channel has active subscribers. */
export type IsOnline = (channelId: string) => boolean

/** The stored trace after a deferred rule was resumed: entries change their outcome and keep their conditions. */
export function mergeTrace(
  stored: readonly RoutingTraceEntry[],
  update: readonly RoutingTraceEntry[],
): RoutingTraceEntry[] {
  const updates = new Map(update.map((entry) => [keyOf(entry), entry]))
  const merged = stored.map((entry) => {
    const change = updates.get(keyOf(entry))
    updates.delete(keyOf(entry))
    return change ? { ...change, conditions: change.conditions ?? entry.conditions } : entry
  })
  return [...merged, ...updates.values()]
}

function keyOf({ workflow, rule }: RoutingTraceEntry): string {
  return JSON.stringify([workflow?.id, rule?.id])
}
