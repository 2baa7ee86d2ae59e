import { BadUserInput } from '../errors.js'
import { isAbsent, parseFields, parseInteger, parseList, parseOneOf } from '../input.js'
import { parseConditions, type Conditions } from '../workflows/conditions.js'
import { engineRule } from '../workflows/rule-engine.js'
import { CLOCK_KINDS } from './clock-kind.js'
import type { SlaTarget } from './sla-policy.js'

const MINUTES_MAX = 525_600
const POSITION_MAX = 1_000_000

export const parsePosition = (value: unknown, field: string): number => parseInteger(value, field, 0, POSITION_MAX)

/** Conditions as in rules (4.6). @throws BadUserInput naming the field: `conditions.all[1].operator` */
export function parsePolicyConditions(value: unknown, field: string): Conditions {
  const { conditions } = parseConditions(value, field)
  engineRule({ conditions, event: { type: 'notify', params: {} }, priority: 1 }, field)
  return conditions
}

/** @throws BadUserInput naming the field: `targets[1].minutes` */
export function parseTargets(value: unknown, field: string): SlaTarget[] {
  const targets = parseList(value, field, CLOCK_KINDS.length).map((item, index): SlaTarget => {
    const at = `${field}[${index}]`
    const given = parseFields(item instanceof Object ? { ...item } : item, at, ['clock', 'minutes', 'warnMinutes'])
    const clock = parseOneOf(given.clock, `${at}.clock`, CLOCK_KINDS)
    const minutes = parseInteger(given.minutes, `${at}.minutes`, 1, MINUTES_MAX)
    if (isAbsent(given.warnMinutes)) return { clock, minutes, warnMinutes: null }
    if (minutes === 1) {
      throw new BadUserInput(`${at}.warnMinutes`, `${at}.warnMinutes is not possible with a target of 1 minute`)
    }
    return { clock, minutes, warnMinutes: parseInteger(given.warnMinutes, `${at}.warnMinutes`, 1, minutes - 1) }
  })
  if (targets.length === 0) throw new BadUserInput(field, `${field} must contain at least one target`)
  for (const [index, { clock }] of targets.entries()) {
    if (targets.findIndex((target) => target.clock === clock) < index) {
      throw new BadUserInput(`${field}[${index}].clock`, `${field}[${index}].clock "${clock}" has a target already`)
    }
  }
  return targets.toSorted((one, other) => CLOCK_KINDS.indexOf(one.clock) - CLOCK_KINDS.indexOf(other.clock))
}
