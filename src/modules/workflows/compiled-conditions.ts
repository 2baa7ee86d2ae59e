import { judgeGroup, leafTrace, type ConditionTrace } from './condition-trace.js'
import { isGroup, membersOf, textLimitOf, type Condition, type Conditions, type LeafCondition } from './conditions.js'
import type { FactName } from './facts.js'
import { compileOperator, type Test } from './operators.js'
import { compilePath } from './paths.js'
import { UNKNOWN, type FactPath, type Situation } from './situation.js'

/** @param values the values at each of the {@link FactPaths}, in order */
type Predicate = (values: readonly unknown[], situation: Situation) => boolean
type Explanation = (values: readonly unknown[], situation: Situation) => ConditionTrace

export interface CompiledConditions {
  /** Total number of instructions of its expressions. */
  expressionSize: number
  /** Stops as soon as the result is known. */
  holds: Predicate
  /** Evaluates every condition, including those that cannot change the result. */
  explain: Explanation
}

/** The distinct paths that the rules of a workflow read. */
export class FactPaths {
  readonly #indexes = new Map<string, number>()
  readonly #paths: FactPath[] = []

  indexOf(fact: FactName, path: string): number {
    const key = fact + path
    let index = this.#indexes.get(key)
    if (index === undefined) {
      index = this.#paths.push({ key, fact, read: compilePath(path) }) - 1
      this.#indexes.set(key, index)
    }
    return index
  }

  /** Keys of all paths, as `FactPath.key`. */
  get keys(): ReadonlySet<string> {
    return new Set(this.#indexes.keys())
  }

  valuesIn(situation: Situation): unknown[] {
    return this.#paths.map((path) => situation.valueAt(path))
  }
}

/** Compiles a rule's conditions once for many messages. @throws BadUserInput naming the part that cannot be compiled */
export function compileConditions(conditions: Conditions, paths: FactPaths): CompiledConditions {
  const tests = new Map<LeafCondition, Test>()
  compileTests(conditions, 'conditions', tests)
  const expressionSize = tests.values().reduce((sum, test) => sum + test.expressionSize, 0)
  const textLimit = textLimitOf(expressionSize)
  return { expressionSize, ...compile(conditions) }

  function compile(condition: Condition): Omit<CompiledConditions, 'expressionSize'> {
    if (!isGroup(condition)) return compileLeaf(condition, tests.get(condition)!, paths, textLimit)
    const members = membersOf(condition).map(compile)
    const holds = members.map((member) => member.holds)
    const explainAll: (...of: Parameters<Explanation>) => ConditionTrace[] = (values, situation) =>
      members.map((member) => member.explain(values, situation))
    if ('all' in condition) {
      return {
        holds: every(holds),
        explain: (values, situation) => {
          const all = explainAll(values, situation)
          return { all, ...judgeGroup('all', all) }
        },
      }
    }
    return {
      holds: some(holds),
      explain: (values, situation) => {
        const any = explainAll(values, situation)
        return { any, ...judgeGroup('any', any) }
      },
    }
  }
}

/** Compiles the operators of all leaves into `tests`. @throws BadUserInput naming the part that cannot be compiled */
export function compileTests(condition: Condition, field: string, tests: Map<LeafCondition, Test>): void {
  if (isGroup(condition)) {
    const key = 'all' in condition ? 'all' : 'any'
    membersOf(condition).forEach((member, index) => compileTests(member, `${field}.${key}[${index}]`, tests))
    return
  }
  tests.set(condition, compileOperator(condition.operator, condition.value, `${field}.value`))
}

function compileLeaf(
  condition: LeafCondition,
  test: Test,
  paths: FactPaths,
  textLimit: number,
): Omit<CompiledConditions, 'expressionSize'> {
  const { expressionSize } = test
  const index = paths.indexOf(condition.fact, condition.path)
  const holds: Predicate =
    expressionSize === 0
      ? (values) => test.holds(values[index], textLimit)
      : (values, situation) => {
          const value = values[index]
          const limit = Math.min(textLimit, situation.textLimit)
          if (typeof value === 'string') situation.spend(expressionSize * Math.min(value.length, limit))
          return test.holds(value, limit)
        }
  return {
    holds,
    explain: (values, situation) => {
      const value = values[index]
      return leafTrace(condition, value, value !== UNKNOWN && holds(values, situation))
    },
  }
}

/** True if empty. */
function every(members: readonly Predicate[]): Predicate {
  return (values, situation) => {
    for (const holds of members) if (!holds(values, situation)) return false
    return true
  }
}

/** False if empty. */
function some(members: readonly Predicate[]): Predicate {
  return (values, situation) => {
    for (const holds of members) if (holds(values, situation)) return true
    return false
  }
}
