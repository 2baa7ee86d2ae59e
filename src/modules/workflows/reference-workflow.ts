import type { RuleResult } from 'json-rules-engine'
import { compileTests } from './compiled-conditions.js'
import type { EvaluatedWorkflow, RuleEvaluation } from './compiled-workflow.js'
import { leafTrace, type ConditionTrace } from './condition-trace.js'
import { isGroup, membersOf, textLimitOf, weightOf, type Condition, type LeafCondition } from './conditions.js'
import type { Test } from './operators.js'
import { compilePath } from './paths.js'
import { createRuleEngine, engineRule } from './rule-engine.js'
import type { NotifyEvent, RuleDefinition, WorkflowDefinition } from './rule-definition.js'
import type { Situation } from './situation.js'

/**
 * A workflow's rules as json-rules-engine itself evaluates them: the reference for {@link CompiledWorkflow}, some hundred
 * times slower. Paths, operators and the limits of texts are the same, so that only the evaluation can differ.
 */
export class ReferenceWorkflow implements EvaluatedWorkflow {
  readonly weight: number
  readonly #definitions: readonly RuleDefinition[]
  #rules: ReadonlyMap<string, ReferenceRule> | null = null

  constructor(workflow: WorkflowDefinition) {
    this.#definitions = workflow.rules
    this.weight = workflow.rules.reduce((sum, { conditions }) => sum + weightOf(conditions), 1)
  }

  get places(): ReadonlySet<string> {
    const leaves = [...(this.#rules?.values() ?? [])].flatMap(({ tests }) => [...tests.keys()])
    return new Set(leaves.map(({ fact, path }) => fact + path))
  }

  async prepare(situation: Situation): Promise<void> {
    if (!this.#rules) {
      const rules = new Map<string, ReferenceRule>()
      for (const rule of this.#definitions) {
        rules.set(rule.id, referenceRule(rule))
        if (situation.needsRest(true)) await situation.rest()
      }
      this.#rules = rules
    }
    situation.takeIn(
      this,
      this.#rules.values().reduce((sum, { expressionSize }) => sum + expressionSize, 0),
    )
  }

  async match(situation: Situation): Promise<RuleEvaluation[]> {
    const { evaluations } = await this.#run(situation)
    return evaluations.filter(({ matched }) => matched).map(({ rule }) => ({ rule, matched: true, conditions: null }))
  }

  async explain(situation: Situation): Promise<RuleEvaluation[]> {
    return (await this.#run(situation)).evaluations
  }

  async explainRule(ruleId: string, situation: Situation): Promise<RuleEvaluation | undefined> {
    return (await this.explain(situation)).find(({ rule }) => rule.id === ruleId)
  }

  /** Returns the events in the order in which the engine emits them. */
  async events(situation: Situation): Promise<NotifyEvent[]> {
    return (await this.#run(situation)).events
  }

  async #run(situation: Situation): Promise<{ evaluations: RuleEvaluation[]; events: NotifyEvent[] }> {
    await this.prepare(situation)
    const asked: { rule: ReferenceRule; leaf: LeafCondition }[] = []
    const engine = createRuleEngine({
      valueAt: (fact, path) => situation.valueAt({ key: fact + path, fact, read: compilePath(path) }),
      holds: (_operator, value, place) => {
        const { rule, leaf } = asked[place as number]!
        return holds(rule, leaf, value, situation)
      },
    })
    const inOrder = inOrderOfRunning([...this.#rules!.values()].filter(({ error }) => error === null))
    for (const [place, rule] of inOrder.entries()) {
      // The engine runs rules of a higher priority first, so each gets its own.
      const definition = { ...rule.rule, priority: inOrder.length - place }
      engine.addRule(engineRule(definition, '', (leaf) => asked.push({ rule, leaf }) - 1))
    }
    // The engine waits for what its listeners return, which its types do not say.
    const rest = (() => (situation.needsRest(true) ? situation.rest() : undefined)) as () => void
    engine.on('success', rest)
    engine.on('failure', rest)
    const { events, results, failureResults } = await engine.run()
    const byName = new Map([...results, ...failureResults].map((result) => [result.name, result]))
    const evaluations = this.#definitions.map((rule) => evaluationOf(this.#rules!.get(rule.id)!, byName, situation))
    return { evaluations, events: events as NotifyEvent[] }
  }
}

interface ReferenceRule {
  rule: RuleDefinition
  tests: ReadonlyMap<LeafCondition, Test>
  expressionSize: number
  /** Set when the rule cannot be compiled. */
  error: string | null
}

function referenceRule(rule: RuleDefinition): ReferenceRule {
  const tests = new Map<LeafCondition, Test>()
  try {
    compileTests(rule.conditions, 'conditions', tests)
    engineRule(rule)
  } catch (error) {
    return { rule, tests, expressionSize: 0, error: error instanceof Error ? error.message : String(error) }
  }
  return {
    rule,
    tests,
    expressionSize: tests.values().reduce((sum, test) => sum + test.expressionSize, 0),
    error: null,
  }
}

function holds(
  { tests, expressionSize }: ReferenceRule,
  leaf: LeafCondition,
  value: unknown,
  situation: Situation,
): boolean {
  const test = tests.get(leaf)!
  if (test.expressionSize === 0) return test.holds(value, textLimitOf(expressionSize))
  const limit = Math.min(textLimitOf(expressionSize), situation.textLimit)
  if (typeof value === 'string') situation.spend(test.expressionSize * Math.min(value.length, limit))
  return test.holds(value, limit)
}

/** By priority, then the delayed ones by delay (2.7), and as given among equals. */
function inOrderOfRunning(rules: readonly ReferenceRule[]): ReferenceRule[] {
  const delayOf = ({ rule }: ReferenceRule): number => rule.event.params.delay ?? 0
  return rules.toSorted((one, other) => {
    if (delayOf(one) === 0 && delayOf(other) === 0) return other.rule.priority - one.rule.priority
    return delayOf(one) - delayOf(other)
  })
}

function evaluationOf(
  { rule, error }: ReferenceRule,
  results: ReadonlyMap<string, RuleResult>,
  situation: Situation,
): RuleEvaluation {
  if (error !== null) return { rule, matched: false, conditions: null, error }
  const { result, conditions } = results.get(rule.id)!
  const matched = result === true
  return {
    rule,
    matched,
    conditions: traceOf(rule.conditions, { ...conditions, result: matched } as Result, situation),
  }
}

/** A condition of the engine after a run. */
interface Result {
  result?: boolean
  all?: Result[]
  any?: Result[]
}

function traceOf(condition: Condition, { result = false, all, any }: Result, situation: Situation): ConditionTrace {
  if (!isGroup(condition)) {
    const { fact, path } = condition
    return leafTrace(condition, situation.valueAt({ key: fact + path, fact, read: compilePath(path) }), result)
  }
  const members = membersOf(condition).map((member, index) => traceOf(member, (all ?? any)![index]!, situation))
  return 'all' in condition ? { all: members, result } : { any: members, result }
}
