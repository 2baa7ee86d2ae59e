import { signal, type ReadonlySignal } from '@preact/signals'
import { passes } from '@switchboard/client'
import type { Outgoing } from './outgoing.js'
import type { Store } from './store.js'

export interface OutboxOptions {
  store: Store
  user: string
  /** Sends one; the same id twice is done once. */
  send(outgoing: Outgoing): Promise<void>
  /** Has the server never send it. @returns whether it was in time */
  cancel(outgoing: Outgoing): Promise<boolean>
  now?(): number
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** From the end of the server's wait until its message is on the screen: until then this one stands for it. */
const SHOWN_MS = 1_000

/**
 * Messages that were sent and that the server has not taken yet: kept before anything is sent, sent in order within a
 * conversation, by one tab at a time, until the server has answered. Nothing typed is lost with a tab or a connection.
 * A refused message waits for the agent; those after it do not wait for it.
 */
export class Outbox {
  readonly #rows = signal<readonly Outgoing[]>([])
  #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('switchboard outbox') : null
  readonly #stop = new AbortController()
  #wake: () => void = () => undefined
  #failures = 0

  constructor(private readonly options: OutboxOptions) {
    this.#channel?.addEventListener('message', () => void this.#reload())
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
    await this.#reload()
    const { locks } = navigator
    if (!locks) return this.#work()
    const until = { signal: this.#stop.signal }
    void locks.request(`switchboard outbox ${this.options.user}`, until, () => this.#work()).catch(() => undefined)
  }

  stop(): void {
    this.#stop.abort()
    this.#wake()
    this.#channel?.close()
    this.#channel = null
  }

  async add(outgoing: Outgoing): Promise<void> {
    this.#rows.value = [...this.#rows.peek(), outgoing]
    await this.options.store.put('outbox', outgoing)
    this.#changed()
  }

  /**
   * @returns the message, which is then the caller's again; null when it was sent already
   * @throws when the server may have it and cannot be asked
   */
  async takeBack(id: string): Promise<Outgoing | null> {
    const row = this.#rows.peek().find((each) => each.id === id)
    if (!row) return null
    const isBack = !row.isTried || row.refusal !== undefined || (await this.options.cancel(row))
    await this.#drop(id)
    return isBack ? row : null
  }

  /** The agent wants a refused one sent after all. */
  async sendAgain(id: string, now = this.#now()): Promise<void> {
    const row = this.#rows.peek().find((each) => each.id === id)
    if (!row) return
    const { refusal: _refusal, ...again } = row
    await this.#keep({ ...again, at: now, isTried: false })
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
      await this.options.send(row)
      this.#failures = 0
      if (row.undoMs === undefined) await this.#drop(row.id)
      else await this.#keep({ ...row, isTried: true, takenAt: this.#now() })
    } catch (error) {
      if (!passes(error)) return this.#keep({ ...row, isTried: true, refusal: (error as Error).message })
      await this.#pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++) * (0.5 + Math.random() / 2))
    }
  }

  /** The oldest that is not refused, of a conversation in which none before it can still be taken back. */
  #next(): [Outgoing | null, number] {
    const blocked = new Set<string>()
    let waitMs = Infinity
    for (const row of this.#rows.peek()) {
      if (row.refusal !== undefined || blocked.has(row.conversation)) continue
      const restMs = row.takenAt === undefined ? 0 : row.takenAt + row.undoMs! + SHOWN_MS - this.#now()
      if (restMs <= 0) return [row, 0]
      waitMs = Math.min(waitMs, restMs)
      blocked.add(row.conversation)
    }
    return [null, waitMs]
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
    this.#rows.value = this.#rows.peek().map((each) => (each.id === row.id ? row : each))
    await this.options.store.put('outbox', row)
    this.#changed()
  }

  async #drop(id: string): Promise<void> {
    this.#rows.value = this.#rows.peek().filter((each) => each.id !== id)
    await this.options.store.delete('outbox', id)
    this.#changed()
  }

  #changed(): void {
    this.#channel?.postMessage(null)
    this.#wake()
  }

  async #reload(): Promise<void> {
    const rows = await this.options.store.all('outbox')
    const own = rows.filter(({ user }) => user === this.options.user)
    this.#rows.value = own.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    this.#wake()
  }

  #now(): number {
    return this.options.now?.() ?? Date.now()
  }
}
