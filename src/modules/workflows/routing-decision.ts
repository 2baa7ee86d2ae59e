import type { ConditionTrace } from './condition-trace.js'

export interface WorkflowName {
  id: string
  name: string
}

export interface RuleName {
  id: string
  /** `params.name`; null if the rule has none. */
  name: string | null
}

/** Result of routing, as plain JSON. */
export interface RoutingDecision {
  /** Targets to notify now: each channel has active subscribers, each list is free of duplicates. */
  notify: NotifyTarget[]
  /** Channels for which a rule fired while they had no active subscribers; for `channelsOffline`. */
  offline: string[]
  /** Waiting rules, in order. The caller keeps one job, due at the first one's delay, with the whole list. */
  deferred: DeferredRule[]
  /** In order of processing. */
  trace: RoutingTraceEntry[]
}

export interface NotifyTarget {
  /** Null if no workflow decided. */
  workflow: WorkflowName | null
  rule: RuleName | null
  channels: string[]
  users: string[]
  needs?: AgentNeeds
}

/** Demands of a rule on the agents to whom a conversation is offered. */
export interface AgentNeeds {
  skills?: string[]
  skillsDropAfter?: number
  /** Skills that whoever handed it over asked for, for as long as it waits there. */
  askedSkills?: string[]
  urgency?: number
  /** Agents who are not offered it in this queueing: they handed it over. */
  exceptUsers?: string[]
  /** The agents whose leaving queued it: offered it again only if nobody else can be. */
  leftBy?: string[]
}

export interface DeferredRule {
  needs?: AgentNeeds
  workflow: WorkflowName
  rule: RuleName
  channels: string[]
  users: string[]
  /** Seconds from the queueing, not from the previous rule. */
  delaySeconds: number
  isLastRule: boolean
}

export interface RoutingTraceEntry {
  workflow: WorkflowName | null
  rule: RuleName | null
  outcome: 'fired' | 'deferred' | 'notMatched' | 'skipped'
  reason: string
  /** Null if nothing was evaluated now: a deferred rule at its time, or no workflow at all. */
  conditions: ConditionTrace | null
  channelsNotified: string[]
  channelsOffline: string[]
  users: string[]
  /** Only for a delayed rule. */
  delaySeconds?: number
}

/** Tells whether a channel has active subscribers. */
export type IsOnline = (channelId: string) => boolean

/**
 * Returns the stored trace after a deferred rule was resumed: entries change their outcome and keep their conditions.
 */
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
