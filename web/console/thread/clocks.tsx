import { t } from '../../shared/i18n/messages.js'
import type { ThreadClock } from '../../shared/live/thread.js'
import { DueTime } from '../lists/due.js'
import { useStore } from '../store/console-store.js'

/** The clocks that have not ended: what is due, and how long until then. */
export function Clocks({ clocks }: { clocks: readonly ThreadClock[] }) {
  const now = useStore().now.value
  const words = t().clocks
  const open = clocks.filter(({ endedAt }) => endedAt === null)
  if (open.length === 0) return null
  return (
    <ul class="sub clocks" aria-label={words.title}>
      {open.toReversed().map(({ id, clock, state, dueAt }) => (
        <li key={id}>
          {words.kinds[clock]}:{' '}
          {state === 'PAUSED' ? words.paused : dueAt ? <DueTime at={dueAt} now={now} /> : words.never}
        </li>
      ))}
    </ul>
  )
}
