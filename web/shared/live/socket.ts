import type { ReadonlySignal } from '@preact/signals'
import { ConnectionState, type Connection } from './connection.js'
import type { NamedDocument } from './live.js'
import {
  LiveClient,
  type LiveClientOptions,
  type LiveEvent,
  type LivePosition,
  type LiveView,
} from '@switchboard/client'

export interface ViewListener {
  changed(event: LiveEvent, state: unknown): void
  ended(error: Error): void
}

/** The views of one socket by key, each opened once however many show it. */
export class SocketViews {
  readonly #client: LiveClient
  readonly #views = new Map<string, LiveView<unknown>>()
  readonly #connection = new ConnectionState(() => [...this.#views.values()].every(({ state }) => state !== null))

  constructor(options: Omit<LiveClientOptions, 'onConnection'>) {
    this.#client = new LiveClient({
      ...options,
      onConnection: (isOpen) => (isOpen ? this.#connection.opened() : this.#connection.closed()),
    })
    addEventListener('online', this.retryNow)
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#connection.state
  }

  /** The view's present state; null when it is not open or has nothing yet. */
  position(key: string): LivePosition<unknown> | null {
    const view = this.#views.get(key)
    return view && view.cursor !== null ? { state: view.state, cursor: view.cursor } : null
  }

  open(
    key: string,
    document: NamedDocument<unknown>,
    variables: Record<string, unknown>,
    from: LivePosition<unknown> | null,
    listener: ViewListener,
  ): void {
    if (this.#views.has(key)) return
    const view = this.#client.open(document, {
      variables,
      from,
      onChange: (state, event) => {
        this.#connection.received()
        listener.changed(event, state)
      },
      onEnd: (error) => {
        this.#views.delete(key)
        this.#connection.received()
        listener.ended(error)
      },
    })
    this.#views.set(key, view)
  }

  drop(key: string): void {
    this.#views.get(key)?.close()
    this.#views.delete(key)
  }

  readonly retryNow = (): void => this.#client.retryNow()

  close(): void {
    removeEventListener('online', this.retryNow)
    this.#connection.stop()
    void this.#client.close()
  }
}
