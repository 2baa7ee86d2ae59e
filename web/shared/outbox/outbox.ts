import { effect, signal, type ReadonlySignal } from '@preact/signals'
import { newId, passes, SignedOut } from '@switchboard/client'
import type { Outgoing } from './outgoing.js'
import type { Store } from './store.js'

export interface OutboxOptions {
  store: Store
  user: string
  /** Sends one; the same id twice is done once. @returns what was sent */
  send(outgoing: Outgoing): Promise<Outgoing>
  /** Has the server never send it. @returns whether it was in time */
  cancel(outgoing: Outgoing): Promise<boolean>
  /**
   * Takes one back that was refused, since its author has to decide again, with what was to follow it.
   * @returns false if it stays here, refused
   */
  giveBack?(outgoing: readonly [Outgoing, ...Outgoing[]], refusal: unknown): Promise<boolean>
  now?(): number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** After the server's wait, if any, until its message is on the screen: until then this one stands for it. */
const SHOWN_MS = 1_000

/** Messages between the tabs of a browser: a browser that stores nothing must not lose what another tab is to send. */
type Said =
  | { is: 'kept'; row: Outgoing; isStored: boolean }
  /** Sent, or taken back. */
  | { is: 'gone'; user: string; id: string }
  /** Rows that the store does not have. */
  | { is: 'asked'; user: string }

/** Another one, when tabs of an older version would not understand what is said. */
const NAME = 'switchboard outbox 3'

/**
 * Messages that were sent and that the server has not taken yet: kept before anything is sent, sent in order within a
 * conversation, by one tab at a time, until the server has answered. Nothing typed is lost with a tab or a connection.
 * A refused message waits for the agent; those after it do not wait for it.
 */
export class Outbox {
  readonly #rows = signal<readonly Outgoing[]>([])
  #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : null
  /** Messages that have left: whatever still says that they wait is older. */
  readonly #gone = new Set<string>()
  /** The ones of those that were not sent: the same draft may be sent after all. */
  readonly #takenBack = new Set<string>()
  /** Conversations whose message could not be sent: the others have their turn before it is tried again. */
  readonly #late = new Set<string>()
  readonly #stop = new AbortController()
  #wake: () => void = () => undefined
  #failures = 0

  constructor(private readonly options: OutboxOptions) {
    this.#channel?.addEventListener('message', ({ data }) => this.#receive(data as Said))
  }

  /** Oldest first. */
  get rows(): ReadonlySignal<readonly Outgoing[]> {
    return this.#rows
  }

  get isKept(): boolean {
    return this.options.store.isKept
  }

  /** Goes on with what an earlier page left. */
  async start(): Promise<void> {
    this.#say({ is: 'asked', user: this.options.user })
    for (const row of await this.options.store.all('outbox')) {
      if (row.user === this.options.user && !this.#rows.peek().some(({ id }) => id === row.id)) this.#show(row)
    }
    const { locks } = navigator
    if (!locks) return this.#work()
    const until = { signal: this.#stop.signal }
    void locks.request(`${NAME} ${this.options.user}`, until, () => this.#work()).catch(() => undefined)
  }

  stop(): void {
    this.#stop.abort()
    this.#wake()
    this.#channel?.close()
    this.#channel = null
  }

  async add(outgoing: Outgoing): Promise<void> {
    const { id } = outgoing
    const row = this.#takenBack.has(id) ? { ...outgoing, id: newId() } : outgoing
    // Another tab has sent the same draft.
    if (this.#gone.has(row.id)) return
    this.#show(row)
    await this.#store(row)
  }

  /**
   * @returns the message, which is then the caller's again; null when it was sent already
   * @throws when the server may have it and cannot be asked
   */
  async takeBack(id: string): Promise<Outgoing | null> {
    const row = this.#rows.peek().find((each) => each.id === id)
    if (!row) return null
    const isBack = !row.isTried || row.refusal !== undefined || (await this.options.cancel(row))
    if (isBack) this.#takenBack.add(id)
    await this.#drop(id)
    return isBack ? row : null
  }

  /** The agent wants a refused one sent after all, whatever came meanwhile: it is on the screen. */
  async sendAgain(id: string, now = this.#now()): Promise<void> {
    const row = this.#rows.peek().find((each) => each.id === id)
    if (!row) return
    const { refusal: _refusal, message, ...again } = row
    const { mark: _mark, ...unmarked } = message
    await this.#keep({ ...again, message: unmarked, at: now, isTried: false })
  }

  /**
   * Waits until nothing that was sent in the conversation is on its way. @returns whether the server has all of it: it may refuse it, or
   * not be reached
   */
  sent(conversation: string): Promise<boolean> {
    const isOnItsWay = (row: Outgoing): boolean =>
      row.conversation === conversation && !(row.takenAt ?? row.refusal ?? row.isLate)
    const left = new Set(
      this.#rows
        .peek()
        .filter(isOnItsWay)
        .map(({ id }) => id),
    )
    return new Promise((resolve) => {
      const stop = effect(() => {
        const rows = this.#rows.value
        for (const { id, takenAt } of rows) if (takenAt !== undefined) left.delete(id)
        if (rows.some(isOnItsWay)) return
        resolve(left.size === 0)
        // There is nothing to stop before the first look is over.
        queueMicrotask(() => stop())
      })
    })
  }

  /** The connection is back. */
  readonly retryNow = (): void => {
    this.#failures = 0
    this.#wake()
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const [next, waitMs] = this.#next()
      if (!next) await this.#pause(waitMs)
      else if (next.takenAt !== undefined) await this.#drop(next.id)
      else await this.#send(next)
    }
  }

  async #send(row: Outgoing): Promise<void> {
    await this.#keep({ ...row, isTried: true })
    try {
      const sent = await this.options.send(row)
      this.#failures = 0
      // Shown until its event has come; a command has none.
      if (row.message.type === 'COMMAND') await this.#drop(row.id)
      else await this.#keep({ ...sent, isTried: true, isLate: false, takenAt: this.#now() })
    } catch (error) {
      // After the next sign-in it goes out.
      const isOurs = passes(error) || error instanceof SignedOut
      const back = [
        row,
        ...this.#rows.peek().filter((each) => row.unseen && !each.isTried && isSamePart(each, row)),
      ] as const
      if (!isOurs && (await this.options.giveBack?.(back, error))) {
        for (const { id } of back) {
          this.#takenBack.add(id)
          await this.#drop(id)
        }
        return
      }
      if (!isOurs) return this.#keep({ ...row, isTried: true, refusal: (error as Error).message })
      this.#late.add(row.conversation)
      if (!row.isLate) await this.#keep({ ...row, isTried: true, isLate: true })
      await this.#pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++) * (0.5 + Math.random() / 2))
    }
  }

  /** The oldest that is not refused, of a conversation in which none before it can still be taken back. */
  #next(): [Outgoing | null, number] {
    const blocked = new Set(this.#late)
    let waitMs = Infinity
    for (const row of this.#rows.peek()) {
      if (row.refusal !== undefined || blocked.has(row.conversation)) continue
      const { takenAt, undoMs = 0 } = row
      const restMs = takenAt === undefined ? 0 : takenAt + undoMs + SHOWN_MS - this.#now()
      if (restMs <= 0) return [row, 0]
      waitMs = Math.min(waitMs, restMs)
      if (undoMs) blocked.add(row.conversation)
    }
    if (this.#late.size === 0) return [null, waitMs]
    this.#late.clear()
    return this.#next()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === Infinity ? undefined : setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #keep(row: Outgoing): Promise<void> {
    // Taken back meanwhile.
    if (!this.#rows.peek().some(({ id }) => id === row.id)) return
    this.#show(row)
    await this.#store(row)
  }

  async #store(row: Outgoing): Promise<void> {
    const { store } = this.options
    await store.put('outbox', row)
    this.#say({ is: 'kept', row, isStored: store.isKept })
  }

  async #drop(id: string): Promise<void> {
    this.#forget(id)
    await this.options.store.delete('outbox', id)
    this.#say({ is: 'gone', user: this.options.user, id })
  }

  #say(said: Said): void {
    this.#channel?.postMessage(said)
  }

  #receive(said: Said): void {
    const { user, store } = this.options
    if ((said.is === 'kept' ? said.row.user : said.user) !== user) return
    if (said.is === 'kept') {
      this.#show(said.row)
      // This tab may be able to.
      if (!said.isStored) void store.put('outbox', said.row)
    } else if (said.is === 'gone') {
      this.#forget(said.id)
      void store.delete('outbox', said.id)
    } else if (!store.isKept) {
      for (const row of this.#rows.peek()) this.#say({ is: 'kept', row, isStored: false })
    }
  }

  #show(row: Outgoing): void {
    if (this.#gone.has(row.id)) return
    const others = this.#rows.peek().filter(({ id }) => id !== row.id)
    this.#rows.value = [...others, row].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    this.#wake()
  }

  #forget(id: string): void {
    this.#gone.add(id)
    this.#rows.value = this.#rows.peek().filter((each) => each.id !== id)
    this.#wake()
  }

  #now(): number {
    return this.options.now?.() ?? Date.now()
  }
}

/** Tells whether both are words to the consumer of one conversation. */
function isSamePart({ conversation, message }: Outgoing, other: Outgoing): boolean {
  return (
    conversation === other.conversation && message.type === 'CHAT' && !message.isBackchannel && message.text != null
  )
}
