import { signal, type ReadonlySignal } from '@preact/signals'

/** Tells how true the screen is. `since` and `events` are of this state. */
export type Connection =
  | { is: 'connecting' }
  | { is: 'live' }
  | { is: 'catchingUp'; events: number }
  | { is: 'offline'; since: number }

/** A socket that returns within this time is not shown as interrupted. */
const AWAY_MS = 1_500
/** Missed events come at once: after a silence of this length there are no more. */
const QUIET_MS = 250

/** Derives the displayed state of the connection from events of the socket and its views. */
export class ConnectionState {
  readonly #state = signal<Connection>({ is: 'connecting' })
  #wasLive = false
  #isOpen = false
  #closedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param isComplete whether each view has a state to show */
  constructor(private readonly isComplete: () => boolean) {}

  get state(): ReadonlySignal<Connection> {
    return this.#state
  }

  opened(): void {
    this.#isOpen = true
    if (this.#wasLive) this.#set({ is: 'catchingUp', events: 0 })
    this.#settleSoon()
  }

  closed(now = Date.now()): void {
    if (!this.#isOpen && this.#closedAt > 0) return
    this.#isOpen = false
    this.#closedAt = now
    this.#after(AWAY_MS, () =>
      this.#set(this.#wasLive ? { is: 'offline', since: this.#closedAt } : { is: 'connecting' }),
    )
  }

  /** An event came in. */
  received(): void {
    const state = this.#state.peek()
    if (state.is === 'catchingUp') this.#set({ is: 'catchingUp', events: state.events + 1 })
    if (state.is !== 'live') this.#settleSoon()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #settleSoon(): void {
    if (!this.#isOpen) return
    this.#after(this.#wasLive ? QUIET_MS : 0, () => {
      if (!this.#isOpen || !this.isComplete()) return
      this.#wasLive = true
      this.#set({ is: 'live' })
    })
  }

  #after(ms: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, ms)
  }

  #set(state: Connection): void {
    this.#state.value = state
  }
}
