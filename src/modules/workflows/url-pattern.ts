import { InvalidExpression, LinearExpression, quoteForExpression } from '../../platform/content/linear-expression.js'

/**
 * Compiles a URL pattern (4.6) for a match of the whole subject:
 *
 * - `$name` (a name of letters and digits) matches one or more letters, digits, `-`, `_`, `~`, `%` or spaces, and so
 *   ends at `/`, `.` or `?`
 * - `( … )` is optional; parentheses nest
 * - `*` matches anything, including nothing
 * - `\` escapes the next character
 *
 * Everything else is literal and case-sensitive: `(http(s)://)($subdomain.)$domain.$tld(/*)`.
 * @throws InvalidExpression
 */
export function compileUrlPattern(pattern: string): LinearExpression {
  return new LinearExpression(`^${expressionOf(pattern)}$`, { dotMatchesNewline: true })
}

/** All characters except control characters and the ASCII punctuation not listed here, so letters of any script too. */
const VARIABLE = '[^\\x00-\\x1f!-$&-,./:-@\\[-^`{-}\\x7f]+'

function expressionOf(pattern: string): string {
  let expression = ''
  let depth = 0
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    switch (character) {
      case '\\':
        if (++at === pattern.length) throw new InvalidExpression('the pattern ends in a backslash')
        expression += quoteForExpression(pattern.charAt(at))
        break
      case '$': {
        const name = /^[A-Za-z0-9]+/.exec(pattern.slice(at + 1))?.[0]
        if (!name)
          throw new InvalidExpression('a $ must be followed by a name of letters and digits, or be written as \\$')
        expression += VARIABLE
        at += name.length
        break
      }
      case '(':
        expression += '(?:'
        depth++
        break
      case ')':
        if (depth-- === 0) throw new InvalidExpression('a ) has no ( before it')
        expression += ')?'
        break
      case '*':
        expression += '.*'
        break
      default:
        expression += quoteForExpression(character)
    }
  }
  if (depth > 0) throw new InvalidExpression('a ( is not closed')
  return expression
}
