import { expect, it } from '@jest/globals'
import { RuleEngines } from '../../src/modules/workflows/evaluation.js'
import { mockFacts } from '../../src/modules/workflows/facts.js'
import type { WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'
import { Situation } from '../../src/modules/workflows/situation.js'

/** Finds `end` at the end of a text, by an expression of some thousand instructions. */
function workflowOf(id: string): WorkflowDefinition {
  const rules = Array.from({ length: 4 }, (_, index) => ({
    id: `${id} ${index}`,
    conditions: {
      all: [{ fact: 'message', path: '.text', operator: 'match', value: `(b{100}|c{100}|d{100}|end$){5}|end$` }],
    },
    event: { type: 'notify', params: {} },
    priority: 1,
  }))
  return { id, name: id, version: 1, rules } as unknown as WorkflowDefinition
}

it('all workflows of one message share a budget, regardless of their order', async () => {
  const workflows = Array.from({ length: 25 }, (_, index) => workflowOf(`W${index}`))
  const text = `${'a'.repeat(1_500)}end`
  const matchesOf = async (of: readonly WorkflowDefinition[]): Promise<number[]> => {
    const engines = new RuleEngines()
    const situation = new Situation(mockFacts({ message: { text } }, new Date()))
    await engines.prepare(of, situation)
    const matches = []
    for (const workflow of of) matches.push((await engines.match(workflow, situation)).length)
    return matches
  }
  expect(await matchesOf(workflows.slice(0, 1))).toEqual([4])
  expect(await matchesOf(workflows)).toEqual(workflows.map(() => 0))
  expect(await matchesOf(workflows.toReversed())).toEqual(workflows.map(() => 0))
})
