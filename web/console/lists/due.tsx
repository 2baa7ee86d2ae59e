import { duration } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'

const MINUTE_MS = 60_000
const SOON_MS = 5 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS

/** The time until something is due: in words, and as the part of an hour that is left; a sign when it is late. */
export function DueTime({ at, now }: { at: string; now: number }) {
  const left = Date.parse(at) - now
  const words = t().clocks
  if (left < 0)
    return (
      <span class="clock bad">
        <Icon name="alert" size="s" />
        {words.late(duration(Math.max(-left, MINUTE_MS)))}
      </span>
    )
  return (
    <span class={left < SOON_MS ? 'clock warn' : 'clock'}>
      <i class="ring" style={`--left:${(left / HOUR_MS) * 100}%`} />
      {words.due(duration(Math.max(left, MINUTE_MS)))}
    </span>
  )
}
