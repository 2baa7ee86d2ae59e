import { LRUCache } from 'lru-cache'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import type { Share } from '../../platform/fairness/share.js'
import { isDeepStrictEqual } from 'node:util'
import { CompiledWorkflow, type EvaluatedWorkflow, type RuleEvaluation } from './compiled-workflow.js'
import { ReferenceWorkflow } from './reference-workflow.js'
import type { WorkflowDefinition } from './rule-definition.js'
import { Situation } from './situation.js'

export type { RuleEvaluation } from './compiled-workflow.js'

/** Evaluator of the rules: the compiled form, or json-rules-engine itself. */
export type RulesEngine = 'compiled' | 'reference'

interface RuleEnginesOptions {
  maxWeight?: number
  trials?: FairQueue
  engine?: RulesEngine
}

/** Evaluations, and the rules that json-rules-engine evaluates differently: none, unless there is a mistake of ours. */
export interface Verified {
  rules: RuleEvaluation[]
  differing: ReadonlySet<string>
}

/**
 * Evaluates workflows and caches compiled ones by workflow and version (LRU). One instance serves a whole process;
 * calls may overlap.
 */
export class RuleEngines {
  readonly #compiled: LRUCache<string, EvaluatedWorkflow>

  readonly #trials: FairQueue | undefined
  readonly #engine: RulesEngine

  /**
   * @param options.maxWeight total number of conditions to cache; one with a regular expression counts as 5
   * @param options.trials schedules {@link trial}
   * @param options.engine evaluates; trials compare it with the reference
   */
  constructor({ maxWeight = 200_000, trials, engine = 'compiled' }: RuleEnginesOptions = {}) {
    this.#engine = engine
    this.#trials = trials
    this.#compiled = new LRUCache({ maxSize: maxWeight, sizeCalculation: ({ weight }) => Math.min(weight, maxWeight) })
  }

  /**
   * Prepares all workflows of one message before the first is evaluated, since they share one budget.
   * @returns how many conditions there are altogether; one with a regular expression counts as 5
   */
  async prepare(workflows: readonly WorkflowDefinition[], situation: Situation): Promise<number> {
    let weight = 0
    for (const workflow of workflows) {
      const compiled = this.#compiledOf(workflow)
      await compiled.prepare(situation)
      weight += compiled.weight
    }
    return weight
  }

  /** Returns the matching rules, whatever their delay (3.4.5), in the workflow's order. Runs for every message. */
  match(workflow: WorkflowDefinition, situation: Situation): Promise<RuleEvaluation[]> {
    return this.#compiledOf(workflow).match(situation)
  }

  /** Returns every rule in the workflow's order, with the trace of its conditions. */
  explain(workflow: WorkflowDefinition, situation: Situation): Promise<RuleEvaluation[]> {
    return this.#compiledOf(workflow).explain(situation)
  }

  /** Returns the places in the facts that a workflow's rules read, by `FactPath.key`. */
  async placesOf(workflow: WorkflowDefinition): Promise<ReadonlySet<string>> {
    const compiled = this.#compiledOf(workflow)
    await compiled.prepare(new Situation(null))
    return compiled.places
  }

  /** Evaluates one rule of a workflow (4.5); undefined if there is none with the id. */
  explainRule(workflow: WorkflowDefinition, ruleId: string, situation: Situation): Promise<RuleEvaluation | undefined> {
    return this.#compiledOf(workflow).explainRule(ruleId, situation)
  }

  /**
   * Explains a workflow, or one rule of it, and has json-rules-engine evaluate the same: what an administrator tries is
   * what the reference says, or the answer names the rules on which the two disagree.
   */
  async verify(workflow: WorkflowDefinition, facts: () => Situation, ruleId?: string): Promise<Verified> {
    const wanted = ({ rule }: RuleEvaluation): boolean => ruleId === undefined || rule.id === ruleId
    const rules = (await this.explain(workflow, facts())).filter(wanted)
    const reference = (await new ReferenceWorkflow(workflow).explain(facts())).filter(wanted)
    const differing = rules.filter((each, index) => !isDeepStrictEqual(each, reference[index]))
    return { rules, differing: new Set(differing.map(({ rule }) => rule.id)) }
  }

  /** Returns engines that keep nothing of this one's, for rules that are not saved. */
  unkept(): RuleEngines {
    return new RuleEngines({ engine: this.#engine })
  }

  /**
   * Runs evaluations that a caller asks for. Only a few run at once, one of a tenant, with pauses: each takes turns with the evaluations of messages,
   * which must not wait for hundreds of them. @throws RateLimited when too many of the caller's are waiting
   */
  trial<T>(share: Share | null, work: () => Promise<T>): Promise<T> {
    return share && this.#trials ? this.#trials.run(share, work) : work()
  }

  /** Number of cached versions. */
  get size(): number {
    return this.#compiled.size
  }

  #compiledOf(workflow: WorkflowDefinition): EvaluatedWorkflow {
    const key = `${workflow.id} ${workflow.version}`
    const kept = this.#compiled.get(key)
    if (kept) return kept
    const compiled = this.#engine === 'reference' ? new ReferenceWorkflow(workflow) : new CompiledWorkflow(workflow)
    this.#compiled.set(key, compiled)
    return compiled
  }
}
