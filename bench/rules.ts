import { Engine } from 'json-rules-engine'
import { isGroup, membersOf, textLimitOf, type Condition, type Conditions } from '../src/workflows/conditions.js'
import { RuleEngines } from '../src/workflows/evaluation.js'
import { FACT_NAMES, mockFacts, type Facts } from '../src/workflows/facts.js'
import { compileOperator, OPERATOR_NAMES } from '../src/workflows/operators.js'
import { compilePath } from '../src/workflows/paths.js'
import { parseRule, type WorkflowDefinition } from '../src/workflows/rule.js'
import { alternate, median, short, type Figure } from './figures.js'

const RULES = 100
const ROUNDS = { rounds: 6, warmUpMs: 700, roundMs: 500 }

/** One evaluation of a workflow of 100 rules, against the same predicates called directly. */
export async function benchRules(): Promise<Figure[]> {
  const workflow = makeWorkflow()
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
  const engine = bareEngine(workflow)
  const expected = predicates.map((holds) => holds(facts))
  const matched = (await engines.evaluateWorkflow(workflow, facts)).map((each) => each.matched)
  if (matched.join() !== expected.join()) throw new Error('the floor does not decide as the product does')

  const product = (ms: number) => microsEach(ms, async () => void (await engines.evaluateWorkflow(workflow, facts)))
  const floor = (ms: number) => microsEach(ms, async () => {
    for (const holds of predicates) holds(facts)
  })
  const results = await alternate(ROUNDS, floor, product)
  const bare = (ms: number) => microsEach(ms, async () => void (await engine.run(facts)))
  await bare(ROUNDS.warmUpMs)
  const engineMicros = median([await bare(ROUNDS.roundMs), await bare(ROUNDS.roundMs), await bare(ROUNDS.roundMs)])
  const [productMicros, floorMicros] = [median(results.product), median(results.floor)]
  return [{
    name: `evaluation of a workflow of ${RULES} rules`,
    ratio: floorMicros / productMicros,
    aim: null,
    product: `${short(productMicros)} us an evaluation, with what each condition saw; ${short(1e6 / productMicros)} a second`,
    floor: `${short(floorMicros)} us`,
    how: `${RULES} rules with three conditions each (equal, in, between, match, pattern, contains), compiled once; against ` +
      `the same compiled predicates and paths called one after the other, stopping where \`all\` and \`any\` let them. ` +
      `One process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs} ms.`,
    note: `Rules are json-rules-engine's by requirement, and its own run of these rules, without a trace, takes ` +
      `${short(engineMicros)} us in this very process: a promise for each condition and rule, and a copy of each rule's ` +
      `conditions for each evaluation. The product takes ${(productMicros / engineMicros).toFixed(2)} of that.`,
  }]
}

function makeWorkflow(): WorkflowDefinition {
  const categories = ['sales', 'support', 'billing', 'returns', 'press']
  const rules = Array.from({ length: RULES }, (_, index) => {
    const category = categories[index % categories.length]!
    const conditions = {
      all: [
        { fact: 'conversation', path: '.category', operator: 'equal', value: category },
        index % 2 === 0
          ? { fact: 'message', path: '.text', operator: 'match', value: `(?i)order [0-9]+|refund ${index}` }
          : { fact: 'message', path: '.meta.url', operator: 'pattern', value: `https://shop.example/*/${7_700 + index}` },
        {
          any: [
            { fact: 'organization', path: '.tags', operator: 'contains', value: index % 3 === 0 ? 'vip' : `tag-${index}` },
            { fact: 'context', path: '.currentTime', operator: 'between', value: [900 + (index % 20), 1_730] },
            { fact: 'contact', path: '.meta.tier', operator: 'in', value: ['gold', 'silver', `tier-${index}`] },
          ],
        },
      ],
    }
    return { id: `rule-${index}`, ...parseRule({ conditions, event: { type: 'notify', params: {} } }) }
  })
  return { id: 'bench', name: 'Bench', version: 1, rules }
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

/** The engine as it comes, with operators that know how to decide and paths compiled once. */
function bareEngine({ rules }: WorkflowDefinition): Engine {
  const paths = new Map<string, (fact: unknown) => unknown>()
  const tests = new Map<unknown, (fact: unknown) => boolean>()
  const engine = new Engine([], {
    allowUndefinedFacts: true,
    pathResolver: (fact, path) => {
      let read = paths.get(path)
      if (!read) paths.set(path, (read = compilePath(path)))
      return read(fact)
    },
  })
  for (const name of OPERATOR_NAMES) {
    engine.addOperator(name, (fact: unknown, value: unknown) => {
      const key = JSON.stringify([name, value])
      let holds = tests.get(key)
      if (!holds) {
        const test = compileOperator(name, value as never, 'value')
        tests.set(key, (holds = (of) => test.holds(of, 1_000)))
      }
      return holds(fact)
    })
  }
  for (const { conditions, event } of rules) engine.addRule({ conditions: conditions as never, event: event as never })
  for (const name of FACT_NAMES) engine.addFact(name, {})
  return engine
}

async function microsEach(ms: number, act: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  const endAt = startedAt + ms
  let count = 0
  while (performance.now() < endAt) {
    await act()
    count++
  }
  return ((performance.now() - startedAt) / count) * 1_000
}
