import { BadUserInput, quoteValue } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import { nearestNames } from '../../platform/nearest-names.js'
import type { ServiceKind } from './service-kinds.js'

const NAME_CHARS_MAX = 100
const NEAREST_MAX = 3

/**
 * Refuses params that the service's kind does not have. Those that are stored already, since
 * the service had another type, may come back with the whole record.
 * @throws BadUserInput naming `params.<key>`, its value unless it may be a secret, and the nearest names
 */
export function checkKnownParams(given: JsonObject, stored: JsonObject, kind: ServiceKind | undefined): void {
  if (!kind) return
  for (const key of Object.keys(given)) {
    if (kind.params.includes(key) || Object.hasOwn(stored, key)) continue
    const name = key.slice(0, NAME_CHARS_MAX)
    const nearest = nearestNames(name, kind.params, NEAREST_MAX).join(', ')
    const { [key]: value } = given
    const quoted = typeof value === 'string' ? '' : ` (${quoteValue(value)})`
    throw new BadUserInput(
      `params.${name}`,
      `params.${name}${quoted} is not a param of this type of service; ${nearest === '' ? 'it has none' : `the nearest are ${nearest}`}`,
    )
  }
}
