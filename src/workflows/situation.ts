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

/** What stood at each place that was read, by {@link FactPath.key}; places where nothing stood are left out. */
export type SeenFacts = Readonly<Record<string, JsonValue>>

/** The clock is read once for so many rules, … */
const RULES_PER_LOOK = 16
/** … or steps of expressions, whichever comes first: some 0.3 ms. */
const STEPS_PER_LOOK = 20_000

/** Of all expressions of all workflows that run for a message, half a second at the worst: past it texts are cut. */
const MESSAGE_STEPS = 40_000_000

/**
 * What the rules see of one message: each place of the facts is read once, for all rules of all workflows that run. It
 * also says when an evaluation has to let others go on.
 */
export class Situation {
  readonly #values = new Map<string, unknown>()
  readonly #facts: Facts | null
  #rules = 0
  #steps = 0
  readonly #workflows = new Set<object>()
  #expressionSize = 0
  #textLimit = MESSAGE_STEPS

  constructor(facts: Facts | null) {
    this.#facts = facts
  }

  /** As it was when a decision was recorded. */
  static recorded(seen: SeenFacts): Situation {
    const situation = new Situation(null)
    for (const key of Object.keys(seen)) situation.#values.set(key, seen[key])
    return situation
  }

  /** Undefined where nothing stands. */
  valueAt({ key, fact, read }: FactPath): unknown {
    const value = this.#values.get(key)
    if (value !== undefined || this.#values.has(key)) return value
    const found = this.#facts ? read(this.#facts[fact]) : undefined
    this.#values.set(key, found)
    return found
  }

  /** All that rules have read until now. */
  get seen(): SeenFacts {
    return Object.fromEntries(this.#values.entries().filter(([, value]) => value !== undefined)) as SeenFacts
  }

  /** Characters of a text that an expression may read, so that all of the message's workflows keep within their budget. */
  get textLimit(): number {
    return this.#textLimit
  }

  /**
   * Counts the expressions of a workflow that runs for the message. All that run are counted before the first does: what
   * an expression reads must not depend on which workflow comes first.
   */
  takeIn(workflow: object, expressionSize: number): void {
    if (this.#workflows.has(workflow)) return
    this.#workflows.add(workflow)
    this.#expressionSize += expressionSize
    this.#textLimit = Math.floor(MESSAGE_STEPS / Math.max(this.#expressionSize, 1))
  }

  /**
   * Counts what an expression costs at most: its instructions times the characters that it reads. All expressions of all
   * workflows that run for a message pass here, before they run: a budget of steps for a message is a bound on this sum.
   */
  spend(steps: number): void {
    this.#steps += steps
  }

  /** Asked after each rule: whether to {@link rest} before the next one. @param wasLong the rule may have taken a while */
  needsRest(wasLong = false): boolean {
    this.#rules += 1
    if (!wasLong && this.#rules < RULES_PER_LOOK && this.#steps < STEPS_PER_LOOK) return false
    this.#rules = 0
    this.#steps = 0
    return evaluationTurns.isOver()
  }

  /** Lets sockets and timers have their turn. The rules and facts of an evaluation do not change meanwhile. */
  rest(): Promise<void> {
    return evaluationTurns.next()
  }
}
