import type { Context } from '../context.js'
import { NotFound, quoteValue } from '../errors.js'
import { parseJsonObject } from '../json.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { pathOf } from '../db/tenancy.js'
import { RuleEngines } from './evaluation.js'
import { mockFacts } from './facts.js'
import type { RoutingTraceEntry } from './routing-decision.js'
import { planRouting, triggeredEvents } from './routing-plan.js'
import type { NotifyEvent, WorkflowDefinition } from './rule-definition.js'
import { Situation } from './situation.js'
import type { WorkflowRuleInput } from './workflow-input.js'
import { readRules } from './workflow-writes.js'
import { definitionOf, Workflow } from './workflow.js'

/**
 * Returns the events of the rules that mock facts trigger (4.5), in the order in which they would run; only those of
 * one rule if it is named. @throws NotFound for the workflow or the rule; BadUserInput for an invalid fact
 */
export async function tryWorkflow(
  ctx: Context,
  engines: RuleEngines,
  { workflow: id, rule, facts }: { workflow: string; rule?: string; facts: unknown },
): Promise<NotifyEvent[]> {
  const definition = definitionOf(await fetchRecord(ctx, Workflow, id))
  const mock = readFacts(ctx, facts)
  if (rule === undefined) return triggeredEvents(await engines.match(definition, mock))
  const evaluation = await engines.explainRule(definition, rule.toLowerCase(), mock)
  if (!evaluation) throw new NotFound(`Rule ${quoteValue(rule)} not found`)
  return triggeredEvents([evaluation])
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
  const workflow = await fetchRecord(ctx, Workflow, id)
  const definition = unsaved ? await unsavedDefinition(ctx, workflow, unsaved) : definitionOf(workflow)
  // What is not saved is not kept either.
  const engines = unsaved ? new RuleEngines() : kept
  const rules = await engines.explain(definition, readFacts(ctx, facts))
  const isOffline = new Set(offline.map((channel) => channel.toLowerCase()))
  return planRouting([{ workflow: definition, nearness: 0, rules }], (channel) => !isOffline.has(channel)).trace
}

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

function readFacts(ctx: Context, facts: unknown): Situation {
  return new Situation(mockFacts(parseJsonObject(facts, 'facts'), ctx.now()))
}
