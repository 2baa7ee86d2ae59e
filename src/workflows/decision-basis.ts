import type { RuleEngines } from './evaluation.js'
import type { RoutingTraceEntry } from './routing-decision.js'
import { wholeTrace, type WorkflowEvaluation } from './routing-plan.js'
import { Situation, type SeenFacts } from './situation.js'
import type { WorkflowVersion } from './workflow-versions.js'

/**
 * What a decision was made from. Kept with the rules that matched, it tells at any time what all the others saw as well,
 * for a thousandth of what their trace would take.
 */
export interface DecisionBasis {
  facts: SeenFacts
  /** That ran, nearest first. */
  workflows: { id: string; version: string; nearness: number }[]
}

/**
 * The trace of all rules of a decision, by those that matched and its basis: every rule in the version that ran then is
 * evaluated again on what it saw then.
 * @param entries of the rules that matched, with what came of them
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
