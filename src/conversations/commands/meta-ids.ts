import { isId } from '../../db/clock.js'
import { BadUserInput, quoteValue } from '../../errors.js'
import type { JsonObject } from '../../json.js'

const IDS_MAX = 100

/**
 * Reads a list of ids from a command's metadata (2.12). Null counts as absent (open points).
 * @throws BadUserInput naming the key if the list is required and missing, not a list, empty or too long, or holds
 *   anything but ids
 */
export function idsOf(meta: JsonObject, key: string, { isRequired = false } = {}): string[] | undefined {
  const value = meta[key] ?? undefined
  const field = `meta.${key}`
  if (value === undefined && !isRequired) return undefined
  if (!Array.isArray(value) || value.length === 0 || value.length > IDS_MAX) {
    throw new BadUserInput(field, `${field} must be a list of 1 to ${IDS_MAX} ids, not ${quoteValue(value)}`)
  }
  return value.map((id, index) => {
    if (isId(id)) return id.toLowerCase()
    throw new BadUserInput(`${field}[${index}]`, `${field}[${index}] must be an id, not ${quoteValue(id)}`)
  })
}
