import { batch, signal, type ReadonlySignal } from '@preact/signals'
import { newId, type LiveClientOptions, type LiveEvent, type LivePosition } from '@switchboard/client'
import type { Connection } from './connection.js'
import { LeaderLock } from './leader-lock.js'
import type { Live, NamedDocument, OnEvent, Shown } from './live.js'
import { SocketViews } from './socket.js'
import { OnceAFrame } from './once-a-frame.js'
import type { Held, Said } from './tab-messages.js'

export interface TabsOptions extends Omit<LiveClientOptions, 'onConnection'> {
  /** Tabs of one user share a socket, if they are of one build: another one may speak to each other differently. */
  user: string
  build: string
  /** All documents that a tab may ask the leader for, by name. */
  documents: readonly NamedDocument<never>[]
}

const ALIVE_MS = 3_000
/** A visible tab takes over from a leader that has been silent for this long: a frozen tab keeps its lock. */
const LOST_MS = 10_000

/**
 * One socket for all tabs of a browser. A lock elects the leader, which owns the socket and forwards events to the others;
 * each tab applies it to its own state. When the leader goes, the next one goes on from where the tabs are. Where there
 * are no locks (no secure context), each tab leads itself.
 */
export class TabsLive implements Live {
  readonly #tab = newId()
  readonly #held = new Map<string, Held>()
  readonly #connection = signal<Connection>({ is: 'connecting' })
  readonly #isLeader = signal(false)
  readonly #channel: BroadcastChannel | null
  readonly #timer: ReturnType<typeof setInterval> | null
  readonly #lock: LeaderLock | null
  #socket: SocketViews | null = null
  readonly #changed = new Set<Held>()
  readonly #frame = new OnceAFrame(() => this.#paint())
  #release: () => void = () => undefined
  #deafen: () => void = () => undefined
  #receivedAt = Date.now()
  #isClosed = false
  /** Else a leader would take the tab for one that is gone. */
  #hasLock = false
  /** The leader's: which tabs show what. */
  readonly #shownBy = new Map<string, Set<string>>()
  readonly #watched = new Set<string>()

  constructor(private readonly options: TabsOptions) {
    const canShare = 'BroadcastChannel' in globalThis && navigator.locks !== undefined
    const name = `switchboard live ${options.user} ${options.build}`
    this.#channel = canShare ? new BroadcastChannel(name) : null
    this.#lock = canShare ? new LeaderLock(name, { won: () => this.#lead(), lost: () => this.#lost() }) : null
    this.#timer = canShare ? setInterval(() => this.#heartbeat(), ALIVE_MS) : null
    if (!canShare) {
      this.#lead()
      return
    }
    this.#channel!.addEventListener('message', ({ data }) => this.#receive(data as Said))
    // Held until the tab is gone, however it goes.
    void navigator.locks.request(tabLock(this.#tab), () => {
      if (this.#isClosed) return undefined
      this.#hasLock = true
      if (!this.#socket) this.#askAll()
      return new Promise<void>((resolve) => (this.#release = resolve))
    })
    this.#lock!.stand()
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#connection
  }

  get isLeader(): ReadonlySignal<boolean> {
    return this.#isLeader
  }

  open<State>(
    document: NamedDocument<State>,
    variables: Record<string, unknown>,
    onEvent?: OnEvent<State>,
  ): Shown<State> {
    const key = `${document.name} ${JSON.stringify(variables)}`
    let held = this.#held.get(key)
    if (!held) {
      held = {
        key,
        document: document as NamedDocument<unknown>,
        variables,
        state: signal<unknown>(null),
        error: signal<Error | null>(null),
        latest: null,
        cursor: null,
        shown: 0,
        listeners: new Set(),
      }
      this.#held.set(key, held)
      this.#ask(held)
    }
    held.shown += 1
    const own = held
    const listener = onEvent as OnEvent<unknown> | undefined
    if (listener) own.listeners.add(listener)
    let isOpen = true
    return {
      state: own.state as ReadonlySignal<State | null>,
      error: own.error,
      close: () => {
        if (!isOpen) return
        isOpen = false
        if (listener) own.listeners.delete(listener)
        own.shown -= 1
        if (own.shown > 0) return
        this.#held.delete(key)
        this.#close(this.#tab, key)
      },
    }
  }

  readonly retryNow = (): void => {
    if (this.#socket) this.#socket.retryNow()
    else this.#say({ is: 'retry', tab: this.#tab })
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer)
    for (const key of [...this.#held.keys()]) this.#close(this.#tab, key)
    this.#isClosed = true
    this.#stepDown()
    this.#lock?.close()
    this.#release()
    this.#frame.stop()
    this.#channel?.close()
  }

  #lead(): void {
    if (this.#isClosed) return
    this.#socket = new SocketViews(this.options)
    this.#deafen = this.#socket.connection.subscribe((connection) => {
      this.#connection.value = connection
      this.#say({ is: 'connection', connection })
    })
    this.#isLeader.value = true
    this.#askAll()
    this.#say({ is: 'leader' })
  }

  #stepDown(): void {
    this.#deafen()
    this.#socket?.close()
    this.#socket = null
    this.#shownBy.clear()
    this.#watched.clear()
    this.#isLeader.value = false
    this.#receivedAt = Date.now()
  }

  /** Another tab took over while this one was frozen: it has not been told what this one shows. */
  #lost(): void {
    this.#stepDown()
    this.#askAll()
  }

  #heartbeat(): void {
    if (this.#socket) return this.#say({ is: 'alive' })
    if (document.visibilityState === 'visible' && Date.now() - this.#receivedAt > LOST_MS) {
      this.#receivedAt = Date.now()
      this.#lock!.stand({ steal: true })
    }
  }

  #ask({ key, document: { name }, variables, latest, cursor }: Held): void {
    const from = cursor === null ? null : { state: latest, cursor }
    const said = { is: 'open', tab: this.#tab, key, name, variables, from } as const
    if (this.#socket) this.#serve(said)
    else if (this.#hasLock) this.#say(said)
  }

  readonly #askAll = (): void => this.#held.forEach((held) => this.#ask(held))

  /** Opens a tab's views as the leader, and sends it their state. */
  #serve({ tab, key, name, variables, from }: Extract<Said, { is: 'open' }>): void {
    const found = this.options.documents.find((each) => each.name === name) as NamedDocument<unknown> | undefined
    if (!found) return
    const tabs = this.#shownBy.get(key) ?? new Set()
    this.#shownBy.set(key, tabs.add(tab))
    if (tab !== this.#tab) {
      this.#watch(tab)
      this.#say({ is: 'connection', connection: this.#connection.peek() })
    }
    const position = this.#socket!.position(key)
    if (position) this.#take({ is: 'state', key, position })
    this.#socket!.open(key, found, variables, from, {
      changed: (event, state) => {
        const isSnapshot = event.__typename.endsWith('Snapshot')
        const position = { state, cursor: event.cursor }
        this.#take(isSnapshot ? { is: 'state', key, position } : { is: 'event', key, event })
      },
      ended: (error) => this.#take({ is: 'end', key, message: error.message }),
    })
  }

  #close(tab: string, key: string): void {
    if (!this.#socket) return tab === this.#tab ? this.#say({ is: 'close', tab, key }) : undefined
    const tabs = this.#shownBy.get(key)
    if (!tabs?.delete(tab) || tabs.size > 0) return
    this.#shownBy.delete(key)
    this.#socket.drop(key)
  }

  /** A tab whose lock can be taken is gone. */
  #watch(tab: string): void {
    if (this.#watched.has(tab)) return
    this.#watched.add(tab)
    void navigator.locks.request(tabLock(tab), () => {
      this.#watched.delete(tab)
      for (const key of [...this.#shownBy.keys()]) this.#close(tab, key)
    })
  }

  /** Tells all tabs, the leader itself too. Said only where another tab shows it: it may be a long list. */
  #take(said: Extract<Said, { key: string }>): void {
    const isShownElsewhere = [...(this.#shownBy.get(said.key) ?? [])].some((tab) => tab !== this.#tab)
    if (isShownElsewhere) this.#say(said)
    this.#apply(said)
  }

  #say(said: Said): void {
    if (!this.#isClosed) this.#channel?.postMessage(said)
  }

  #receive(said: Said): void {
    if ('tab' in said) {
      if (!this.#socket) return
      if (said.is === 'open') this.#serve(said)
      else if (said.is === 'close') this.#close(said.tab, said.key)
      else this.#socket.retryNow()
      return
    }
    this.#receivedAt = Date.now()
    // A leader that was stolen from and does not know yet is not to be believed; it will.
    if (this.#socket) return
    if (said.is === 'leader') this.#askAll()
    else if (said.is === 'connection') this.#connection.value = said.connection
    else this.#apply(said)
  }

  #apply(said: Said): void {
    const held = 'key' in said ? this.#held.get(said.key) : undefined
    if (!held) return
    if (said.is === 'state') this.#show(held, said.position)
    else if (said.is === 'event' && held.cursor !== null) this.#advance(held, said.event)
    else if (said.is === 'end') {
      this.#changed.delete(held)
      held.error.value = new Error(said.message)
    }
  }

  /** The screen follows with the next frame: once, however many events come before it. */
  #show(held: Held, { state, cursor }: LivePosition<unknown>): void {
    held.latest = state
    held.cursor = cursor
    this.#changed.add(held)
    this.#frame.ask()
  }

  #paint(): void {
    batch(() => {
      for (const { state, error, latest } of this.#changed) {
        state.value = latest
        error.value = null
      }
      this.#changed.clear()
    })
  }

  #advance(held: Held, event: LiveEvent): void {
    const before = held.latest
    try {
      const position = this.#socket?.position(held.key)
      this.#show(held, position ?? { state: held.document.apply(before, event), cursor: event.cursor })
    } catch {
      // An event was missed: the leader sends the state again.
      held.cursor = null
      return this.#ask(held)
    }
    for (const listener of held.listeners) listener(event, before)
  }
}

function tabLock(tab: string): string {
  return `switchboard tab ${tab}`
}
