import { Engine, Rule, type RuleProperties } from 'json-rules-engine'
import { BadUserInput } from '../errors.js'
import { isGroup, membersOf, type Conditions } from './conditions.js'
import { compileOperator, OPERATOR_NAMES, type OperatorName, type Test } from './operators.js'
import { compilePath, type PathReader } from './paths.js'
import type { RuleDefinition } from './rule-definition.js'

/**
 * Creates json-rules-engine with the operators of 4.6, some of which replace its own. It defines the meaning of rules:
 * they are saved only if it accepts them, and `npm run bench -- --only rule-oracle` compares it with the evaluation of
 * messages (`compiled-workflow.ts`).
 */
export function createRuleEngine(): Engine {
  const paths = new Map<string, PathReader>()
  const engine = new Engine([], {
    allowUndefinedFacts: true,
    pathResolver: (fact, path) => {
      const read = paths.get(path) ?? compilePath(path)
      paths.set(path, read)
      return read(fact)
    },
  })
  for (const name of OPERATOR_NAMES) engine.addOperator(name, operatorOf(name))
  engine.addOperator(NEVER, () => false)
  return engine
}

/** Converts a rule for the engine. @throws BadUserInput naming the rule when the engine refuses it */
export function engineRule({ conditions, event, priority }: Omit<RuleDefinition, 'id'>, field = ''): Rule {
  try {
    return new Rule({
      conditions: engineConditions(conditions),
      event: { ...event, params: { ...event.params } },
      priority,
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadUserInput(field, `${field || 'the rule'} is refused by the rule engine: ${reason}`)
  }
}

const NEVER = 'never'

function operatorOf(name: OperatorName): (fact: unknown, value: unknown) => boolean {
  const tests = new Map<string, Test>()
  return (fact, value) => {
    const key = JSON.stringify(value)
    const test = tests.get(key) ?? compileOperator(name, value, 'value')
    tests.set(key, test)
    return test.holds(fact, Infinity)
  }
}

/** The engine treats an empty `any` as true; 4.6 requires at least one that holds. */
function engineConditions(conditions: Conditions): RuleProperties['conditions'] {
  const members = membersOf(conditions).map((member) => (isGroup(member) ? engineConditions(member) : { ...member }))
  if ('all' in conditions) return { all: members } as RuleProperties['conditions']
  const never = { fact: 'context', path: '.process', operator: NEVER, value: true }
  return { any: members.length > 0 ? members : [never] } as RuleProperties['conditions']
}
