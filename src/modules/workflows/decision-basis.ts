import type { RuleEngines } from './evaluation.js'
import type { RoutingTraceEntry } from './routing-decision.js'
import { wholeTrace, type WorkflowEvaluation } from './routing-plan.js'
import { Situation, type SeenFacts } from './situation.js'
import type { WorkflowVersion } from './applicable-workflow.js'

/**
 * Input of a routing decision. Together with the matched rules it can reproduce the trace of all others, at a
 * thousandth of the size.
 */
export interface DecisionBasis {
  facts: SeenFacts
  /** Workflows that ran, nearest first. */
  workflows: { id: string; version: string; nearness: number }[]
}

/**
 * Reconstructs the trace of all rules of a decision: every rule is evaluated again, in the version that ran, on the
 * recorded facts.
 * @param entries of the rules that matched, with their outcome
 * @param versions those that the basis names
 */
export async function explainDecision(
  engines: RuleEngines,
  entries: readonly RoutingTraceEntry[],
  { facts, workflows }: DecisionBasis,
  versions: readonly WorkflowVersion[],
): Promise<RoutingTraceEntry[]> {
  const situation = Situation.recorded(facts)
  const evaluations: WorkflowEvaluation[] = []
  const found = workflows.flatMap(({ id, version, nearness }) => {
    const workflow = versions.find((each) => each.id === id && each.version === version)
    return workflow ? [{ workflow, nearness }] : []
  })
  await engines.prepare(
    found.map(({ workflow }) => workflow),
    situation,
  )
  for (const { workflow, nearness } of found) {
    evaluations.push({
      workflow: { id: workflow.id, name: workflow.name },
      nearness,
      rules: await engines.explain(workflow, situation),
    })
  }
  return wholeTrace(entries, evaluations)
}
