import { evaluationTurns } from './evaluation-turns.js'
import type { FactName, Facts, JsonValue } from './facts.js'
import type { PathReader } from './paths.js'

/** A place in the facts that conditions read. */
export interface FactPath {
  /** Fact and path: `message.text`. */
  key: string
  fact: FactName
  read: PathReader
}

/** Stands for the value of a fact that no rule read when the decision was made: it is neither there nor missing. */
export const UNKNOWN = Symbol('unknown')

/** Values at each place that was read, by {@link FactPath.key}; places without a value are omitted. */
export type SeenFacts = Readonly<Record<string, JsonValue>>

/** The clock is read once for this many rules, … */
const RULES_PER_LOOK = 16
/** … or steps of expressions, whichever comes first: some 0.3 ms. */
const STEPS_PER_LOOK = 20_000

/**
 * Budget of all expressions of all workflows that run for a message, half a second at most: beyond it texts are
 * truncated.
 */
const MESSAGE_STEPS = 40_000_000

/**
 * The facts of one message: each place is read once, for all rules of all workflows that run. Also decides when an
 * evaluation must yield to others.
 */
export class Situation {
  readonly #values = new Map<string, unknown>()
  readonly #facts: Facts | null
  #missing: ((path: FactPath) => unknown) | null = null
  #rules = 0
  #steps = 0
  readonly #workflows = new Set<object>()
  #expressionSize = 0
  #textLimit = MESSAGE_STEPS

  constructor(facts: Facts | null) {
    this.#facts = facts
  }

  /**
   * Restores the facts that were recorded with a decision, for the rules that made it: they read each of their places,
   * and what is not among the facts was not there.
   * @param missing answers for a place that is not among the facts; default: there is no value
   */
  static recorded(seen: SeenFacts, missing?: (path: FactPath) => unknown): Situation {
    const situation = new Situation(null)
    for (const key of Object.keys(seen)) situation.#values.set(key, seen[key])
    if (missing) situation.#missing = missing
    return situation
  }

  /** Returns the value, undefined if there is none, and {@link UNKNOWN} if it was not recorded. */
  valueAt(path: FactPath): unknown {
    const { key, fact, read } = path
    const value = this.#values.get(key)
    if (value !== undefined || this.#values.has(key)) return value
    const found = this.#facts ? read(this.#facts[fact]) : this.#missing?.(path)
    this.#values.set(key, found)
    return found
  }

  /** Returns everything that rules have read so far. */
  get seen(): SeenFacts {
    return Object.fromEntries(this.#values.entries().filter(([, value]) => value !== undefined)) as SeenFacts
  }

  /**
   * Number of characters of a text that an expression may read, so that all workflows of the message stay within the
   * budget.
   */
  get textLimit(): number {
    return this.#textLimit
  }

  /**
   * Counts the expressions of a workflow. All workflows are counted before the first runs: an expression's limit must
   * not depend on the order.
   */
  takeIn(workflow: object, expressionSize: number): void {
    if (this.#workflows.has(workflow)) return
    this.#workflows.add(workflow)
    this.#expressionSize += expressionSize
    this.#textLimit = Math.floor(MESSAGE_STEPS / Math.max(this.#expressionSize, 1))
  }

  /**
   * Adds the maximum cost of an expression: its instructions times the characters that it reads. Called for all
   * expressions of a message before they run, so that the budget bounds this sum.
   */
  spend(steps: number): void {
    this.#steps += steps
  }

  /** Tells whether to {@link rest} before the next rule. @param wasLong whether the last rule may have taken a while */
  needsRest(wasLong = false): boolean {
    this.#rules += 1
    if (!wasLong && this.#rules < RULES_PER_LOOK && this.#steps < STEPS_PER_LOOK) return false
    this.#rules = 0
    this.#steps = 0
    return evaluationTurns.isOver
  }

  /** Yields to sockets and timers. The rules and facts of an evaluation do not change meanwhile. */
  rest(): Promise<void> {
    return evaluationTurns.enter()
  }
}
