import { BadUserInput } from './errors.js'

/**
 * Maximum nesting of objects and lists in a request: far more than a filter or a message needs, far less than recursion
 * allows.
 */
export const REQUEST_DEPTH_MAX = 64

/**
 * Parses a client's JSON. Keys such as `__proto__` become own properties, which later checks refuse by name.
 * @throws BadUserInput for invalid JSON, or too deep nesting
 */
export function parseRequestJson(text: string, field: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BadUserInput(field, `the ${field} is not JSON: ${(error as Error).message.slice(0, 200)}`)
  }
  refuseDeep(value, field)
  return value
}

/** Everything behind a transport may recurse into values that were checked here. @throws BadUserInput */
export function refuseDeep(value: unknown, field: string): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > REQUEST_DEPTH_MAX) {
      throw new BadUserInput(field, `${field} nests deeper than ${REQUEST_DEPTH_MAX} objects and lists`)
    }
    const below: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      for (const member of Object.values(each)) if (typeof member === 'object' && member !== null) below.push(member)
    }
    level = below
  }
}
