import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { isAbsent, parseList, parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { WEB_SETTINGS } from './settings.js'
import { checkLooks } from './widget-looks.js'

const ORIGINS_MAX = 100
const GREETING_CHARS_MAX = 2_000
/** Problem of an empty list: whoever removes the last site from a list may mean either. */
const EMPTY =
  'params.allowedOrigins [] is empty: leave it out if any site may show the widget, or name the address of this server if only its own pages may'

/**
 * Params of a service of type `web`: `allowedOrigins`, the sites whose pages may start a session (absent: any), `greeting`,
 * which the widget shows, and its looks.
 */
export const webKind: ServiceKind = {
  touchpoint: 'web',
  formats: { textCharsMax: null, splitsText: false, html: true, buttonsMax: null, fileBytesMax: null },
  ...WEB_SETTINGS,

  readParams(given: JsonObject): JsonObject {
    const { allowedOrigins, greeting } = given
    if (!isAbsent(greeting)) parseText(greeting, 'params.greeting', { max: GREETING_CHARS_MAX })
    checkLooks(given)
    if (!isAbsent(allowedOrigins)) {
      const origins = parseList(allowedOrigins, 'params.allowedOrigins', ORIGINS_MAX)
      if (origins.length === 0) throw new BadUserInput('params.allowedOrigins', EMPTY)
      return { ...given, allowedOrigins: origins.map(parseOrigin) }
    }
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
