import { signal, type ReadonlySignal } from '@preact/signals'
import type { Draft, Store } from './store.js'

/** What is being written in each conversation: the same in all tabs of this browser, and after a reload. */
export class Drafts {
  readonly #rows: ReturnType<typeof signal<ReadonlyMap<string, Draft>>>
  readonly #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('switchboard drafts') : null

  private constructor(
    private readonly store: Store,
    private readonly user: string,
    rows: ReadonlyMap<string, Draft>,
  ) {
    this.#rows = signal(rows)
    this.#channel?.addEventListener('message', ({ data }) => this.#hear(data as Draft))
  }

  static async open(store: Store, user: string): Promise<Drafts> {
    const rows = await store.all('drafts')
    return new Drafts(store, user, new Map(rows.map((row) => [row.key, row])))
  }

  get isKept(): boolean {
    return this.store.isKept
  }

  /** By key. */
  get rows(): ReadonlySignal<ReadonlyMap<string, Draft>> {
    return this.#rows as ReadonlySignal<ReadonlyMap<string, Draft>>
  }

  of(conversation: string): Draft | null {
    return this.rows.value.get(this.#key(conversation)) ?? null
  }

  peek(conversation: string): Draft | null {
    return this.rows.peek().get(this.#key(conversation)) ?? null
  }

  async write(conversation: string, text: string, isNote: boolean, at = Date.now()): Promise<void> {
    const draft = { key: this.#key(conversation), text, isNote, at }
    this.#hear(draft)
    this.#channel?.postMessage(draft)
    if (text === '') await this.store.delete('drafts', draft.key)
    else await this.store.put('drafts', draft)
  }

  stop(): void {
    this.#channel?.close()
  }

  #hear(draft: Draft): void {
    const rows = new Map(this.rows.peek())
    if (draft.text === '') rows.delete(draft.key)
    else rows.set(draft.key, draft)
    this.#rows.value = rows
  }

  #key(conversation: string): string {
    return `${this.user} ${conversation}`
  }
}
