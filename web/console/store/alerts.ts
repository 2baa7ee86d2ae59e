import { effect, type ReadonlySignal } from '@preact/signals'
import { t } from '../../shared/i18n/messages.js'
import type { InboxRow, QueueRow } from '../../shared/live/entries.js'
import type { Entries, LiveEvent } from '@switchboard/client'
import type { Me } from './organization.js'
import type { Live, Shown } from '../../shared/live/live.js'
import { navigate } from '../../shared/router.js'
import { distinct } from './queue-rows.js'
import { keptPush } from '../kept.js'
import { threadPath } from '../route.js'
import { play } from './sounds.js'

/** The state on which alerts depend. */
export interface AlertSources {
  readonly user: string
  readonly me: ReadonlySignal<Me | null>
  readonly live: Live
  readonly queue: Shown<Entries<QueueRow>>
  readonly inbox: Shown<Entries<InboxRow>>
  readonly mine: Shown<Entries<InboxRow>>
}

/** Interval at which the sound is repeated while a consumer waits. */
const AGAIN_MS = 30_000

/**
 * Alerts the agent to new conversations and messages according to the settings (2.3): sounds, notifications, a dot on the
 * tab's icon. Of all tabs, the one that owns the socket plays the sounds and notifies.
 */
export class Alerts {
  readonly #stops: (() => void)[] = []
  /** Unread counts of conversations that have left a list: one that was accepted comes into another with them. */
  readonly #left = new Map<string, number>()

  constructor(private readonly sources: AlertSources) {
    const again = setInterval(() => this.#remind(), AGAIN_MS)
    this.#stops.push(
      () => clearInterval(again),
      effect(() => this.#mark()),
    )
  }

  readonly queued = (event: LiveEvent): void => {
    if (event.__typename !== 'QueueEntryAdded' || !this.#mayAlert) return
    const settings = this.#settings
    const { entry } = event as LiveEvent & { entry: QueueRow }
    if (settings?.audioOnChat) play('chat')
    if (settings?.notifyOnChat) void this.#notify(entry)
  }

  /** @param rows before the event */
  readonly messaged = (event: LiveEvent, rows: Entries<InboxRow>): void => {
    const { entry, conversation } = event as LiveEvent & { entry?: InboxRow; conversation?: string }
    if (!entry) {
      const left = event.__typename.endsWith('Removed') && rows.get(conversation ?? '')
      if (left) this.#left.set(left.conversation, left.unreadCount)
      return
    }
    const { inbox, mine } = this.sources
    const id = entry.conversation
    const known = [rows, inbox.state.peek(), mine.state.peek()].map((each) => each?.get(id)?.unreadCount ?? 0)
    const before = rows.has(id) ? known[0]! : Math.max(...known, this.#left.get(id) ?? 0)
    this.#left.delete(id)
    if (entry.unreadCount <= before || !this.#mayAlert) return
    const settings = this.#settings
    if (settings?.audioOnMessage) play('message')
    if (settings?.notifyOnMessage) void this.#notify(entry)
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    showDot(false)
  }

  get #settings(): Me['settings'] | undefined {
    return this.sources.me.peek()?.settings
  }

  get #mayAlert(): boolean {
    return this.sources.live.isLeader.peek()
  }

  #remind(): void {
    const waiting = this.sources.queue.state.peek()?.size ?? 0
    if (waiting > 0 && this.#mayAlert && this.#settings?.audioOnChat) play('chat')
  }

  async #notify(row: Pick<QueueRow, 'conversation' | 'contactName' | 'preview'>): Promise<void> {
    if (document.visibilityState === 'visible' && document.hasFocus()) return
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
    const title = row.contactName || t().list.anonymous
    const options = { body: row.preview ?? '', tag: row.conversation, icon: '/web/icon.svg' }
    // One that was pushed for the same conversation is replaced.
    const registration =
      keptPush()?.user === this.sources.user ? await navigator.serviceWorker?.getRegistration('/console/') : null
    if (registration?.active) return registration.showNotification(title, options)
    const shown = new Notification(title, options)
    shown.addEventListener('click', () => {
      window.focus()
      navigate(threadPath(row.conversation))
      shown.close()
    })
  }

  #mark(): void {
    const { queue, inbox, mine, me } = this.sources
    const settings = me.value?.settings
    const waiting = queue.state.value ? distinct(queue.state.value) : 0
    const rows = [...(inbox.state.value?.values() ?? []), ...(mine.state.value?.values() ?? [])]
    const isUnread = rows.some(({ unreadCount }) => unreadCount > 0)
    showDot((settings?.tabdotNotify === true && waiting > 0) || (settings?.tabdotMessage === true && isUnread))
  }
}

function showDot(isShown: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const href = isShown ? '/web/icon-dot.svg' : '/web/icon.svg'
  if (link && link.getAttribute('href') !== href) link.setAttribute('href', href)
}
