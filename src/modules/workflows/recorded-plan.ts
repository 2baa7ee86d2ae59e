import { planRouting, type WorkflowEvaluation } from './routing-plan.js'
import type { RoutingDecision } from './routing-decision.js'

/** A plan for a situation that is only partly known. */
export interface RecordedPlan {
  /** The decision if nothing that is unknown matters; else that in which no unknown condition holds. */
  decision: RoutingDecision
  /** Facts and channels on which the outcome depends and that are unknown; null if it is the same whatever they were. */
  unknown: { places: readonly string[]; channels: readonly string[] } | null
}

/** Plans for one conversation: each takes some 50 us for a hundred rules. */
const PLANS_MAX = 128

/**
 * Plans a queueing of which not everything is known: whether some rules matched (`unknown`), or whether some channels had
 * subscribers. The outcome is known if it is the same for whatever is unknown. If there are too many possibilities to
 * try them all, it counts as unknown: never the other way round.
 * @param isOnline undefined if that is not known
 * @param outcomeOf what is compared; of JSON
 */
export function planRecorded(
  evaluations: readonly WorkflowEvaluation[],
  isOnline: (channel: string) => boolean | undefined,
  outcomeOf: (decision: RoutingDecision) => unknown,
): RecordedPlan {
  const open = evaluations.flatMap(({ rules }) => rules.filter(({ unknown }) => unknown))
  const places = [...new Set(open.flatMap(({ unknown }) => unknown!))].toSorted()
  const unsure = new Set<string>()
  let first: { decision: RoutingDecision; outcome: string } | null = null
  let plans = 0
  for (const matched of assignments(open)) {
    // Possible answers about channels that are asked for, one plan each.
    const branches: Map<string, boolean>[] = [new Map()]
    for (let branch = branches.pop(); branch; branch = branches.pop()) {
      if (plans++ === PLANS_MAX) return { decision: first!.decision, unknown: { places, channels: [...unsure] } }
      const given = branch
      const decision = planRouting(assumed(evaluations, matched), (channel) => {
        const known = isOnline(channel) ?? given.get(channel)
        if (known !== undefined) return known
        unsure.add(channel)
        branches.push(new Map([...given, [channel, false]]))
        given.set(channel, true)
        return true
      })
      const outcome = JSON.stringify(outcomeOf(decision))
      first ??= { decision, outcome }
      if (outcome !== first.outcome) return { decision: first.decision, unknown: { places, channels: [...unsure] } }
    }
  }
  return { decision: first!.decision, unknown: null }
}

type Rules = WorkflowEvaluation['rules']

/** All ways in which the rules may have matched: none of them first, then all, as these differ most. */
function* assignments(open: Rules): Generator<ReadonlySet<Rules[number]>> {
  yield new Set()
  if (open.length === 0) return
  yield new Set(open)
  // More than the plans that are tried.
  const last = 2 ** Math.min(open.length, 20) - 1
  for (let bits = 1; bits < last; bits++) yield new Set(open.filter((_, index) => bits & (1 << index)))
}

function assumed(
  evaluations: readonly WorkflowEvaluation[],
  matched: ReadonlySet<Rules[number]>,
): readonly WorkflowEvaluation[] {
  if (matched.size === 0) return evaluations
  return evaluations.map((evaluation) => ({
    ...evaluation,
    rules: evaluation.rules.map((each) => (matched.has(each) ? { ...each, matched: true } : each)),
  }))
}
