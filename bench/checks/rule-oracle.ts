import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { RuleEngines } from '../../src/modules/workflows/evaluation.js'
import type { Facts } from '../../src/modules/workflows/facts.js'
import { triggeredEvents } from '../../src/modules/workflows/routing-plan.js'
import { ReferenceWorkflow } from '../../src/modules/workflows/reference-workflow.js'
import type { WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'
import { Situation } from '../../src/modules/workflows/situation.js'
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
  const reference = await new ReferenceWorkflow(workflow).explain(new Situation(facts))
  const whole = await engines.explain(workflow, new Situation(facts))
  if (!isDeepStrictEqual(whole, reference)) throw new Error('the traces differ')
  const explained = whole.filter((each) => each.matched)
  const expected = await new ReferenceWorkflow(workflow).events(new Situation(facts))
  if (!isDeepStrictEqual(compiled, expected))
    throw new Error(`${JSON.stringify(compiled)} is not ${JSON.stringify(expected)}`)
  if (!isDeepStrictEqual(triggeredEvents(explained), compiled))
    throw new Error('the trace does not say what was decided')
  return compiled
}
