import type { WorkflowVersion } from './applicable-workflow.js'
import type { DecisionBasis } from './decision-basis.js'
import { RuleEngines } from './evaluation.js'
import { recordedSituation } from './recorded-facts.js'
import type { Situation } from './situation.js'

/** Record of the making of a decision. */
export interface RecordedBasis extends DecisionBasis {
  decidedAt: Date
}

/** The rules that made recorded decisions, and what these rules saw. */
export class RecordedDecisions {
  readonly engines = new RuleEngines()
  readonly #versions: ReadonlyMap<string, WorkflowVersion>
  readonly #places = new Map<string, ReadonlySet<string>>()

  /** @param versions those that the decisions name; some may not be kept any more */
  constructor(versions: readonly WorkflowVersion[]) {
    this.#versions = new Map(versions.map((each) => [keyOf(each), each]))
  }

  /** Returns the version of a workflow that ran for a decision; undefined if it did not run, or is not kept. */
  versionOf({ workflows }: DecisionBasis, workflow: string): WorkflowVersion | undefined {
    const ran = workflows.find(({ id }) => id === workflow)
    return ran && this.#versions.get(keyOf(ran))
  }

  /** Returns the facts of a decision, of which those that no rule read are unknown. */
  async situationOf({ facts, workflows, decidedAt }: RecordedBasis): Promise<Situation> {
    return recordedSituation(facts, await this.#placesOf(workflows), decidedAt)
  }

  /** The places that the rules of a decision read: decisions of one organization mostly have the same rules. */
  async #placesOf(ran: DecisionBasis['workflows']): Promise<ReadonlySet<string>> {
    const key = ran.map(keyOf).join()
    const known = this.#places.get(key)
    if (known) return known
    const places = new Set<string>()
    for (const each of ran) {
      const version = this.#versions.get(keyOf(each))
      if (version) for (const place of await this.engines.placesOf(version)) places.add(place)
    }
    this.#places.set(key, places)
    return places
  }
}

/** Returns the versions of workflows that ran for decisions, each once. */
export function versionsOf(decisions: readonly Pick<DecisionBasis, 'workflows'>[]): { id: string; version: string }[] {
  const named = decisions.flatMap(({ workflows }) => workflows)
  return [...new Map(named.map((each) => [keyOf(each), each])).values()]
}

const keyOf = ({ id, version }: { id: string; version: string }): string => `${id} ${version}`
