import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { parseText } from '../../platform/input.js'
import { distanceOf, nearestNames } from '../../platform/nearest-names.js'
import { TOUCHPOINTS } from '../touchpoint-traits.js'
import type { ServiceKinds } from './service-kinds.js'

const TYPE_CHARS_MAX = 50
/** At most this many wrong letters in four make a type a slip rather than a name of one's own. */
const SLIPS_IN_FOUR = 1

/**
 * Parses the type of a service. One that the server does not run is stored and does nothing, so it is refused unless the
 * client says that it is its own, and always if it looks like a slip.
 * @throws BadUserInput naming the value and the nearest type
 */
export function parseServiceType(value: unknown, kinds: ServiceKinds, isOwn: boolean): string {
  if (value === null) throw new BadUserInput('type', 'type cannot be cleared')
  const type = parseText(value, 'type', { min: 1, max: TYPE_CHARS_MAX })
  if (type.trim() === '') throw new BadUserInput('type', 'type must not be blank')
  const known = [...new Set([...TOUCHPOINTS, ...kinds.keys()])]
  if (known.includes(type)) return type
  const words = type.trim().toLowerCase()
  const [nearest] = nearestNames(words, known, 1)
  const isSlip = distanceOf(words, nearest!) <= Math.floor((SLIPS_IN_FOUR * words.length) / 4)
  if (isOwn && !isSlip) return type
  const hint = isSlip ? '' : '; with isOwnType: true it is stored as a type of your own'
  throw new BadUserInput(
    'type',
    `type ${quoteValue(type)} is unknown; the nearest is ${nearest}, known are ${known.join(', ')}${hint}`,
  )
}
