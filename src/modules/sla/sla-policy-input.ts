import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseFields, parseInteger, parseList, parseOneOf } from '../../platform/input.js'
import { CLOCK_KINDS } from './clock-kind.js'
import { parseActs } from './sla-act-input.js'
import type { SlaTarget } from './sla-policy.js'

const TARGET_FIELDS = ['clock', 'seconds', 'minutes', 'warnSeconds', 'warnMinutes', 'acts'] as const
const MINUTES_MAX = 525_600
const POSITION_MAX = 1_000_000

export const parsePosition = (value: unknown, field: string): number => parseInteger(value, field, 0, POSITION_MAX)

/** @throws BadUserInput naming the field: `targets[1].seconds` */
export function parseTargets(value: unknown, field: string): SlaTarget[] {
  const targets = parseList(value, field, CLOCK_KINDS.length).map((item, index): SlaTarget => {
    const at = `${field}[${index}]`
    const given = parseFields(item instanceof Object ? { ...item } : item, at, TARGET_FIELDS)
    const clock = parseOneOf(given.clock, `${at}.clock`, CLOCK_KINDS)
    const seconds = readSeconds(at, { seconds: given.seconds, minutes: given.minutes })
    if (seconds === null)
      throw new BadUserInput(`${at}.seconds`, `${at}.seconds or ${at}.minutes is required`, 'MISSING_VALUE')
    const warnSeconds = readSeconds(at, { warnSeconds: given.warnSeconds, warnMinutes: given.warnMinutes })
    if (warnSeconds !== null && warnSeconds >= seconds) {
      const named = isAbsent(given.warnSeconds) ? 'warnMinutes' : 'warnSeconds'
      const message = `${at}.${named} must be less than the target of ${seconds} seconds, not ${warnSeconds}`
      throw new BadUserInput(`${at}.${named}`, message)
    }
    const acts = parseActs(given.acts, `${at}.acts`, { clock, warns: warnSeconds !== null })
    const minutes = { minutes: wholeMinutes(seconds), warnMinutes: wholeMinutes(warnSeconds) }
    return { clock, seconds, warnSeconds, ...minutes, acts }
  })
  if (targets.length === 0) throw new BadUserInput(field, `${field} must contain at least one target`)
  for (const [index, { clock }] of targets.entries()) {
    if (targets.findIndex((target) => target.clock === clock) < index) {
      throw new BadUserInput(`${field}[${index}].clock`, `${field}[${index}].clock "${clock}" has a target already`)
    }
  }
  return targets.toSorted((one, other) => CLOCK_KINDS.indexOf(one.clock) - CLOCK_KINDS.indexOf(other.clock))
}

/** Reads a time that may be given in seconds, in minutes, or in both; null if it is not given. */
function readSeconds(at: string, given: Readonly<Record<string, unknown>>): number | null {
  const [[secondsName, seconds], [minutesName, minutes]] = Object.entries(given) as [Named, Named]
  const inSeconds = isAbsent(seconds) ? null : parseInteger(seconds, `${at}.${secondsName}`, 1, MINUTES_MAX * 60)
  const inMinutes = isAbsent(minutes) ? null : parseInteger(minutes, `${at}.${minutesName}`, 1, MINUTES_MAX) * 60
  if (inSeconds !== null && inMinutes !== null && inSeconds !== inMinutes) {
    const message = `${at}.${secondsName} ${inSeconds} and ${at}.${minutesName} ${inMinutes / 60} are different times`
    throw new BadUserInput(`${at}.${secondsName}`, message)
  }
  return inSeconds ?? inMinutes
}

type Named = [name: string, value: unknown]

function wholeMinutes(seconds: number | null): number | null {
  return seconds !== null && seconds % 60 === 0 ? seconds / 60 : null
}
