import { isGroup, membersOf, parseConditions, type Condition, type Conditions } from './conditions.js'
import type { RuleEngines } from './evaluation.js'
import type { FactName, Facts } from './facts.js'
import { engineRule } from './rule-engine.js'
import { Situation } from './situation.js'

/** Conditions outside a workflow, of which the first that hold decide. */
export interface Matched {
  conditions: Conditions
}

/** Conditions as in rules (4.6). @throws BadUserInput naming the field: `conditions.all[1].operator` */
export function parseMatched(value: unknown, field: string): Conditions {
  const { conditions } = parseConditions(value, field)
  engineRule({ conditions, event: { type: 'notify', params: {} }, priority: 1 }, field)
  return conditions
}

/**
 * Returns the first of the rows whose conditions hold, evaluated as those of rules are, within the same limits; undefined if none do.
 * @param list names the rows, and with `version` their conditions, by which they are kept compiled
 */
export async function firstMatch<Row extends Matched>(
  engines: RuleEngines,
  rows: readonly Row[],
  { facts, ...list }: { list: string; version: string; facts: Facts },
): Promise<Row | undefined> {
  if (rows.length === 0) return undefined
  const situation = new Situation(facts)
  const event = { type: 'notify' as const, params: {} }
  const rules = rows.map(({ conditions }, index) => ({ id: String(index), conditions, event, priority: 1 }))
  const workflow = { id: list.list, name: list.list, version: list.version, rules }
  await engines.prepare([workflow], situation)
  // The rules that match come in the order of the workflow.
  const [first] = await engines.match(workflow, situation)
  return first && rows[Number(first.rule.id)]
}

/** Lists the facts that conditions read. */
export function factsReadBy(rows: readonly Matched[]): ReadonlySet<FactName> {
  const names = new Set<FactName>()
  const collect = (condition: Condition): void => {
    if (!isGroup(condition)) names.add(condition.fact)
    else for (const each of membersOf(condition)) collect(each)
  }
  for (const { conditions } of rows) collect(conditions)
  return names
}
