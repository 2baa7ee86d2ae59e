import { BadUserInput, quoteValue } from '../../errors.js'
import { isAbsent, parseList, parseText } from '../../input.js'
import type { JsonObject } from '../../json.js'
import type { ServiceKind } from '../../services/service-kinds.js'

const ORIGINS_MAX = 100
const GREETING_CHARS_MAX = 2_000

/**
 * Params of a service of type `web`: `allowedOrigins`, the sites whose pages may start a session (absent: any), and
 * `greeting`, which the widget shows. Other keys are stored for the widget.
 */
export const webKind: ServiceKind = {
  secrets: {},

  readParams(given: JsonObject): JsonObject {
    const { allowedOrigins, greeting } = given
    if (!isAbsent(allowedOrigins)) {
      const origins = parseList(allowedOrigins, 'params.allowedOrigins', ORIGINS_MAX)
      return { ...given, allowedOrigins: origins.map(parseOrigin) }
    }
    if (!isAbsent(greeting)) parseText(greeting, 'params.greeting', { max: GREETING_CHARS_MAX })
    return given
  },
}

/** Parses an origin as browsers send it: scheme, host and port only. @throws BadUserInput */
function parseOrigin(value: unknown, index: number): string {
  const field = `params.allowedOrigins[${index}]`
  const text = parseText(value, field, { max: 300 })
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isWeb || url.origin !== text.replace(/\/$/, '').toLowerCase()) {
    throw new BadUserInput(field, `${field} ${quoteValue(value)} is not an origin such as https://example.org`)
  }
  return url.origin
}
