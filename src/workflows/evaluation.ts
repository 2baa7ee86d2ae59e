import { LRUCache } from 'lru-cache'
import type { FairQueue, Share } from '../fairness/fair-queue.js'
import { CompiledWorkflow, type RuleEvaluation } from './compiled-workflow.js'
import type { WorkflowDefinition } from './rule-definition.js'
import type { Situation } from './situation.js'

export type { RuleEvaluation } from './compiled-workflow.js'

/**
 * Evaluates workflows and caches compiled ones by workflow and version (LRU). One instance serves a whole process;
 * calls may overlap.
 */
export class RuleEngines {
  readonly #compiled: LRUCache<string, CompiledWorkflow>

  readonly #trials: FairQueue | undefined

  /**
   * @param options.maxWeight total number of conditions to cache; one with a regular expression counts as 5
   * @param options.trials schedules {@link trial}
   */
  constructor({ maxWeight = 200_000, trials }: { maxWeight?: number; trials?: FairQueue } = {}) {
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

  /** Evaluates one rule of a workflow (4.5); undefined if there is none with the id. */
  explainRule(workflow: WorkflowDefinition, ruleId: string, situation: Situation): Promise<RuleEvaluation | undefined> {
    return this.#compiledOf(workflow).explainRule(ruleId, situation)
  }

  /**
   * Runs evaluations that a caller asks for. Only a few run at once: each takes turns with the evaluations of messages,
   * which must not wait for hundreds of them. @throws RateLimited when too many of the caller's are waiting
   */
  trial<T>(share: Share | null, work: () => Promise<T>): Promise<T> {
    return share && this.#trials ? this.#trials.run(share, work) : work()
  }

  /** Number of cached versions. */
  get size(): number {
    return this.#compiled.size
  }

  #compiledOf(workflow: WorkflowDefinition): CompiledWorkflow {
    const key = `${workflow.id} ${workflow.version}`
    const kept = this.#compiled.get(key)
    if (kept) return kept
    const compiled = new CompiledWorkflow(workflow)
    this.#compiled.set(key, compiled)
    return compiled
  }
}
