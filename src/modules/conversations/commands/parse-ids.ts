import { isId } from '../../../platform/db/clock.js'
import { mismatch } from '../../../platform/input.js'

const IDS_MAX = 100

/**
 * Parses a command's list of ids (2.12).
 * @throws BadUserInput naming the field if it is not a list, empty or too long, or holds anything but ids
 */
export function parseIds(value: unknown, field: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > IDS_MAX) {
    throw mismatch(field, value, `must be a list of 1 to ${IDS_MAX} ids`)
  }
  return value.map((id, index) => {
    if (isId(id)) return id.toLowerCase()
    throw mismatch(`${field}[${index}]`, id, 'must be an id')
  })
}
