import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import {
  CannedResponsesDocument,
  DraftsDocument,
  SaveDraftDocument,
  CancelMessageDocument,
  SendDocument,
  type CannedResponsesQuery,
} from '../shared/graphql/conversations.js'
import { createRequest, passes, Refused, type Entries, type LiveEvent, type Request } from '@switchboard/client'
import { ChannelsDocument, MeDocument, type ChannelsQuery, type MeQuery } from '../shared/graphql/session.js'
import { INBOX, MINE, QUEUE, type DraftNotice, type InboxRow, type QueueRow } from '../shared/live/entries.js'
import type { Live, Shown } from '../shared/live/live.js'
import { OwnAvailability } from './staffing/own-availability.js'
import { Alerts } from './alerts/alerts.js'
import { prepareSounds } from './alerts/sounds.js'
import { Commands } from './commands/commands.js'
import { speak } from './settings/locale.js'
import { TabsLive } from '../shared/live/tabs.js'
import { THREAD } from '../shared/live/thread.js'
import { WALLBOARD } from '../shared/live/wallboard.js'
import { Drafts } from '../shared/outbox/drafts.js'
import { Offers } from './offers/offers.js'
import { keptPush } from './push/kept-push.js'
import { hearWorker } from './push/worker-words.js'
import { threadPath } from './route.js'
import { Outbox } from '../shared/outbox/outbox.js'
import { openStore } from '../shared/outbox/store.js'
import { navigate } from '../shared/router.js'
import type { Session } from '../shared/session.js'

export type Me = MeQuery['me']
export type CannedResponse = CannedResponsesQuery['cannedResponses']['edges'][number]['node']
export type Channel = ChannelsQuery['channels']['edges'][number]['node']

const RETRY_MS = 2_000

/** What a signed-in agent works with, and what keeps it right. One for the page. */
export class Office {
  readonly user: string
  readonly request: Request
  readonly live: Live
  readonly commands = new Commands()
  readonly #alerts: Alerts
  readonly queue: Shown<Entries<QueueRow>>
  readonly inbox: Shown<Entries<InboxRow>>
  readonly mine: Shown<Entries<InboxRow>>
  readonly #me = signal<Me | null>(null)
  readonly #channels = signal<readonly Channel[] | null>(null)
  readonly #canned = signal<readonly CannedResponse[]>([])
  readonly #outbox = signal<Outbox | null>(null)
  readonly #drafts = signal<Drafts | null>(null)
  /** The conversation that is open, and the address's word for it. */
  readonly opened = signal<{ id: string; key: string } | null>(null)
  readonly availability: OwnAvailability
  readonly offers: Offers
  /** Messages that are being edited, by id, with what was typed: kept while other conversations are looked at. */
  readonly edits = signal<ReadonlyMap<string, string>>(new Map())
  /** Moves on each half minute: what shows how long somebody waits reads it. */
  readonly #now = signal(Date.now())
  readonly #clock = setInterval(() => (this.#now.value = this.session.now()), 30_000)
  #isStopped = false
  readonly #stops: (() => void)[] = []

  constructor(
    readonly session: Session,
    readonly isAdmin: boolean,
  ) {
    this.#now.value = session.now()
    // What this user has sent goes out as this user or not at all, whoever signs in meanwhile.
    const state = session.state.peek()
    const user = (this.user = typeof state === 'string' ? '' : state.user)
    const token = (isRefused: boolean): Promise<string> => session.token({ user, isRefused })
    this.request = createRequest({ serverUrl: '', token })
    this.live = new TabsLive({
      serverUrl: location.origin,
      token,
      user,
      build: import.meta.url,
      documents: [QUEUE, INBOX, MINE, THREAD, WALLBOARD] as never,
    })
    this.queue = this.live.open(QUEUE, {}, (event) => this.#alerts.queued(event))
    this.inbox = this.live.open(INBOX, {}, (event, before) => {
      this.#alerts.messaged(event, before)
      this.#receiveDraft(event)
      this.availability.receive(event)
      this.offers.receive(event)
    })
    this.mine = this.live.open(MINE, {}, (event, before) => {
      this.#alerts.messaged(event, before)
      this.availability.recount()
    })
    this.availability = new OwnAvailability(this.request)
    this.offers = new Offers({ request: this.request, mayRing: () => this.#mayRing, serverNow: () => session.now() })
    this.#alerts = new Alerts(this)
    // No event says what was missed of these.
    const isReady = computed(() => this.#me.value !== null && this.live.connection.value.is === 'live')
    this.#stops.push(
      effect(() => {
        if (!isReady.value) return
        void this.offers.read()
        this.availability.recount()
      }),
      hearWorker({ user, open: (conversation) => navigate(threadPath(conversation)), renew: () => this.#renewPush() }),
    )
  }

  /** Of all tabs, the one that owns the socket rings. */
  get #mayRing(): boolean {
    return this.live.isLeader.peek() && this.#me.peek()?.settings.audioOnChat === true
  }

  get me(): ReadonlySignal<Me | null> {
    return this.#me
  }

  get channels(): ReadonlySignal<readonly Channel[] | null> {
    return this.#channels
  }

  /** Of all organizations that the agent sees. */
  get canned(): ReadonlySignal<readonly CannedResponse[]> {
    return this.#canned
  }

  get outbox(): ReadonlySignal<Outbox | null> {
    return this.#outbox
  }

  get drafts(): ReadonlySignal<Drafts | null> {
    return this.#drafts
  }

  get now(): ReadonlySignal<number> {
    return this.#now
  }

  /** Channels of which this agent is a member. */
  readonly ownChannels = computed(() => {
    return this.#channels.value?.filter(({ members }) => members.some(({ userId }) => userId === this.user)) ?? null
  })

  /** Whether this agent may see the reports of a channel. */
  readonly supervises = computed(
    () =>
      this.#channels.value?.some(({ members }) =>
        members.some(({ userId, supervisor }) => supervisor && userId === this.user),
      ) ?? false,
  )

  /** Who shares a channel with this agent: all that an agent may know of the others (section 5). */
  readonly colleagues = computed(() => {
    const users = new Map<string, { id: string; displayName: string }>()
    for (const { members } of this.#channels.value ?? []) {
      for (const { userId, user } of members) if (user && userId !== this.user) users.set(userId, user)
    }
    return [...users.values()].toSorted((a, b) => a.displayName.localeCompare(b.displayName))
  })

  async start(): Promise<void> {
    const store = await openStore(this.session.storeSecret, this.user)
    if (this.#isStopped) return
    const { user } = this
    const outbox = new Outbox({
      store,
      user,
      send: async ({ id, conversation, message, undoMs }) => {
        const delay = undoMs === undefined ? {} : { delay: undoMs }
        await this.request(SendDocument, { conversation, message: { ...message, ...delay, id } })
      },
      cancel: async ({ id, conversation }) => {
        try {
          await this.request(CancelMessageDocument, { conversation, id })
          return true
        } catch (error) {
          if (error instanceof Refused && error.code === 'UNPROCESSABLE') return false
          throw error
        }
      },
    })
    this.#outbox.value = outbox
    const drafts = await Drafts.open(store, user, async ({ conversation, text, isNote }) => {
      await this.request(SaveDraftDocument, { conversation, text, isBackchannel: isNote })
    })
    if (this.#isStopped) return drafts.stop()
    this.#drafts.value = drafts
    await outbox.start()
    await this.#load()
    if (keptPush() && !this.#isStopped) this.#renewPush()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#clock)
    for (const stop of this.#stops) stop()
    this.availability.stop()
    this.offers.stop()
    this.#alerts.stop()
    this.queue.close()
    this.inbox.close()
    this.mine.close()
    this.#outbox.peek()?.stop()
    this.#drafts.peek()?.stop()
    this.live.close()
  }

  /** What the page knows of the organization may have changed. */
  reload(): void {
    void this.#load()
  }

  setSettings(settings: Me['settings']): void {
    const me = this.#me.peek()
    if (me) this.#meChanged({ ...me, settings })
  }

  #meChanged(me: Me): void {
    this.#me.value = me
    speak(me.settings)
  }

  /** The connection may be back: all that waits is tried at once. */
  readonly retryNow = (): void => {
    this.live.retryNow()
    this.#outbox.peek()?.retryNow()
  }

  async #load(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const [{ me }, channels, canned, { drafts }] = await Promise.all([
          this.request(MeDocument, {}),
          this.#fetchChannels(),
          this.#fetchCanned(),
          this.request(DraftsDocument, {}),
        ])
        this.#meChanged(me)
        if (me.settings.audioOnChat || me.settings.audioOnMessage) prepareSounds()
        this.#channels.value = channels
        this.availability.recount()
        this.#canned.value = canned
        this.#drafts.peek()?.receiveAll(drafts)
        return
      } catch (error) {
        if (!passes(error)) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** Notifications while no page is open end with each sign-in. */
  #renewPush(): void {
    import('./push/push.js').then(({ renew }) => renew(this)).catch(() => undefined)
  }

  /** Applies a draft that was saved or deleted in another browser. */
  #receiveDraft(event: LiveEvent): void {
    if (event.__typename !== 'DraftChanged') return
    const { conversation, draft } = event as LiveEvent & DraftNotice
    this.#drafts.peek()?.receive(conversation, draft)
  }

  async #fetchCanned(): Promise<CannedResponse[]> {
    const all: CannedResponse[] = []
    for (let after: string | null = null; ;) {
      const { cannedResponses }: CannedResponsesQuery = await this.request(CannedResponsesDocument, { after })
      all.push(...cannedResponses.edges.map(({ node }) => node))
      if (!cannedResponses.pageInfo.hasNextPage) return all
      after = cannedResponses.pageInfo.endCursor
    }
  }

  async #fetchChannels(): Promise<Channel[]> {
    const all: Channel[] = []
    for (let after: string | null = null; ;) {
      const { channels }: ChannelsQuery = await this.request(ChannelsDocument, { after })
      all.push(...channels.edges.map(({ node }) => node))
      if (!channels.pageInfo.hasNextPage) return all
      after = channels.pageInfo.endCursor
    }
  }
}

export const OfficeContext = createContext<Office | null>(null)

export function useOffice(): Office {
  return useContext(OfficeContext)!
}
