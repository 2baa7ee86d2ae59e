import { duration } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'

export interface Due {
  text: string
  tone: 'bad' | 'warn' | ''
}

const MINUTE_MS = 60_000
const SOON_MS = 5 * MINUTE_MS

/** How long until something is due, in words as well as by its tone; null without a due time. */
export function dueIn(at: string | null, now: number): Due | null {
  if (at === null) return null
  const left = Date.parse(at) - now
  const words = t().clocks
  if (left < 0) return { text: words.late(duration(Math.max(-left, MINUTE_MS))), tone: 'bad' }
  return { text: words.due(duration(Math.max(left, MINUTE_MS))), tone: left < SOON_MS ? 'warn' : '' }
}
