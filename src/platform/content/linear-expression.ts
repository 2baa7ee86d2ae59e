import { LRUCache } from 'lru-cache'
import { RE2JS, RE2Set } from 're2js'
import { foldCase, ignoresCase, requiredLiterals, type RequiredLiterals } from './required-literals.js'

/**
 * A user's regular expression, run in time linear in the subject: no expression, and no consumer's text, can block the
 * process. (Native `(a+)+$` takes 33 s on 28 characters.)
 */
export class LinearExpression {
  readonly #translated: string
  readonly #flags: number
  readonly #engineKey: string
  readonly #required: RequiredLiterals | null
  readonly #ignoresCase: boolean
  /** Number of instructions, which bounds the steps per character of a subject; includes `costOfClasses`. */
  readonly size: number

  /**
   * @param source JavaScript's syntax without lookaround and backreferences
   * @throws InvalidExpression whose message gives the reason
   */
  constructor(source: string, options: { dotMatchesNewline?: boolean } = {}) {
    this.#flags = options.dotMatchesNewline ? RE2JS.DOTALL : 0
    refuseBacktracking(source)
    const classCost = costOfClasses(source)
    this.#required = requiredLiterals(source)
    this.#ignoresCase = ignoresCase(source)
    try {
      this.#translated = RE2JS.translateRegExp(source)
      this.#engineKey = `${this.#flags} ${this.#translated}`
      this.size = RE2JS.compile(this.#translated, this.#flags).programSize() + classCost
    } catch (error) {
      throw new InvalidExpression(messageOf(error))
    }
  }

  /** Tells whether the expression matches anywhere in the first `limit` characters of `subject`. */
  test(subject: string, limit: number): boolean {
    if (this.#required && !this.#mayMatch(subject, this.#required)) return false
    return this.#engine().match(subject.length > limit ? subject.slice(0, limit) : subject).length > 0
  }

  /** Compiled on first use: most expressions are never needed. */
  #engine(): RE2Set {
    const made = engines.get(this.#engineKey)
    if (made) return made
    const engine = new RE2Set(RE2Set.UNANCHORED, this.#flags, AUTOMATON_BYTES_MAX)
    engine.add(this.#translated)
    engine.compile()
    engines.set(this.#engineKey, engine)
    return engine
  }

  #mayMatch(subject: string, required: RequiredLiterals): boolean {
    let text = subject
    if (this.#ignoresCase) {
      if (folded.text !== subject) folded = { text: subject, as: foldCase(subject) }
      text = folded.as
    }
    return required.some((literals) => literals.every((literal) => text.includes(literal)))
  }
}

/** Many expressions are tested against the same text in succession. */
let folded = { text: '', as: '' }

export class InvalidExpression extends Error {}

/** Quotes every character that has a special meaning in expressions. */
export function quoteForExpression(text: string): string {
  return RE2JS.quote(text)
}

/**
 * A set with one expression instead of `RE2JS` itself, because only the set can limit the automaton that it builds
 * while matching (otherwise 8 MiB per expression); beyond the limit the engine simulates it, which was also measured to
 * be faster.
 */
const AUTOMATON_BYTES_MAX = 256 * 1024
/** Per process, least recently used ones evicted. */
const AUTOMATA_MAX = 2_000
const engines = new LRUCache<string, RE2Set>({ max: AUTOMATA_MAX })

const CLASS_COST_MAX = 5000
const UNICODE_CLASS_COST = 20
const FOLDED_RANGE_COST = 500

/**
 * Estimates in instructions, which take some 10 us each to compile. A Unicode class takes up to a millisecond, and a
 * range beyond ASCII up to 5 ms when case is ignored, since its characters are folded: `[b-\uffff]` 190 times would
 * take 2 s.
 */
function costOfClasses(source: string): number {
  const ignoresCase = /\(\?[A-Za-z-]*i/.test(source)
  const ranges = ignoresCase ? source.matchAll(/-(?:\\?[\u0080-\uffff]|\\[xu])/g).toArray().length : 0
  const classes = source.matchAll(/\\p/gi).toArray().length
  const cost = ranges * FOLDED_RANGE_COST + classes * UNICODE_CLASS_COST
  if (cost > CLASS_COST_MAX) throw new InvalidExpression('it holds too many Unicode classes or ranges')
  return cost
}

const LOOKAROUND = 'lookahead and lookbehind are not supported: expressions run in linear time (RE2 syntax)'
const BACKREFERENCE = 'backreferences are not supported: expressions run in linear time (RE2 syntax)'

/** The translation would turn `\8` and `\k<name>` into literals, which changes the meaning. */
function refuseBacktracking(source: string): void {
  let insideClass = false
  for (let at = 0; at < source.length; at++) {
    const rest = source.slice(at, at + 4)
    if (/^\\(?:[1-9]|k<)/.test(rest)) throw new InvalidExpression(BACKREFERENCE)
    if (!insideClass && /^\(\?<?[=!]/.test(rest)) throw new InvalidExpression(LOOKAROUND)
    if (rest.startsWith('\\')) at++
    else if (rest.startsWith('[')) insideClass = true
    else if (rest.startsWith(']')) insideClass = false
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
}
