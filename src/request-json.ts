import { BadUserInput } from './errors.js'

/** How deep objects and lists of a request may nest: a filter or a message is far from it, a recursion even further. */
export const REQUEST_DEPTH_MAX = 64

/**
 * A client's JSON text as a value. Keys such as `__proto__` stay what they are, own properties; what reads them refuses
 * them by name.
 * @throws BadUserInput for what is not JSON, or nests too deeply
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

/** Everything behind a transport may recurse into what has passed here. @throws BadUserInput */
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
