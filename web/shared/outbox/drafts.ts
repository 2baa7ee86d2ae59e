import { signal, type ReadonlySignal } from '@preact/signals'
import type { Draft, Store } from './store.js'

/** A draft to save on the server: an empty text deletes it. */
export interface SavedDraft {
  conversation: string
  text: string
  isNote: boolean
}

/** The server's copy. */
export interface ServerDraft {
  text: string
  isBackchannel: boolean
  updatedAt: string
  heldBecause?: object | null
}

/** Delay between the last change and saving it, and before a failed save is repeated. */
const SAVE_MS = 1_500
const AGAIN_MS = 10_000

/**
 * Drafts of each conversation: the same in all tabs of this browser at once, after a reload, and by the
 * server in the user's other browsers. What was written here and not saved yet goes before what the server has.
 */
export class Drafts {
  readonly #rows: ReturnType<typeof signal<ReadonlyMap<string, Draft>>>
  #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('switchboard drafts') : null
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #underWay = new Set<string>()
  readonly #writers = new Set<() => void>()
  #isStopped = false
  readonly #flush = (): void => [...this.#timers.keys()].forEach((conversation) => void this.#save(conversation))

  private constructor(
    private readonly store: Store,
    private readonly user: string,
    rows: ReadonlyMap<string, Draft>,
    private readonly save: (draft: SavedDraft) => Promise<void>,
  ) {
    this.#rows = signal(rows)
    this.#channel?.addEventListener('message', ({ data }) => this.#show(data as Draft))
    addEventListener('pagehide', this.#flush)
    for (const { key, isSaved } of rows.values()) if (!isSaved && this.#isOwn(key)) this.#saveLater(conversationOf(key))
  }

  static async open(store: Store, user: string, save: (draft: SavedDraft) => Promise<void>): Promise<Drafts> {
    const rows = (await store.all('drafts')).filter(({ key }) => key.startsWith(`${user} `))
    return new Drafts(store, user, new Map(rows.map((row) => [row.key, row])), save)
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

  async write(
    conversation: string,
    text: string,
    isNote: boolean,
    { at = Date.now(), isHeld = false }: { at?: number; isHeld?: boolean } = {},
  ): Promise<void> {
    const isForgotten = text === '' && this.peek(conversation) === null
    await this.#keep({ key: this.#key(conversation), text, isNote, at, isSaved: false, ...(isHeld && { isHeld }) })
    if (!isForgotten) this.#saveLater(conversation, text === '' ? 0 : SAVE_MS)
  }

  /** Writes what stands in a text box of this page and is not written yet. @returns removes the writer */
  addWriter(write: () => void): () => void {
    this.#writers.add(write)
    return () => void this.#writers.delete(write)
  }

  /** A message that was taken back or held is written again, before whatever was typed since. */
  async giveBack(conversation: string, text: string, isNote: boolean, isHeld = false): Promise<void> {
    for (const write of this.#writers) write()
    const since = this.peek(conversation)
    if (!since) return this.write(conversation, text, isNote, { isHeld })
    // A note stays a note, whatever it is joined with: colleagues' words must not reach the contact.
    await this.write(conversation, `${text}\n\n${since.text}`, isNote || since.isNote, { isHeld })
  }

  /**
   * The draft was sent. It is gone from the screen at once and from the store when `stored` resolves, so that what is
   * typed or given back meanwhile stands, and a page that ends here has lost nothing.
   */
  async sent(conversation: string, stored: Promise<unknown>): Promise<void> {
    const key = this.#key(conversation)
    const wasKept = this.peek(conversation) !== null
    this.#show({ key, text: '', isNote: false, at: Date.now() })
    await stored
    if (this.peek(conversation) !== null) return
    await this.#keep({ key, text: '', isNote: false, at: Date.now() })
    if (wasKept) this.#saveLater(conversation, 0)
  }

  /** The server's word of one draft; null: it has none. */
  receive(conversation: string, draft: ServerDraft | null): void {
    if (this.#timers.has(conversation) || this.#underWay.has(conversation)) return
    const own = this.peek(conversation)
    const isSame = own !== null && own.text === (draft?.text ?? '')
    if ((own && !own.isSaved && !isSame) || (isSame && own.isSaved) || (!own && !draft)) return
    const at = draft ? Date.parse(draft.updatedAt) : Date.now()
    const isNote = draft?.isBackchannel ?? false
    const isHeld = draft?.heldBecause != null
    void this.#keep({ key: this.#key(conversation), text: draft?.text ?? '', isNote, at, isSaved: true, isHeld })
  }

  /** All drafts that the server has: one that it had and has no more was sent or forgotten elsewhere. */
  receiveAll(drafts: readonly ({ conversation: string } & ServerDraft)[]): void {
    const known = new Set(drafts.map(({ conversation }) => conversation))
    for (const { conversation, ...draft } of drafts) this.receive(conversation, draft)
    for (const { key, isSaved } of this.rows.peek().values()) {
      const conversation = conversationOf(key)
      if (isSaved && this.#isOwn(key) && !known.has(conversation)) this.receive(conversation, null)
    }
  }

  stop(): void {
    this.#flush()
    removeEventListener('pagehide', this.#flush)
    // What is being saved is stored afterwards, without the other tabs.
    this.#channel?.close()
    this.#channel = null
    this.#isStopped = true
  }

  #saveLater(conversation: string, ms = SAVE_MS): void {
    if (this.#isStopped) return
    clearTimeout(this.#timers.get(conversation))
    this.#timers.set(
      conversation,
      setTimeout(() => void this.#save(conversation), ms),
    )
  }

  async #save(conversation: string): Promise<void> {
    clearTimeout(this.#timers.get(conversation))
    this.#timers.delete(conversation)
    const { text = '', isNote = false } = this.peek(conversation) ?? {}
    this.#underWay.add(conversation)
    try {
      await this.save({ conversation, text, isNote })
      const now = this.peek(conversation)
      if (now && now.text === text) await this.#keep({ ...now, isSaved: true })
    } catch {
      // It stays stored here, and is sent again.
      if (!this.#timers.has(conversation)) this.#saveLater(conversation, AGAIN_MS)
    } finally {
      this.#underWay.delete(conversation)
    }
  }

  async #keep(draft: Draft): Promise<void> {
    this.#show(draft)
    this.#channel?.postMessage(draft)
    if (draft.text === '') await this.store.delete('drafts', draft.key)
    else await this.store.put('drafts', draft)
  }

  #show(draft: Draft): void {
    const rows = new Map(this.rows.peek())
    if (draft.text === '') rows.delete(draft.key)
    else rows.set(draft.key, draft)
    this.#rows.value = rows
  }

  #key(conversation: string): string {
    return `${this.user} ${conversation}`
  }

  #isOwn(key: string): boolean {
    return key.startsWith(`${this.user} `)
  }
}

function conversationOf(key: string): string {
  return key.split(' ')[1]!
}
