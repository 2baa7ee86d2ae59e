import type { Engine } from 'json-rules-engine'
import {
  isGroup,
  membersOf,
  textLimitOf,
  type Condition,
  type Conditions,
} from '../../src/modules/workflows/conditions.js'
import { RuleEngines } from '../../src/modules/workflows/evaluation.js'
import { mockFacts, type Facts, type JsonValue } from '../../src/modules/workflows/facts.js'
import { compileOperator, type Test } from '../../src/modules/workflows/operators.js'
import { compilePath } from '../../src/modules/workflows/paths.js'
import { createRuleEngine, engineRule } from '../../src/modules/workflows/rule-engine.js'
import type { WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'
import { Situation } from '../../src/modules/workflows/situation.js'
import type { Bench } from '../harness/bench.js'
import { alternate, median, short, type Check, type Figure } from '../harness/figures.js'
import { makeRules, workflowOf } from '../harness/workflows.js'
import { benchRoutedMessages } from './routed-messages.js'

const RULES = 100
const ROUNDS = { rounds: 6, warmUpMs: 700, roundMs: 500 }

/** The rules of workflows: what deciding by them takes, by itself and for a consumer's message. */
export async function benchRouting(bench: Bench): Promise<(Check | Figure)[]> {
  return [await benchEvaluation(), ...(await benchRoutedMessages(bench))]
}

/** One decision by a workflow of 100 rules and what is kept to explain it, against the same predicates called directly. */
async function benchEvaluation(): Promise<Figure> {
  const workflow = workflowOf(makeRules(RULES))
  const facts = mockFacts(
    {
      conversation: { category: 'sales', language: 'nl', meta: { source: 'web', score: 42 } },
      message: { text: 'Where is my order 7781?', meta: { url: 'https://shop.example/orders/7781' } },
      contact: { meta: { tier: 'gold' } },
      organization: { id: 'o1', tags: ['retail', 'vip'] },
    },
    new Date('2026-03-04T09:05:00Z'),
  )
  const engines = new RuleEngines()
  const predicates = workflow.rules.map(({ conditions }) => compile(conditions))
  const matched = (await engines.explain(workflow, new Situation(facts))).map((each) => each.matched)
  if (matched.join() !== predicates.map((holds) => holds(facts)).join())
    throw new Error('the floor does not decide as the product does')

  const product = (ms: number) =>
    microsEach(ms, async () => {
      const situation = new Situation(facts)
      await engines.match(workflow, situation)
      return situation.seen
    })
  const whole = (ms: number) => microsEach(ms, () => engines.explain(workflow, new Situation(facts)))
  const floor = (ms: number) => microsEach(ms, async () => predicates.map((holds) => holds(facts)))
  const engine = engineOf(workflow, facts)
  const results = await alternate(ROUNDS, floor, product)
  const wholes = await alternate({ ...ROUNDS, rounds: 3 }, async () => 0, whole)
  const bare = await alternate(
    { ...ROUNDS, rounds: 3 },
    async () => 0,
    (ms) => microsEach(ms, () => engine.run()),
  )
  const [productMicros, floorMicros] = [median(results.product), median(results.floor)]
  return {
    name: `decision by a workflow of ${RULES} rules, with what explains it`,
    ratio: floorMicros / productMicros,
    aim: 0.5,
    product: `${short(productMicros)} us a decision; the trace of all rules, when it is read, ${short(median(wholes.product))} us`,
    floor: `${short(floorMicros)} us; json-rules-engine itself, without a trace, ${short(median(bare.product))} us`,
    how:
      `${RULES} rules with three conditions each (equal; match or pattern; contains, between or in), compiled once; against ` +
      `the same compiled predicates and paths called one after the other, stopping where \`all\` and \`any\` let them. ` +
      `One process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs} ms.`,
  }
}

type Predicate = (facts: Facts) => boolean

function compile(conditions: Conditions): Predicate {
  const leaves: number[] = []
  const build = (condition: Condition): Predicate => {
    if (isGroup(condition)) {
      const members = membersOf(condition).map(build)
      return 'all' in condition
        ? (facts) => members.every((holds) => holds(facts))
        : (facts) => members.some((holds) => holds(facts))
    }
    const test = compileOperator(condition.operator, condition.value, 'value')
    leaves.push(test.expressionSize)
    const read = compilePath(condition.path)
    return (facts) => test.holds(read(facts[condition.fact]), limit)
  }
  const predicate = build(conditions)
  const limit = textLimitOf(leaves.reduce((sum, size) => sum + size, 0))
  return predicate
}

function engineOf({ rules }: WorkflowDefinition, facts: Facts): Engine {
  const tests = new Map<string, Test>()
  const engine = createRuleEngine({
    valueAt: (fact, path) => compilePath(path)(facts[fact]),
    holds(operator, value, asked) {
      const key = `${operator} ${JSON.stringify(asked)}`
      const test = tests.get(key) ?? compileOperator(operator, asked as JsonValue, 'value')
      tests.set(key, test)
      return test.holds(value, Infinity)
    },
  })
  for (const rule of rules) engine.addRule(engineRule(rule))
  return engine
}

async function microsEach(ms: number, act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  const endAt = startedAt + ms
  let count = 0
  while (performance.now() < endAt) {
    await act()
    count++
  }
  return ((performance.now() - startedAt) / count) * 1_000
}
