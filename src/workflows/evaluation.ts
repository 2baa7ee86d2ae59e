import { LRUCache } from 'lru-cache'
import { CompiledWorkflow, type RuleEvaluation } from './compiled-workflow.js'
import type { WorkflowDefinition } from './rule.js'
import type { Situation } from './situation.js'

export type { RuleEvaluation } from './compiled-workflow.js'

/**
 * Evaluates workflows and keeps what it compiled by workflow and version, for as long as there is room: the least recently used
 * go first. One instance serves a whole process; calls may overlap.
 */
export class RuleEngines {
  readonly #compiled: LRUCache<string, CompiledWorkflow>

  /** @param options.maxWeight conditions to keep in sum; one with a regular expression counts as 5 */
  constructor({ maxWeight = 200_000 }: { maxWeight?: number } = {}) {
    this.#compiled = new LRUCache({ maxSize: maxWeight, sizeCalculation: ({ weight }) => Math.min(weight, maxWeight) })
  }

  /** Those that run for one message share one budget: all are prepared before the first is asked. */
  async prepare(workflows: readonly WorkflowDefinition[], situation: Situation): Promise<void> {
    for (const workflow of workflows) await this.#compiledOf(workflow).prepare(situation)
  }

  /** The rules that match, whatever their delay (3.4.5), in the workflow's order: what runs for each message. */
  match(workflow: WorkflowDefinition, situation: Situation): Promise<RuleEvaluation[]> {
    return this.#compiledOf(workflow).match(situation)
  }

  /** Every rule in the workflow's order, with what each of its conditions saw. */
  explain(workflow: WorkflowDefinition, situation: Situation): Promise<RuleEvaluation[]> {
    return this.#compiledOf(workflow).explain(situation)
  }

  /** One rule of a workflow (4.5); undefined when there is none of that id. */
  explainRule(workflow: WorkflowDefinition, ruleId: string, situation: Situation): Promise<RuleEvaluation | undefined> {
    return this.#compiledOf(workflow).explainRule(ruleId, situation)
  }

  /** Versions of workflows kept at present. */
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
