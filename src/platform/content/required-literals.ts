/**
 * Literals that every match of an expression must contain: all texts of at least one alternative. Found for simple
 * expressions only; when in doubt, nothing is required.
 */
export type RequiredLiterals = readonly (readonly string[])[]

/**
 * Extracts literals, so that an expression that cannot match is detected by substring search, at a tenth of the
 * automaton's cost per character.
 * @param source JavaScript's syntax, as for `LinearExpression`
 * @returns null when nothing is required; folded (see {@link foldCase}) when the expression ignores case
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

/** Folds case as expressions do: `k` also matches the Kelvin sign (covered by lower case) and `s` the long s. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ſ', 's')
}

const IGNORE_CASE = '(?i)'
const LITERALS_MAX = 4
/** A single character occurs in nearly every text. */
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

  /** @returns false for unsupported syntax */
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

  /**
   * Handles a quantifier of the last character; after a class or a group the run is empty. Skips the mark of a lazy
   * quantifier.
   */
  #quantified(isOptional: boolean): boolean {
    if (isOptional) this.#run.pop()
    this.#endRun()
    return true
  }

  #counted(): boolean {
    const close = this.characters.indexOf('}', this.#at)
    const count = this.characters.slice(this.#at + 1, close).join('')
    // Otherwise the brace is a literal.
    if (close < 0 || !/^\d+(?:,\d*)?$/.test(count)) return false
    this.#at = close
    return this.#quantified(true)
  }

  #escape(): boolean {
    const escaped = this.characters[++this.#at]
    if (escaped === undefined) return false
    // Only single-letter escapes are supported; longer ones are not.
    if (/^[dDwWsSbBnrtfv]$/.test(escaped)) this.#endRun()
    else if (/^[!-/:-@[-`{-~]$/.test(escaped)) this.#take(escaped)
    else return false
    return true
  }

  /** Skips a class. */
  #skipClass(): boolean {
    let at = this.#at + 1
    if (this.characters[at] === '^') at++
    // `[]` and `[^]` differ between JavaScript and RE2, as does `[[:alpha:]]`.
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

  /** Skips a group, ignoring its contents. */
  #skipGroup(): boolean {
    let depth = 0
    for (; this.#at < this.characters.length; this.#at++) {
      const character = this.characters[this.#at]
      if (character === '\\') this.#at++
      else if (character === '[') {
        if (!this.#skipClass()) return false
      } else if (character === '(') {
        // Inline flags apply beyond their group.
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
