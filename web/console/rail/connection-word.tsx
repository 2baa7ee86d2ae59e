import { t } from '../../shared/i18n/messages.js'
import { timeOfDay } from '../../shared/i18n/format.js'
import type { Connection } from '../../shared/live/connection.js'
import { useStore } from '../store/console-store.js'

/** Shows by a dot that the screen is up to date, and says in words alone that it is not. */
export function ConnectionWord() {
  const { live, session } = useStore()
  const connection = live.connection.value
  return (
    <div class="live">
      <span class={SHAPES[connection.is].tone}>
        <span class={`dot ${SHAPES[connection.is].shape}`} />
      </span>
      <span role="status">{wordOf(connection, (at) => session.serverTime(at))}</span>
    </div>
  )
}

const SHAPES = {
  live: { tone: 'good', shape: '' },
  connecting: { tone: 'mute', shape: 'hollow' },
  catchingUp: { tone: 'warn', shape: 'hollow' },
  offline: { tone: 'bad', shape: 'bar' },
} as const

function wordOf(connection: Connection, serverTime: (at: number) => number): string {
  const words = t().connection
  switch (connection.is) {
    case 'live':
      return ''
    case 'connecting':
      return words.connecting
    case 'catchingUp':
      return words.catchingUp(connection.events)
    case 'offline':
      return words.offline(timeOfDay(serverTime(connection.since)))
  }
}
