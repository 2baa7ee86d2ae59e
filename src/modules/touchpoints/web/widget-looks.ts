import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { isAbsent, parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'

/** Looks of the widget, from the service's params; null: its own. */
export interface WidgetLooks {
  /** Its heading; the name of the organization by default. */
  title: string | null
  /** A colour, `#rrggbb`, on which white is read. */
  accent: string | null
}

const TITLE_CHARS_MAX = 100
const COLOUR = /^#[\da-f]{6}$/i

/** `params.title` and `params.accent`. @throws BadUserInput */
export function checkLooks({ title, accent }: JsonObject): void {
  if (!isAbsent(title)) parseText(title, 'params.title', { max: TITLE_CHARS_MAX })
  if (isAbsent(accent) || (typeof accent === 'string' && COLOUR.test(accent))) return
  throw new BadUserInput('params.accent', `params.accent ${quoteValue(accent)} is not a colour such as #0b5c8f`)
}

/** Leaves out what a service of another type had under the same names. */
export function looksOf({ title, accent }: JsonObject): WidgetLooks {
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.slice(0, TITLE_CHARS_MAX) : null,
    accent: typeof accent === 'string' && COLOUR.test(accent) ? accent : null,
  }
}
