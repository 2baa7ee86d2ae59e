/**
 * Texts of which an expression needs some in whatever it matches: one of the alternatives, with all of its texts. Found
 * in simple expressions only; what is doubtful asks for nothing.
 */
export type RequiredLiterals = readonly (readonly string[])[]

/**
 * Reads them off an expression, so that one that cannot match is known by a search for a word, at a tenth of what the
 * automaton takes for each character.
 * @param source JavaScript's syntax, as `LinearExpression` takes it
 * @returns null when nothing is known; folded (see {@link foldCase}) when the expression ignores case
 */
export function requiredLiterals(source: string): RequiredLiterals | null {
  const ignoresCase = source.startsWith(IGNORE_CASE)
  const expression = ignoresCase ? source.slice(IGNORE_CASE.length) : source
  const alternatives = new Scanner([...expression], ignoresCase).scan()
  if (!alternatives?.every((literals) => literals.length > 0)) return null
  return ignoresCase ? alternatives.map((literals) => literals.map(foldCase)) : alternatives
}

export function ignoresCase(source: string): boolean {
  return source.startsWith(IGNORE_CASE)
}

/** What `k` and `s` match besides themselves when case is ignored: the Kelvin sign (lower case does it) and the long s. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ſ', 's')
}

const IGNORE_CASE = '(?i)'
const LITERALS_MAX = 4
/** A single character is in nearly every text. */
const LENGTH_MIN = 2

class Scanner {
  #at = 0
  #run: string[] = []
  #literals: string[] = []
  readonly #alternatives: string[][] = []

  /** @param characters code points */
  constructor(
    private readonly characters: readonly string[],
    private readonly ignoresCase: boolean,
  ) {}

  scan(): string[][] | null {
    for (; this.#at < this.characters.length; this.#at++) {
      if (!this.#step(this.characters[this.#at]!)) return null
    }
    this.#endAlternative()
    return this.#alternatives
  }

  /** @returns false for what this does not read */
  #step(character: string): boolean {
    switch (character) {
      case '|':
        this.#endAlternative()
        return true
      case '.':
      case '^':
      case '$':
        this.#endRun()
        return true
      case '*':
      case '?':
        return this.#quantified(true)
      case '+':
        return this.#quantified(false)
      case '{':
        return this.#counted()
      case '[':
        this.#endRun()
        return this.#skipClass()
      case '(':
        this.#endRun()
        return this.#skipGroup()
      case '\\':
        return this.#escape()
      case ')':
      case ']':
      case '}':
        return false
      default:
        this.#take(character)
        return true
    }
  }

  #take(character: string): void {
    if (this.ignoresCase && !/^[ -~]$/.test(character)) this.#endRun()
    else this.#run.push(character)
  }

  /** Of the last character; of a class or a group nothing is in the run. A lazy quantifier's mark is one more. */
  #quantified(isOptional: boolean): boolean {
    if (isOptional) this.#run.pop()
    this.#endRun()
    return true
  }

  #counted(): boolean {
    const close = this.characters.indexOf('}', this.#at)
    const count = this.characters.slice(this.#at + 1, close).join('')
    // Else the brace stands for itself.
    if (close < 0 || !/^\d+(?:,\d*)?$/.test(count)) return false
    this.#at = close
    return this.#quantified(true)
  }

  #escape(): boolean {
    const escaped = this.characters[++this.#at]
    if (escaped === undefined) return false
    // Those of one letter; what takes more after it is not read.
    if (/^[dDwWsSbBnrtfv]$/.test(escaped)) this.#endRun()
    else if (/^[!-/:-@[-`{-~]$/.test(escaped)) this.#take(escaped)
    else return false
    return true
  }

  /** Leaves the position at its end. */
  #skipClass(): boolean {
    let at = this.#at + 1
    if (this.characters[at] === '^') at++
    // `[]` and `[^]` mean one thing in JavaScript and another in RE2; `[[:alpha:]]` likewise.
    if (this.characters[at] === ']') return false
    for (; at < this.characters.length; at++) {
      const character = this.characters[at]
      if (character === '[') return false
      if (character === '\\') at++
      else if (character === ']') {
        this.#at = at
        return true
      }
    }
    return false
  }

  /** Leaves the position at its end. What a group holds is not looked at. */
  #skipGroup(): boolean {
    let depth = 0
    for (; this.#at < this.characters.length; this.#at++) {
      const character = this.characters[this.#at]
      if (character === '\\') this.#at++
      else if (character === '[') {
        if (!this.#skipClass()) return false
      } else if (character === '(') {
        // Flags reach beyond their group's beginning.
        if (this.characters[this.#at + 1] === '?' && this.characters[this.#at + 2] !== ':') return false
        depth++
      } else if (character === ')' && --depth === 0) return true
    }
    return false
  }

  #endRun(): void {
    if (this.#run.length >= LENGTH_MIN && this.#literals.length < LITERALS_MAX) this.#literals.push(this.#run.join(''))
    this.#run = []
  }

  #endAlternative(): void {
    this.#endRun()
    this.#alternatives.push(this.#literals)
    this.#literals = []
  }
}
