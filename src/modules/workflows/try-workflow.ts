import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import { parseList } from '../../platform/input.js'
import { parseJsonObject } from '../../platform/json.js'
import { pathOf } from '../../platform/db/tenancy.js'
import type { RuleEngines, Verified } from './evaluation.js'
import { mockFacts } from './facts.js'
import { fetchWorkflow } from './fetch-workflow.js'
import type { RoutingTraceEntry } from './routing-decision.js'
import { planRouting, triggeredEvents } from './routing-plan.js'
import type { NotifyEvent, WorkflowDefinition } from './rule-definition.js'
import { findRule } from './rule-writes.js'
import { Situation } from './situation.js'
import type { WorkflowRuleInput } from './workflow-input.js'
import { readRules } from './workflow-writes.js'
import { definitionOf, type Workflow } from './workflow.js'

/**
 * Returns the events of the rules that mock facts trigger (4.5), in the order in which they would run; only those of
 * one rule if it is named. @throws NotFound for the workflow or the rule; BadUserInput for an invalid fact
 */
export async function tryWorkflow(
  ctx: Context,
  engines: RuleEngines,
  { workflow: id, rule, facts }: { workflow: string; rule?: string; facts: unknown },
): Promise<NotifyEvent[]> {
  const workflow = await fetchWorkflow(ctx, id)
  const definition = definitionOf(workflow)
  const ruleId = rule === undefined ? undefined : findRule(workflow, rule).id
  const { rules, differing } = await verify(ctx, engines, { definition, facts, ruleId })
  if (differing.size > 0) {
    throw new Unprocessable(
      `json-rules-engine evaluates rules differently than this server: ${[...differing].join(', ')}`,
      { reason: 'RULES_DIFFER', field: 'facts', rules: [...differing] },
    )
  }
  return triggeredEvents(rules)
}

/**
 * Returns what each rule would do for mock facts, with the trace of its conditions, if the workflow were the only one.
 * @param offline channels assumed to be without active subscribers; the others have some
 * @param rules used instead of the stored ones; nothing is saved
 */
export async function explainWorkflow(
  ctx: Context,
  kept: RuleEngines,
  { workflow: id, facts, offline, rules: unsaved }: ExplainInput,
): Promise<RoutingTraceEntry[]> {
  parseList(offline, 'offline', OFFLINE_MAX)
  const workflow = await fetchWorkflow(ctx, id)
  const definition = unsaved ? await unsavedDefinition(ctx, workflow, unsaved) : definitionOf(workflow)
  // What is not saved is not kept either.
  const engines = unsaved ? kept.unkept() : kept
  const { rules, differing } = await verify(ctx, engines, { definition, facts })
  const isOffline = new Set(offline.map((channel) => channel.toLowerCase()))
  const { trace } = planRouting([{ workflow: definition, nearness: 0, rules }], (channel) => !isOffline.has(channel))
  return trace.map((entry) => {
    if (!entry.rule || !differing.has(entry.rule.id)) return entry
    return { ...entry, reason: `${entry.reason}; json-rules-engine evaluates the rule differently` }
  })
}

/** Evaluates mock facts by both engines, and logs what must never happen: that they disagree. */
async function verify(
  ctx: Context,
  engines: RuleEngines,
  { definition, facts, ruleId }: { definition: WorkflowDefinition; facts: unknown; ruleId?: string | undefined },
): Promise<Verified> {
  const mock = mockFacts(parseJsonObject(facts, 'facts'), ctx.now())
  const verified = await engines.verify(definition, () => new Situation(mock), ruleId)
  if (verified.differing.size > 0) {
    const { id: workflow, version } = definition
    ctx.log.error(
      { workflow, version, rules: [...verified.differing] },
      'json-rules-engine evaluates rules differently',
    )
  }
  return verified
}

/** Channels that may be assumed to be without subscribers. */
export const OFFLINE_MAX = 1_000

interface ExplainInput {
  workflow: string
  facts: unknown
  offline: readonly string[]
  rules?: readonly WorkflowRuleInput[] | null
}

/** The workflow with rules that were not saved. @throws BadUserInput, NotFound as saving them would */
export async function unsavedDefinition(
  ctx: Context,
  workflow: Workflow,
  rules: readonly WorkflowRuleInput[],
): Promise<WorkflowDefinition> {
  const scope = { path: pathOf(workflow), stored: workflow.rules }
  return { ...definitionOf(workflow), rules: await readRules(ctx, ctx.reads, rules, scope) }
}
