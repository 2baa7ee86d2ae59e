import { BadUserInput, quoteValue } from './errors.js'
import { parseText } from './input.js'

/** @throws BadUserInput for a zone that the IANA Time Zone Database does not contain */
export function parseTimezone(value: unknown, field: string): string {
  const zone = parseText(value, field, { max: 64 })
  // Intl also accepts offsets such as `+01:00`, which are no zones.
  if (/^[A-Za-z]/.test(zone) && isKnownZone(zone)) return zone
  throw new BadUserInput(field, `${field} ${quoteValue(zone)} is not a zone of the IANA Time Zone Database`)
}

function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
