import { signal } from '@preact/signals'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import type { OwnState } from '../store/own-availability.js'
import { useStore } from '../store/console-store.js'

/** Not asked again in this tab. */
const isLater = signal(false)

/** Says that no new conversations come, and why: the agent has not started, or missed offers. */
export function AvailabilityBand() {
  const { availability } = useStore()
  const words = t().staffing
  const set = (next: OwnState['availability']): void =>
    void availability.set({ availability: next, reason: null }).catch(() => undefined)
  const standing = availability.state.value?.standing
  if (standing === 'NOT_ANSWERING')
    return (
      <p class="band warn" role="alert">
        <Icon name="info" />
        {words.missed}
        <button class="btn primary small push" onClick={() => set('AVAILABLE')}>
          {words.back}
        </button>
        <button class="btn small" onClick={() => set('AWAY')}>
          {words.pause}
        </button>
      </p>
    )
  if (standing === 'WRAPPING_UP')
    return (
      <p class="band" role="status">
        <Icon name="clock" />
        {words.wrapUp}
        <button class="btn primary small push" onClick={() => set('AVAILABLE')}>
          {words.ready}
        </button>
      </p>
    )
  if (standing !== 'NOT_WORKING' || isLater.value) return null
  return (
    <p class="band warn">
      <Icon name="info" />
      {words.notStarted}
      <button class="btn primary small push" onClick={() => set('AVAILABLE')}>
        {words.start}
      </button>
      <button class="btn ghost small" onClick={() => (isLater.value = true)}>
        {words.later}
      </button>
    </p>
  )
}
