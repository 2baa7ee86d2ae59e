import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import { createRequest, type Entries, type LiveEvent, type Request } from '@switchboard/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { INBOX, MINE, QUEUE, type InboxRow, type QueueRow } from '../../shared/live/entries.js'
import { fetchAttended, watchAttendance } from '../../shared/attendance.js'
import type { Live, Shown } from '../../shared/live/live.js'
import { CONTACT_CHANGES, RECORD_CHANGES } from '../../shared/live/record-changes.js'
import { TabsLive } from '../../shared/live/tabs.js'
import { THREAD } from '../../shared/live/thread.js'
import { WALLBOARD } from '../../shared/live/wallboard.js'
import { AttendDocument } from '../../generated/attend.js'
import { navigate } from '../../shared/router.js'
import type { Session } from '../../shared/session.js'
import { threadPath } from '../route.js'
import { Alerts } from './alerts.js'
import { Commands } from './commands.js'
import { ConversationActs } from './conversation-acts.js'
import { keptPush } from '../kept.js'
import { Offers } from './offers.js'
import { OrganizationStore } from './organization.js'
import { OwnAvailability } from './own-availability.js'
import { hearWorker } from './worker-words.js'
import { WritingStore } from './writing.js'

/** The live lists that an agent works through. */
export interface Lists {
  readonly queue: Shown<Entries<QueueRow>>
  readonly inbox: Shown<Entries<InboxRow>>
  readonly mine: Shown<Entries<InboxRow>>
}

interface ShownRow {
  conversation: string
  snoozedUntil?: string | null
}

/** The state that a signed-in agent works with, by feature, and the streams that keep it right. One for the page. */
export class ConsoleStore {
  readonly user: string
  readonly request: Request
  readonly live: Live
  readonly commands = new Commands()
  readonly organization: OrganizationStore
  readonly writing: WritingStore
  readonly lists: Lists
  readonly acts: ConversationActs
  readonly availability: OwnAvailability
  readonly offers: Offers
  readonly #alerts: Alerts
  /** The conversation that is open, and the address's word for it. */
  readonly opened = signal<{ id: string; key: string } | null>(null)
  /** Id of the macro that is looked at, empty for the first; null: none is. */
  readonly macro = signal<string | null>(null)
  /** Moves the focus to where the open conversation is gone on with. */
  focusOpened: () => void = () => undefined
  /** Hears of runs of this user's own: set by what shows them. */
  bulkChanged: (event: LiveEvent) => void = () => undefined
  /** The rows of the list that is shown, in their order. */
  #shownRows: readonly ShownRow[] = []
  /** The place that the open conversation has in it, or had last. */
  #place = 0
  /** Moves on each half minute: what shows how long somebody waits reads it. */
  readonly #now = signal(Date.now())
  readonly #clock = setInterval(() => (this.#now.value = this.session.now()), 30_000)
  #isStopped = false
  readonly #stops: (() => void)[] = [
    // Who reads uses the session as well. A failure is made up for by the next.
    watchAttendance(() => void this.request(AttendDocument, {}).catch(() => undefined)),
  ]

  constructor(
    readonly session: Session,
    readonly isAdmin: boolean,
  ) {
    this.#now.value = session.now()
    // What this user has sent goes out as this user or not at all, whoever signs in meanwhile.
    const state = session.state.peek()
    const user = (this.user = typeof state === 'string' ? '' : state.user)
    const token = (isRefused: boolean): Promise<string> => session.token({ user, isRefused })
    const request = (this.request = createRequest({ serverUrl: '', token, fetch: fetchAttended }))
    this.live = new TabsLive({
      serverUrl: location.origin,
      token,
      user,
      build: import.meta.url,
      documents: [QUEUE, INBOX, MINE, THREAD, WALLBOARD, RECORD_CHANGES, CONTACT_CHANGES] as never,
    })
    this.organization = new OrganizationStore(request, user)
    this.writing = new WritingStore({ request, user, storeSecret: session.storeSecret })
    this.acts = new ConversationActs(request)
    this.availability = new OwnAvailability(request)
    this.offers = new Offers({ request, mayRing: () => this.#mayRing, serverNow: () => session.now() })
    this.lists = this.#openLists()
    this.#alerts = new Alerts({ user, me: this.organization.me, live: this.live, ...this.lists })
    // No event says what was missed of these.
    const isReady = computed(() => this.organization.me.value !== null && this.live.connection.value.is === 'live')
    this.#stops.push(
      effect(() => {
        if (!isReady.value) return
        void this.offers.read()
        this.availability.recount()
      }),
      hearWorker({ user, open: (conversation) => navigate(threadPath(conversation)), renew: () => this.#renewPush() }),
    )
  }

  /** True for administrators and supervisors of a channel; what is drawn with it follows its changes. */
  get supervises(): boolean {
    return this.isAdmin || this.organization.supervises.value
  }

  get now(): ReadonlySignal<number> {
    return this.#now
  }

  /** Keeps the list that is shown, and where the open conversation is in it. */
  showRows(rows: readonly ShownRow[], opened: string | null): void {
    this.#shownRows = rows
    const place = rows.findIndex(({ conversation }) => conversation === opened)
    if (place >= 0) this.#place = place
  }

  /** The conversation to go on with after one that leaves the list; null: there is none. */
  nextAfter(id: string): string | null {
    const others = this.#shownRows.filter(({ conversation, snoozedUntil }) => conversation !== id && !snoozedUntil)
    return others[Math.min(this.#place, others.length - 1)]?.conversation ?? null
  }

  async start(): Promise<void> {
    await this.writing.start()
    if (this.#isStopped) return
    await this.organization.load()
    if (keptPush() && !this.#isStopped) this.#renewPush()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#clock)
    for (const stop of this.#stops) stop()
    this.organization.stop()
    this.writing.stop()
    this.availability.stop()
    this.offers.stop()
    this.#alerts.stop()
    for (const list of Object.values(this.lists)) list.close()
    this.live.close()
  }

  /** Reads again what the page knows of the organization. */
  reload(): void {
    void this.organization.load().then(() => this.availability.recount())
  }

  /** Tries at once all that waits: the connection may be back. */
  readonly retryNow = (): void => {
    this.live.retryNow()
    this.writing.retryNow()
  }

  #openLists(): Lists {
    return {
      queue: this.live.open(QUEUE, {}, (event) => this.#alerts.queued(event)),
      inbox: this.live.open(INBOX, {}, (event, before) => {
        this.#alerts.messaged(event, before)
        this.writing.receive(event)
        this.availability.receive(event)
        this.offers.receive(event)
        if (event.__typename === 'BulkChanged') this.bulkChanged(event)
      }),
      mine: this.live.open(MINE, {}, (event, before) => {
        this.#alerts.messaged(event, before)
        this.availability.recount()
      }),
    }
  }

  /** Only the tab that owns the socket rings. */
  get #mayRing(): boolean {
    return this.live.isLeader.peek() && this.organization.me.peek()?.settings.audioOnChat === true
  }

  /** Notifications while no page is open end with each sign-in. */
  #renewPush(): void {
    import('../push/push.js').then(({ renew }) => renew(this)).catch(() => undefined)
  }
}

export const StoreContext = createContext<ConsoleStore | null>(null)

export function useStore(): ConsoleStore {
  return useContext(StoreContext)!
}
