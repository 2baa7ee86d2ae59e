import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseList, parseText } from '../../platform/input.js'
import { parseJsonObject, type JsonObject } from '../../platform/json.js'
import type { MessageType } from './message-enums.js'

/** A result reported by a bot: `{name, values}`; further keys are kept as given. */
export interface ReportedResult extends JsonObject {
  name: string
  values: JsonObject
}

const RESULTS_MAX = 50
const NAME_CHARS_MAX = 200
const BYTES_MAX = 65_536
const REPORTING: readonly MessageType[] = ['tag', 'search', 'report']

/** Parses the additional keys that GraphQL has in an object of their own. */
function parseCustom(value: unknown, field: string): JsonObject {
  if (isAbsent(value)) return {}
  const custom = parseJsonObject(value, field)
  const clash = ['name', 'values'].find((key) => Object.hasOwn(custom, key))
  if (clash === undefined) return custom
  throw new BadUserInput(`${field}.${clash}`, `${field}.${clash} is a known key: send it outside of custom`)
}

/** Parses reported results; none if absent. @throws BadUserInput naming the field: `results[0].values` */
export function parseReportedResults(value: unknown, field: string, type: MessageType): ReportedResult[] {
  if (isAbsent(value)) return []
  if (!REPORTING.includes(type)) {
    throw new BadUserInput(field, `${field} can be in messages of type ${REPORTING.join(', ')}, not in ${type}`)
  }
  const results = parseList(value, field, RESULTS_MAX).map((each, index) => {
    const at = `${field}[${index}]`
    const { custom, ...result } = parseJsonObject(each, at)
    const name = parseText(result.name, `${at}.name`, { min: 1, max: NAME_CHARS_MAX })
    return {
      ...result,
      ...parseCustom(custom, `${at}.custom`),
      name,
      values: parseJsonObject(result.values, `${at}.values`),
    }
  })
  const bytes = Buffer.byteLength(JSON.stringify(results))
  if (bytes <= BYTES_MAX) return results
  throw new BadUserInput(field, `${field} has ${bytes} bytes as JSON; at most ${BYTES_MAX} are allowed`)
}
