import { Almanac, Engine, Rule } from 'json-rules-engine'
import { type EvaluatedCondition, traceOf, type ConditionTrace } from './condition-trace.js'
import { type Condition, type Conditions, countConditions, isGroup, membersOf, textLimitOf } from './conditions.js'
import { FACT_NAMES, type Facts } from './facts.js'
import { compileOperator, OPERATOR_NAMES, type Test } from './operators.js'
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
  /** Roughly what this takes in memory: a condition counts 1, an instruction of a regular expression 1. */
  readonly weight: number
  readonly #rules: ReadonlyMap<string, CompiledRule>
  readonly #paths = new Map<string, PathReader>()

  constructor(workflow: WorkflowDefinition) {
    const engine = new Engine([], { allowUndefinedFacts: true })
    // A condition's value is its compiled test; see engineCondition.
    const apply = (fact: unknown, holds: Holds) => holds(fact)
    for (const name of [...OPERATOR_NAMES, NEVER]) engine.addOperator(name, apply)
    this.version = workflow.version
    this.#rules = new Map(workflow.rules.map((rule) => [rule.id, compileRule(rule, engine, this.#paths)]))
    this.weight = this.#rules.values().reduce((sum, rule) => sum + rule.weight, 1)
  }

  /** Every rule in the workflow's order. Calls may overlap: each has its own almanac and results. */
  async evaluate(facts: Facts): Promise<RuleEvaluation[]> {
    const almanac = this.#almanacOf(facts)
    const evaluations: RuleEvaluation[] = []
    let yieldAt = performance.now() + UNBROKEN_MS
    for (const rule of this.#rules.values()) {
      evaluations.push(await evaluateRule(rule, almanac))
      if (performance.now() < yieldAt) continue
      // The engine's promises alone would keep sockets and timers waiting until the last rule is done.
      await new Promise((resolve) => setImmediate(resolve))
      yieldAt = performance.now() + UNBROKEN_MS
    }
    return evaluations
  }

  /** A single rule; undefined when the workflow has none of that id. */
  async evaluateRule(ruleId: string, facts: Facts): Promise<RuleEvaluation | undefined> {
    const rule = this.#rules.get(ruleId)
    return rule && evaluateRule(rule, this.#almanacOf(facts))
  }

  #almanacOf(facts: Facts): Almanac {
    const pathResolver = (fact: unknown, path: string) => this.#paths.get(path)?.(fact)
    const almanac = new Almanac({ allowUndefinedFacts: true, pathResolver })
    for (const name of FACT_NAMES) almanac.addFact(name, facts[name], { cache: false })
    return almanac
  }
}

const UNBROKEN_MS = 10
const NEVER = 'never'

type Holds = (fact: unknown) => boolean

interface CompiledRule {
  rule: RuleDefinition
  runnable: RunnableRule | null
  error?: string
  weight: number
}

/**
 * `Rule.evaluate` is the engine's own step, though its types leave it out. `Engine.run` is not for a shared engine: the
 * run that ends first sets the engine's status to finished, and an overlapping run passes over its rules in silence.
 */
interface RunnableRule {
  evaluate(almanac: Almanac): Promise<{ result: boolean; conditions: EvaluatedCondition }>
}

function compileRule(rule: RuleDefinition, engine: Engine, paths: Map<string, PathReader>): CompiledRule {
  let expressionSize = 0
  const tests = new Map<Condition, Test>()
  try {
    compileTests(rule.conditions)
    const textLimit = textLimitOf(expressionSize)
    const conditions = engineConditions(rule.conditions, tests, textLimit)
    const engineRule = new Rule({ conditions: conditions as Rule['conditions'], event: { type: rule.event.type } })
    engine.addRule(engineRule)
    const weight = countConditions(rule.conditions) + expressionSize
    return { rule, runnable: engineRule as unknown as RunnableRule, weight }
  } catch (error) {
    return { rule, runnable: null, error: error instanceof Error ? error.message : String(error), weight: 1 }
  }

  function compileTests(condition: Condition): void {
    if (isGroup(condition)) return membersOf(condition).forEach(compileTests)
    const test = compileOperator(condition.operator, condition.value, 'value')
    tests.set(condition, test)
    expressionSize += test.expressionSize
    if (!paths.has(condition.path)) paths.set(condition.path, compilePath(condition.path))
  }
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

async function evaluateRule({ rule, runnable, error }: CompiledRule, almanac: Almanac): Promise<RuleEvaluation> {
  if (!runnable) return { rule, matched: false, conditions: null, error }
  const { result, conditions } = await runnable.evaluate(almanac)
  return { rule, matched: result, conditions: traceOf(rule.conditions, conditions, result) }
}
