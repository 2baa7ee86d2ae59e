import { compileConditions, FactPaths, type CompiledConditions } from './compiled-conditions.js'
import { unknownPlaces, type ConditionTrace } from './condition-trace.js'
import { weightOf } from './conditions.js'
import type { RuleDefinition, WorkflowDefinition } from './rule-definition.js'
import type { Situation } from './situation.js'

export interface RuleEvaluation {
  rule: RuleDefinition
  matched: boolean
  /** Trace of the conditions; null if only the match was requested, and with `error`. */
  conditions: ConditionTrace | null
  /** Set when facts decide that were not recorded: their places. `matched` is false then. */
  unknown?: readonly string[]
  /** Set when a stored rule cannot be compiled: it counts as not matched, and the other rules run. */
  error?: string
}

/** A workflow that can be evaluated, compiled or by the reference. */
export interface EvaluatedWorkflow {
  /** Approximate memory, in conditions. */
  readonly weight: number
  /** The places that its rules read, once it is prepared. */
  readonly places: ReadonlySet<string>
  /** Compiles the workflow, and counts its expressions in the message's budget. */
  prepare(situation: Situation): Promise<void>
  /** Returns the matching rules, in the workflow's order. */
  match(situation: Situation): Promise<RuleEvaluation[]>
  /** Returns every rule in the workflow's order, with the trace of its conditions. */
  explain(situation: Situation): Promise<RuleEvaluation[]>
  /** Evaluates a single rule; undefined if the workflow has no rule with the id. */
  explainRule(ruleId: string, situation: Situation): Promise<RuleEvaluation | undefined>
}

/**
 * A workflow's rules as functions: compiled once per version, run for many messages. json-rules-engine defines their
 * meaning (see `reference-workflow.ts`) but takes 100 times as long: a promise per condition, and a copy of each rule. Calls
 * may overlap.
 */
export class CompiledWorkflow implements EvaluatedWorkflow {
  readonly weight: number
  readonly #paths = new FactPaths()
  readonly #rules: ReadonlyMap<string, CompiledRule>
  #isCompiled = false
  #expressionSize = 0

  constructor(workflow: WorkflowDefinition) {
    this.#rules = new Map(workflow.rules.map((rule) => [rule.id, new CompiledRule(rule)]))
    this.weight = workflow.rules.reduce((sum, { conditions }) => sum + weightOf(conditions), 1)
  }

  get places(): ReadonlySet<string> {
    return this.#paths.keys
  }

  async prepare(situation: Situation): Promise<void> {
    if (!this.#isCompiled) await this.#compile(situation)
    situation.takeIn(this, this.#expressionSize)
  }

  async match(situation: Situation): Promise<RuleEvaluation[]> {
    const values = await this.#valuesIn(situation)
    const matched: RuleEvaluation[] = []
    for (const rule of this.#rules.values()) {
      if (rule.holds(values, situation)) matched.push(rule.matched)
      if (situation.needsRest()) await situation.rest()
    }
    return matched
  }

  async explain(situation: Situation): Promise<RuleEvaluation[]> {
    const values = await this.#valuesIn(situation)
    const evaluations: RuleEvaluation[] = []
    for (const rule of this.#rules.values()) {
      evaluations.push(rule.explain(values, situation))
      if (situation.needsRest()) await situation.rest()
    }
    return evaluations
  }

  async explainRule(ruleId: string, situation: Situation): Promise<RuleEvaluation | undefined> {
    return this.#rules.get(ruleId)?.explain(await this.#valuesIn(situation), situation)
  }

  async #valuesIn(situation: Situation): Promise<unknown[]> {
    await this.prepare(situation)
    return this.#paths.valuesIn(situation)
  }

  /** Pauses in between: compiling the expressions of a large workflow takes a while. */
  async #compile(situation: Situation): Promise<void> {
    for (const rule of this.#rules.values()) {
      rule.compile(this.#paths)
      if (situation.needsRest(true)) await situation.rest()
    }
    this.#expressionSize = this.#rules.values().reduce((sum, { expressionSize }) => sum + expressionSize, 0)
    this.#isCompiled = true
  }
}

class CompiledRule {
  /** Result of the rule when it matches. */
  readonly matched: RuleEvaluation
  readonly #rule: RuleDefinition
  #conditions: CompiledConditions | null = null
  #error: string | null = null

  constructor(rule: RuleDefinition) {
    this.#rule = rule
    this.matched = Object.freeze({ rule, matched: true, conditions: null })
  }

  compile(paths: FactPaths): void {
    if (this.#conditions || this.#error !== null) return
    try {
      this.#conditions = compileConditions(this.#rule.conditions, paths)
    } catch (error) {
      this.#error = error instanceof Error ? error.message : String(error)
    }
  }

  get expressionSize(): number {
    return this.#conditions?.expressionSize ?? 0
  }

  holds(values: readonly unknown[], situation: Situation): boolean {
    return this.#conditions !== null && this.#conditions.holds(values, situation)
  }

  explain(values: readonly unknown[], situation: Situation): RuleEvaluation {
    const rule = this.#rule
    if (!this.#conditions)
      return { rule, matched: false, conditions: null, error: this.#error ?? 'the rule is not compiled' }
    const conditions = this.#conditions.explain(values, situation)
    if (conditions.unknown) return { rule, matched: false, conditions, unknown: unknownPlaces(conditions) }
    return { rule, matched: conditions.result, conditions }
  }
}
