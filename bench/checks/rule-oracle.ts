import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { RuleEngines } from '../../src/workflows/evaluation.js'
import { FACT_NAMES, type Facts } from '../../src/workflows/facts.js'
import { triggeredEvents } from '../../src/workflows/routing-plan.js'
import { createRuleEngine, engineRule } from '../../src/workflows/rule-engine.js'
import type { RuleDefinition, WorkflowDefinition } from '../../src/workflows/rule-definition.js'
import { Situation } from '../../src/workflows/situation.js'
import { failuresOf, isQuick, type Check } from '../harness/figures.js'
import { randomFacts, randomWorkflow } from './random-rules.js'

const RUNS = Number(process.env.BENCH_ORACLE_RUNS ?? 100_000)

/** The compiled rules against json-rules-engine itself, by random workflows and facts. */
export async function checkRuleOracle(): Promise<Check[]> {
  const runs = isQuick() ? 500 : RUNS
  let events = 0
  const property = fc.asyncProperty(randomWorkflow, randomFacts, async (workflow, facts) => {
    events += (await requireSameEvents(workflow, facts)).length
  })
  const { failed, counterexample, seed, numRuns } = await fc.check(property, { numRuns: runs })
  return [
    {
      name: `compiled rules against json-rules-engine, ${numRuns.toLocaleString('en-US')} random workflows`,
      aim: 'the same events in the same order',
      failures: failuresOf({ [`they differ for ${JSON.stringify(counterexample)}`]: !failed }),
      found: [
        `${events.toLocaleString('en-US')} events from ${numRuns.toLocaleString('en-US')} workflows of 1 to 6 rules; seed ${seed}`,
      ],
      how:
        'Rules of all operators at all kinds of places, nested to several levels, empty groups too, with priorities and ' +
        "delays; facts of the right type, of another, or missing. json-rules-engine's own Engine.run, with the operators of 4.6.",
    },
  ]
}

/** @returns the events. @throws Error when json-rules-engine gives others, or in another order */
export async function requireSameEvents(workflow: WorkflowDefinition, facts: Facts): Promise<unknown[]> {
  const engines = new RuleEngines()
  const matched = await engines.match(workflow, new Situation(facts))
  const compiled = triggeredEvents(matched)
  const explained = (await engines.explain(workflow, new Situation(facts))).filter((each) => each.matched)
  const expected = await eventsByEngine(workflow, facts)
  if (!isDeepStrictEqual(compiled, expected))
    throw new Error(`${JSON.stringify(compiled)} is not ${JSON.stringify(expected)}`)
  if (!isDeepStrictEqual(triggeredEvents(explained), compiled))
    throw new Error('the trace does not say what was decided')
  return compiled
}

/** What json-rules-engine makes of the workflow: it runs rules of higher priority first, so each gets its own. */
async function eventsByEngine({ rules }: WorkflowDefinition, facts: Facts): Promise<unknown[]> {
  const engine = createRuleEngine()
  const delayOf = ({ event }: RuleDefinition): number => event.params.delay ?? 0
  const atOnce = rules.filter((rule) => delayOf(rule) === 0)
  const priorities = [...new Set(atOnce.map(({ priority }) => priority))].toSorted((one, other) => other - one)
  const delays = [...new Set(rules.map(delayOf))].filter((delay) => delay > 0).toSorted((one, other) => one - other)
  const inOrder = [
    ...priorities.flatMap((priority) => atOnce.filter((rule) => rule.priority === priority)),
    ...delays.flatMap((delay) => rules.filter((rule) => delayOf(rule) === delay)),
  ]
  for (const [place, rule] of inOrder.entries())
    engine.addRule(engineRule({ ...rule, priority: inOrder.length - place }))
  for (const name of FACT_NAMES) engine.addFact(name, () => facts[name])
  return (await engine.run()).events
}
