import { t } from '../../shared/i18n/messages.js'
import type { ThreadClock } from '../../shared/live/thread.js'
import { dueIn } from '../lists/due.js'
import { useOffice } from '../office.js'

/** The clocks that have not ended: what is due, and how long until then. */
export function Clocks({ clocks }: { clocks: readonly ThreadClock[] }) {
  const now = useOffice().now.value
  const words = t().clocks
  const open = clocks.filter(({ endedAt }) => endedAt === null)
  if (open.length === 0) return null
  return (
    <ul class="sub clocks" aria-label={words.title}>
      {open.toReversed().map(({ id, clock, state, dueAt }) => {
        const due = state === 'PAUSED' ? null : dueIn(dueAt, now)
        const text = state === 'PAUSED' ? words.paused : (due?.text ?? words.never)
        return (
          <li key={id} class={`tag ${due?.tone ?? ''}`}>
            {words.kinds[clock]}: {text}
          </li>
        )
      })}
    </ul>
  )
}
