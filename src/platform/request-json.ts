import { BadUserInput } from './errors.js'

/**
 * Maximum nesting of objects and lists in a request: far more than a filter or a message needs, far less than recursion
 * allows.
 */
export const REQUEST_DEPTH_MAX = 64

/** Maximum number of members of one object in a request: more than fit into the metadata of any record. */
export const REQUEST_MEMBERS_MAX = 12_000

/** Maximum number of members and elements in all objects and lists of a request: several times those of any use. */
export const REQUEST_VALUES_MAX = 50_000

/** The same for a provider's signed call, which brings thousands of events at once. */
export const PROVIDER_VALUES_MAX = 250_000

/** The same for whoever is not signed in as a user: the largest form of a visitor has some hundred. */
export const UNKNOWN_VALUES_MAX = 1_000

/**
 * Parses a client's JSON. Keys such as `__proto__` become own properties, which later checks refuse by name.
 * @throws BadUserInput for invalid JSON, too deep nesting, or too many members and elements
 */
export function parseRequestJson(text: string, field: string, valuesMax = REQUEST_VALUES_MAX): unknown {
  refuseShape(text, field, valuesMax)
  return parseChecked(text, field)
}

/** Parses JSON whose shape was not refused. @throws BadUserInput for invalid JSON */
export function parseChecked(text: string, field: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadUserInput(field, `the ${field} is not JSON: ${(error as Error).message.slice(0, 200)}`)
  }
}

/**
 * Refuses JSON that nests too deep, is too wide or holds too much, before it is parsed: that would cost 50 times as
 * much. Whether it is JSON is left to the parser.
 * @returns the number of members and elements in it
 * @throws BadUserInput
 */
export function refuseShape(text: string, field: string, valuesMax = REQUEST_VALUES_MAX): number {
  let depth = 0
  let values = 0
  /** Counts of each open object and list. */
  const members: number[] = [0]
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COMMA:
        values += 1
        break
      case OPEN_OBJECT:
      case OPEN_LIST:
        // Its first one; the others have commas before them.
        values += 1
        depth += 1
        if (depth > REQUEST_DEPTH_MAX + 1) throw tooDeep(field)
        members[depth] = 0
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth = Math.max(0, depth - 1)
        break
      case COLON: {
        const count = members[depth]! + 1
        members[depth] = count
        if (count > REQUEST_MEMBERS_MAX) {
          throw new BadUserInput(field, `${field} has an object with more than ${REQUEST_MEMBERS_MAX} members`)
        }
      }
    }
    if (values > valuesMax) {
      throw new BadUserInput(field, `${field} has more than ${valuesMax} members and elements in its objects and lists`)
    }
  }
  return values
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Returns the place of the quote that ends the string; the end of the text without one. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Everything behind a transport may recurse into values that were checked here. @throws BadUserInput */
export function refuseDeep(value: unknown, field: string): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > REQUEST_DEPTH_MAX) throw tooDeep(field)
    const below: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      for (const member of Object.values(each)) if (typeof member === 'object' && member !== null) below.push(member)
    }
    level = below
  }
}

function tooDeep(field: string): BadUserInput {
  return new BadUserInput(field, `${field} nests deeper than ${REQUEST_DEPTH_MAX} objects and lists`)
}
