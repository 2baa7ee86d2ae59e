import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { randomFacts, randomWorkflow } from '../../bench/checks/random-rules.js'
import { requireSameEvents } from '../../bench/checks/rule-oracle.js'
import { explainDecision, type DecisionBasis } from '../../src/modules/workflows/decision-basis.js'
import { RuleEngines } from '../../src/modules/workflows/evaluation.js'
import { mockFacts } from '../../src/modules/workflows/facts.js'
import type { RoutingTraceEntry } from '../../src/modules/workflows/routing-decision.js'
import { planRouting, type WorkflowEvaluation } from '../../src/modules/workflows/routing-plan.js'
import type { WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'
import { Situation } from '../../src/modules/workflows/situation.js'

/** The gate makes ten times as many, of which these are the first. */
const RUNS = process.env.REQUIRE_ALL_SUITES ? 10_000 : 1_000

// The same in each run, so that a failure is no chance; others, 100,000 of them: `npm run bench -- --only rule-oracle`.
it('returns the events of json-rules-engine, in its order, and its traces, for random workflows and facts', async () => {
  await fc.assert(
    fc.asyncProperty(randomWorkflow, randomFacts, async (workflow, facts) => {
      expect(await requireSameEvents(workflow, facts)).toBeInstanceOf(Array)
    }),
    { numRuns: RUNS, seed: 20_261_123 },
  )
})

it('computes the trace of all rules from the matched ones and the recorded facts', async () => {
  const nearness = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2))
  const workflows = fc.array(randomWorkflow, { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      workflows,
      nearness,
      randomFacts,
      fc.subarray(['c1', 'c2', 'c3']),
      async (random, near, facts, online) => {
        const engines = new RuleEngines()
        const definitions = random.map((each, index) => ({
          ...each,
          id: `w${index}`,
          version: `${index}@0`,
          nearness: near[index]!,
        }))
        const situation = new Situation(facts)
        const evaluate = async (how: 'match' | 'explain'): Promise<WorkflowEvaluation[]> => {
          const evaluations: WorkflowEvaluation[] = []
          for (const each of definitions) {
            const { id, name } = each
            evaluations.push({
              workflow: { id, name },
              nearness: each.nearness,
              rules: await engines[how](each, situation),
            })
          }
          return evaluations
        }
        const isOnline = (channel: string): boolean => online.includes(channel)
        const decision = planRouting(await evaluate('match'), isOnline)
        const basis = {
          facts: situation.seen,
          workflows: definitions.map(({ id, version, nearness: each }) => ({ id, version, nearness: each })),
        }
        const stored = JSON.parse(JSON.stringify({ entries: decision.trace, basis })) as {
          entries: RoutingTraceEntry[]
          basis: DecisionBasis
        }
        const whole = planRouting(await evaluate('explain'), isOnline)
        expect(await explainDecision(new RuleEngines(), stored.entries, stored.basis, definitions)).toEqual(whole.trace)
        expect({ ...decision, trace: [] }).toEqual({ ...whole, trace: [] })
      },
    ),
    { numRuns: 500 },
  )
})

it('keeps the recorded decision even if the rule now evaluates differently', async () => {
  const definition = (value: number): WorkflowDefinition & { version: string } => {
    const conditions = { all: [{ fact: 'context' as const, path: '.process', operator: 'equal' as const, value }] }
    return {
      id: 'w',
      name: 'W',
      version: '1@0',
      rules: [{ id: 'r', conditions, event: { type: 'notify', params: {} }, priority: 1 }],
    }
  }
  const workflow = { id: 'w', name: 'W' }
  const rules = await new RuleEngines().match(definition(1), new Situation(mockFacts({}, new Date())))
  const { trace } = planRouting([{ workflow, nearness: 0, rules }], () => true)
  const basis = { facts: { 'context.process': 1 }, workflows: [{ id: 'w', version: '1@0', nearness: 0 }] }
  const changed = await explainDecision(new RuleEngines(), trace, basis, [definition(2)])
  expect(changed).toMatchObject([
    { outcome: 'fired', conditions: null, reason: expect.stringContaining('evaluates the rule differently') },
  ])
  const missed = await explainDecision(new RuleEngines(), [], basis, [definition(1)])
  expect(missed).toMatchObject([
    { outcome: 'notMatched', conditions: null, reason: expect.stringContaining('differently') },
  ])
})
