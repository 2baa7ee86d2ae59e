import { Almanac, Engine, Rule } from 'json-rules-engine'
import { type EvaluatedCondition, traceOf, type ConditionTrace } from './condition-trace.js'
import { type Condition, type Conditions, isGroup, membersOf, textLimitOf } from './conditions.js'
import { FACT_NAMES, type Facts } from './facts.js'
import { compileOperator, OPERATOR_NAMES, type OperatorName, type Test } from './operators.js'
import { compilePath, type PathReader } from './paths.js'
import type { RuleDefinition, WorkflowDefinition } from './rule.js'

export interface RuleEvaluation {
  rule: RuleDefinition
  matched: boolean
  /** Null only together with `error`. */
  conditions: ConditionTrace | null
  /** Set when a stored rule cannot be compiled: it counts as not matched, and the other rules run. */
  error?: string
}

/** A workflow's rules with their engine, tests and paths compiled: built once for a version, evaluated many times. */
export class CompiledWorkflow {
  readonly version: number | string
  /** Roughly what this takes in memory, in conditions. */
  readonly weight: number
  readonly #rules: ReadonlyMap<string, CompiledRule>
  readonly #pathResolver: (fact: unknown, path: string) => unknown

  constructor(workflow: WorkflowDefinition) {
    const engine = new Engine([], { allowUndefinedFacts: true })
    // A condition's value is its compiled test; see engineConditions.
    const apply = (fact: unknown, holds: Holds) => holds(fact)
    for (const name of [...OPERATOR_NAMES, NEVER]) engine.addOperator(name, apply)
    const paths = new Map<string, PathReader>()
    this.version = workflow.version
    this.#rules = new Map(workflow.rules.map((rule) => [rule.id, new CompiledRule(rule, engine, paths)]))
    this.#pathResolver = (fact, path) => paths.get(path)?.(fact)
    this.weight = this.#rules.values().reduce((sum, { rule }) => sum + weightOf(rule.conditions), 1)
  }

  /** Every rule in the workflow's order. Calls may overlap: each has its own almanac and results. */
  async evaluate(facts: Facts): Promise<RuleEvaluation[]> {
    const almanac = this.#almanacOf(facts)
    const evaluations: RuleEvaluation[] = []
    let yieldAt = performance.now() + UNBROKEN_MS
    for (const rule of this.#rules.values()) {
      evaluations.push(await rule.evaluate(almanac))
      if (performance.now() < yieldAt) continue
      // The engine's promises alone would keep sockets and timers waiting until the last rule is done.
      await new Promise((resolve) => setImmediate(resolve))
      yieldAt = performance.now() + UNBROKEN_MS
    }
    return evaluations
  }

  /** A single rule; undefined when the workflow has none of that id. */
  async evaluateRule(ruleId: string, facts: Facts): Promise<RuleEvaluation | undefined> {
    return this.#rules.get(ruleId)?.evaluate(this.#almanacOf(facts))
  }

  #almanacOf(facts: Facts): Almanac {
    const almanac = new Almanac({ allowUndefinedFacts: true, pathResolver: this.#pathResolver })
    for (const name of FACT_NAMES) almanac.addFact(name, facts[name], { cache: false })
    return almanac
  }
}

const UNBROKEN_MS = 10
const NEVER = 'never'
/** In conditions: the automaton of an expression grows with what it reads. */
const EXPRESSION_WEIGHT = 100
const EXPRESSION_OPERATORS = new Set<OperatorName>(['match', 'notMatch', 'pattern', 'noPattern'])

type Holds = (fact: unknown) => boolean

/**
 * `Rule.evaluate` is the engine's own step, though its types leave it out. `Engine.run` is not for a shared engine: the
 * run that ends first sets the engine's status to finished, and an overlapping run passes over its rules in silence.
 */
interface RunnableRule {
  evaluate(almanac: Almanac): Promise<{ result: boolean; conditions: EvaluatedCondition }>
}

/** Compiles at its first evaluation, so that a large workflow's rules do so with pauses between them. */
class CompiledRule {
  readonly rule: RuleDefinition
  readonly #engine: Engine
  readonly #paths: Map<string, PathReader>
  #compiled: { runnable: RunnableRule } | { error: string } | undefined

  constructor(rule: RuleDefinition, engine: Engine, paths: Map<string, PathReader>) {
    this.rule = rule
    this.#engine = engine
    this.#paths = paths
  }

  async evaluate(almanac: Almanac): Promise<RuleEvaluation> {
    const { rule } = this
    this.#compiled ??= this.#compile()
    if ('error' in this.#compiled) return { rule, matched: false, conditions: null, error: this.#compiled.error }
    const { result, conditions } = await this.#compiled.runnable.evaluate(almanac)
    return { rule, matched: result, conditions: traceOf(rule.conditions, conditions, result) }
  }

  #compile(): { runnable: RunnableRule } | { error: string } {
    const { conditions, event } = this.rule
    try {
      const tests = new Map<Condition, Test>()
      this.#compileTests(conditions, 'conditions', tests)
      const expressionSize = tests.values().reduce((sum, test) => sum + test.expressionSize, 0)
      const compiled = engineConditions(conditions, tests, textLimitOf(expressionSize))
      const rule = new Rule({ conditions: compiled as Rule['conditions'], event: { type: event.type } })
      this.#engine.addRule(rule)
      return { runnable: rule as unknown as RunnableRule }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  #compileTests(condition: Condition, field: string, tests: Map<Condition, Test>): void {
    if (isGroup(condition)) {
      const key = 'all' in condition ? 'all' : 'any'
      membersOf(condition).forEach((member, index) => this.#compileTests(member, `${field}.${key}[${index}]`, tests))
      return
    }
    const { operator, value, path } = condition
    tests.set(condition, compileOperator(operator, value, `${field}.value`))
    if (!this.#paths.has(path)) this.#paths.set(path, compilePath(path))
  }
}

function weightOf(condition: Condition): number {
  if (isGroup(condition)) return membersOf(condition).reduce((sum, member) => sum + weightOf(member), 1)
  return EXPRESSION_OPERATORS.has(condition.operator) ? EXPRESSION_WEIGHT : 1
}

/**
 * The rule's conditions as the engine takes them. The engine clones a rule's conditions for each evaluation; a function
 * goes through as it is, so a test in place of the value saves both the copy of a long list and the compilation.
 */
function engineConditions(conditions: Conditions, tests: ReadonlyMap<Condition, Test>, textLimit: number): object {
  const members = membersOf(conditions).map((member) => {
    if (isGroup(member)) return engineConditions(member, tests, textLimit)
    const { fact, path, operator } = member
    const test = tests.get(member)
    return { fact, path, operator, value: (value: unknown) => test?.holds(value, textLimit) === true }
  })
  if ('all' in conditions) return { all: members }
  // The engine takes an empty `any` for true; 4.6 wants at least one that holds.
  return { any: members.length > 0 ? members : [{ fact: 'context', operator: NEVER, value: () => false }] }
}
