import { CompiledWorkflow, type RuleEvaluation } from './compiled-workflow.js'
import type { Facts } from './facts.js'
import type { WorkflowDefinition } from './rule.js'

export type { RuleEvaluation } from './compiled-workflow.js'

/**
 * Evaluates workflows and keeps what it compiled by workflow id, for as long as the version stays the same and there is
 * room: the least recently used go first. One instance serves a whole process; calls may overlap.
 */
export class RuleEngines {
  readonly #compiled = new Map<string, CompiledWorkflow>()
  readonly #maxWeight: number
  #weight = 0

  /** @param options.maxWeight conditions to keep in sum; one with a regular expression counts as 100 */
  constructor(options: { maxWeight?: number } = {}) {
    this.#maxWeight = options.maxWeight ?? 200_000
  }

  /** Evaluates every rule, whatever its delay (3.4.5), in the workflow's order. */
  evaluateWorkflow(workflow: WorkflowDefinition, facts: Facts): Promise<RuleEvaluation[]> {
    return this.#compiledOf(workflow).evaluate(facts)
  }

  /** Evaluates one rule of a workflow (4.5); undefined when there is none of that id. */
  evaluateRule(workflow: WorkflowDefinition, ruleId: string, facts: Facts): Promise<RuleEvaluation | undefined> {
    return this.#compiledOf(workflow).evaluateRule(ruleId, facts)
  }

  /** Workflows kept at present. */
  get size(): number {
    return this.#compiled.size
  }

  #compiledOf(workflow: WorkflowDefinition): CompiledWorkflow {
    const kept = this.#compiled.get(workflow.id)
    const compiled = kept?.version === workflow.version ? kept : new CompiledWorkflow(workflow)
    this.#weight += compiled.weight - (kept?.weight ?? 0)
    // Deleting first puts it behind the others: a Map remembers the order of insertion.
    this.#compiled.delete(workflow.id)
    this.#compiled.set(workflow.id, compiled)
    this.#evict()
    return compiled
  }

  #evict(): void {
    for (const [id, compiled] of this.#compiled) {
      if (this.#weight <= this.#maxWeight || this.#compiled.size === 1) return
      this.#compiled.delete(id)
      this.#weight -= compiled.weight
    }
  }
}
