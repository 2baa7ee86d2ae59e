import { Engine, Rule, type RuleProperties } from 'json-rules-engine'
import { BadUserInput } from '../../platform/errors.js'
import { isGroup, membersOf, type Conditions, type LeafCondition } from './conditions.js'
import { FACT_NAMES, type FactName } from './facts.js'
import { OPERATOR_NAMES, type OperatorName } from './operators.js'
import type { RuleDefinition } from './rule-definition.js'

/** Questions that json-rules-engine asks while it runs. */
export interface EngineQuestions {
  valueAt(fact: FactName, path: string): unknown
  /** @param asked what {@link engineRule} put in place of the condition's value */
  holds(operator: OperatorName, value: unknown, asked: unknown): boolean
}

/**
 * Creates json-rules-engine with the facts, paths and operators of 4.6. It defines the meaning of rules: they are saved
 * only if it accepts them, trials run it (`reference-workflow.ts`) beside the evaluation of messages
 * (`compiled-workflow.ts`), and `RULES_ENGINE=reference` runs nothing else.
 */
export function createRuleEngine({ valueAt, holds }: EngineQuestions): Engine {
  const engine = new Engine([], {
    allowUndefinedFacts: true,
    pathResolver: (fact, path) => valueAt((fact as unknown as FactToken).name, path),
  })
  for (const name of FACT_NAMES) engine.addFact<FactToken>(name, () => ({ name }))
  for (const name of OPERATOR_NAMES) {
    engine.addOperator(name, (value: unknown, asked: unknown) => holds(name, value, asked))
  }
  engine.addOperator(NEVER, () => false)
  return engine
}

/** Stands for a fact, of which only paths are read. */
interface FactToken {
  name: FactName
}

/**
 * Converts a rule for the engine. @param askedOf what its operators get in place of a condition's value
 * @throws BadUserInput naming the rule when the engine refuses it
 */
export function engineRule(
  { id, conditions, event, priority }: Omit<RuleDefinition, 'id'> & { id?: string },
  field = '',
  askedOf: (leaf: LeafCondition) => unknown = ({ value }) => value,
): Rule {
  try {
    return new Rule({
      ...(id !== undefined && { name: id }),
      conditions: engineConditions(conditions, askedOf),
      event: { ...event, params: { ...event.params } },
      priority,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadUserInput(field, `${field || 'the rule'} is refused by the rule engine: ${reason}`)
  }
}

const NEVER = 'never'

/** The engine treats an empty `any` as true; 4.6 requires at least one that holds. */
function engineConditions(
  conditions: Conditions,
  askedOf: (leaf: LeafCondition) => unknown,
): RuleProperties['conditions'] {
  const members = membersOf(conditions).map((member) =>
    isGroup(member) ? engineConditions(member, askedOf) : { ...member, value: askedOf(member) },
  )
  if ('all' in conditions) return { all: members } as RuleProperties['conditions']
  const never = { fact: 'context', path: '.process', operator: NEVER, value: true }
  return { any: members.length > 0 ? members : [never] } as RuleProperties['conditions']
}
