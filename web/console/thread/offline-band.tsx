import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'

/** While the server is away: since when, and that nothing typed is lost. */
export function OfflineBand() {
  const store = useStore()
  const connection = store.live.connection.value
  if (connection.is !== 'offline') return null
  const words = t().connection
  const outbox = store.writing.outbox.value
  const waiting = outbox?.rows.value.length ?? 0
  return (
    <p class="band warn">
      <Icon name="off" />
      {words.offline(timeOfDay(store.session.serverTime(connection.since)))}
      {waiting > 0 && <span>{outbox!.isKept ? words.waits(waiting) : words.waitsHere(waiting)}</span>}
      <button class="btn small push" onClick={store.retryNow}>
        <Icon name="sync" size="s" />
        {words.tryNow}
      </button>
    </p>
  )
}
