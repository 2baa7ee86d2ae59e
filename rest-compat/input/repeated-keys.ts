import { BadUserInput, quoteValue } from '../../src/platform/errors.js'
import { isObject, keyPath } from './input-reader.js'

/**
 * Removes keys from a body, or from each element of a list, that repeat a path parameter: legacy clients put the
 * conversation's ID into each message.
 * @param repeated body key to the path parameter that it must equal
 * @throws BadUserInput naming a key with another value
 */
export function withoutRepeatedKeys(
  body: unknown,
  repeated: Readonly<Record<string, string>>,
  params: Readonly<Record<string, string>>,
): unknown {
  const strip = (value: unknown, path: string): unknown => {
    if (!isObject(value)) return value
    const rest = { ...value }
    for (const [key, parameter] of Object.entries(repeated)) {
      if (!Object.hasOwn(rest, key)) continue
      const given = rest[key]
      if (given !== null && !isSameId(given, params[parameter]!)) {
        const at = keyPath(path, key)
        throw new BadUserInput(at, `${at} ${quoteValue(given)} differs from the one in the path`)
      }
      delete rest[key]
    }
    return rest
  }
  return Array.isArray(body) ? body.map((element, index) => strip(element, `[${index}]`)) : strip(body, '')
}

function isSameId(given: unknown, id: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === id.toLowerCase()
}
