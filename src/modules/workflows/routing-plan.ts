import type { RuleEvaluation } from './evaluation.js'
import type { NotifyEvent, NotifyParams } from './rule-definition.js'
import { Routing, type RoutedRule } from './routing.js'
import type {
  AgentNeeds,
  DeferredRule,
  IsOnline,
  RoutingDecision,
  RoutingTraceEntry,
  WorkflowName,
} from './routing-decision.js'

/** The evaluation of one workflow that runs for a conversation. */
export interface WorkflowEvaluation {
  workflow: WorkflowName
  /** 0 for a workflow of the conversation's own organization, 1 for its parent's, 2 for the grandparent's. */
  nearness: number
  rules: readonly RuleEvaluation[]
}

/**
 * Decides what a queueing notifies (2.7, 3.4), given every rule of every workflow that runs:
 *
 * 1. Rules without a delay are ordered by nearness of organization, then by descending priority across all workflows of
 * that organization; delayed ones follow by increasing delay. Rules of equal rank are one step and fire together.
 * 2. A matched rule notifies its users and those of its channels that are online; the others are added to `offline`.
 * 3. A channel counts as notified only if it is online. A rule with `isLastRule` that notified one ends the processing;
 * once any rule notified one, delayed rules wait, and until then their delay is bypassed. Users do not count: no queue
 * shows the conversation yet.
 */
export function planRouting(evaluations: readonly WorkflowEvaluation[], isOnline: IsOnline): RoutingDecision {
  const routing = new Routing(isOnline)
  for (const step of stepsOf(evaluations)) {
    for (const { workflow, evaluation } of step.filter((ranked) => !ranked.evaluation.matched)) {
      routing.passOver(routedRule(workflow, evaluation), evaluation)
    }
    routing.take(
      step
        .filter((ranked) => ranked.evaluation.matched)
        .map(({ workflow, evaluation }) => routedRule(workflow, evaluation)),
    )
  }
  return routing.decision
}

/**
 * Continues when the first deferred rule is due and the conversation is still queued: it and those of equal delay fire.
 * If one with `isLastRule` notifies a channel, the rest is cancelled; otherwise it is the decision's `deferred`. The
 * trace contains the changed rules; see `mergeTrace`.
 */
export function resumeRouting(remainder: readonly DeferredRule[], isOnline: IsOnline): RoutingDecision {
  const routing = new Routing(isOnline)
  const due = remainder.filter((rule) => rule.delaySeconds === remainder[0]!.delaySeconds)
  const later = remainder.slice(due.length)
  routing.fire(due.map(withoutConditions), 'its delay ended')
  if (routing.stoppedBy) routing.take(later.map(withoutConditions))
  else routing.decision.deferred.push(...later)
  return routing.decision
}

/** Notifies all channels of an organization for which no workflow runs (3.4.2). */
export function defaultRouting(channels: readonly string[], isOnline: IsOnline): RoutingDecision {
  return withoutRules(channels, isOnline, 'no workflows: all channels of the organization are notified')
}

/** Notifies exactly the given channels, bypassing workflows, for `/notify` with `meta.channels` (4.8). */
export function directRouting(channels: readonly string[], isOnline: IsOnline): RoutingDecision {
  return withoutRules(channels, isOnline, 'the channels were named: workflows are bypassed')
}

/** Returns the events of the matched rules, in the order in which they would run (4.5, mock facts). */
export function triggeredEvents(evaluations: readonly RuleEvaluation[]): NotifyEvent[] {
  return stepsOf([{ workflow: { id: '', name: '' }, nearness: 0, rules: evaluations }])
    .flat()
    .filter(({ evaluation }) => evaluation.matched)
    .map(({ evaluation }) => evaluation.rule.event)
}

/**
 * Builds the trace of all rules, in order of processing: recorded entries of those that matched, and the others as
 * evaluated now.
 * @param recorded entries of the rules that matched
 * @param evaluations every rule of every workflow that ran, on the recorded facts
 */
export function wholeTrace(
  recorded: readonly RoutingTraceEntry[],
  evaluations: readonly WorkflowEvaluation[],
): RoutingTraceEntry[] {
  const entries = new Map(recorded.map((entry) => [keyOf(entry.workflow, entry.rule), entry]))
  const trace: RoutingTraceEntry[] = []
  for (const step of stepsOf(evaluations)) {
    const others = new Routing(() => false)
    const matched: RoutingTraceEntry[] = []
    for (const { workflow, evaluation } of step) {
      const key = keyOf(workflow, evaluation.rule)
      const entry = entries.get(key)
      entries.delete(key)
      if (entry) matched.push(explained(entry, evaluation, true))
      else others.passOver(routedRule(workflow, evaluation), evaluation)
      const passedOver = others.decision.trace.pop()
      if (passedOver) trace.push(explained(passedOver, evaluation, false))
    }
    trace.push(...matched)
  }
  // Entries without a workflow come first.
  return [...entries.values(), ...trace]
}

function keyOf(workflow: WorkflowName | null, rule: { id: string } | null): string {
  return JSON.stringify([workflow?.id, rule?.id])
}

/** The recorded outcome stays, even if a later version of this server evaluates the rule differently. */
function explained(
  entry: RoutingTraceEntry,
  { matched, conditions }: RuleEvaluation,
  didMatch: boolean,
): RoutingTraceEntry {
  if (matched === didMatch) return { ...entry, conditions }
  return {
    ...entry,
    conditions: null,
    reason: `${entry.reason}; this version of the server evaluates the rule differently`,
  }
}

interface RankedRule {
  workflow: WorkflowName
  nearness: number
  evaluation: RuleEvaluation
}

/** Groups rules into steps, in order of processing; the rules of one step run in parallel. */
function stepsOf(evaluations: readonly WorkflowEvaluation[]): RankedRule[][] {
  const ranked = evaluations
    .flatMap(({ workflow, nearness, rules }) => rules.map((evaluation) => ({ workflow, nearness, evaluation })))
    .toSorted(compareRank)
  const steps: RankedRule[][] = []
  let last: RankedRule | undefined
  for (const rule of ranked) {
    if (last && compareRank(last, rule) === 0) steps.at(-1)?.push(rule)
    else steps.push([rule])
    last = rule
  }
  return steps
}

function compareRank(one: RankedRule, other: RankedRule): number {
  const delay = delayOf(one.evaluation)
  const otherDelay = delayOf(other.evaluation)
  if (delay > 0 || otherDelay > 0) return delay - otherDelay
  return one.nearness - other.nearness || other.evaluation.rule.priority - one.evaluation.rule.priority
}

function delayOf({ rule }: RuleEvaluation): number {
  return rule.event.params.delay ?? 0
}

function routedRule({ id, name }: WorkflowName, evaluation: RuleEvaluation): RoutedRule {
  const { params } = evaluation.rule.event
  return {
    workflow: { id, name },
    rule: { id: evaluation.rule.id, name: params.name ?? null },
    channels: unique(params.channels),
    users: unique(params.users),
    delaySeconds: delayOf(evaluation),
    isLastRule: params.isLastRule ?? false,
    ...needsOf(params),
    conditions: evaluation.conditions,
  }
}

/** Spares most of thousands of rules a set: they name one channel or none. */
function unique(ids: readonly string[] = []): string[] {
  return ids.length < 2 ? [...ids] : [...new Set(ids)]
}

/** Returns the demands of the rule on agents, if it has any. */
function needsOf({ skills, skillsDropAfter, urgency }: NotifyParams): { needs?: AgentNeeds } {
  if (!skills && !urgency) return NO_NEEDS
  return { needs: { ...(skills && { skills, skillsDropAfter }), ...(urgency && { urgency }) } }
}

const NO_NEEDS = {}

function withoutConditions(rule: DeferredRule): RoutedRule {
  return { ...rule, conditions: null }
}

function withoutRules(channels: readonly string[], isOnline: IsOnline, reason: string): RoutingDecision {
  const routing = new Routing(isOnline)
  routing.fire(
    [
      {
        workflow: null,
        rule: null,
        channels: [...new Set(channels)],
        users: [],
        delaySeconds: 0,
        isLastRule: false,
        conditions: null,
      },
    ],
    reason,
  )
  return routing.decision
}
