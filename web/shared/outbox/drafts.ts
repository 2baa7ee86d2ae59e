import { signal, type ReadonlySignal } from '@preact/signals'
import type { Draft, MailHead, Store } from './store.js'

/** A draft to save on the server: it is deleted if nothing was typed. */
export interface SavedDraft {
  conversation: string
  text: string
  isNote: boolean
  mail: MailHead | null
}

/** The server's copy. */
export interface ServerDraft {
  text: string
  isBackchannel: boolean
  mail?: MailHead | null
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
    { isHeld = false, proposal }: { isHeld?: boolean; proposal?: string | undefined } = {},
  ): Promise<void> {
    const since = this.peek(conversation)
    const isForgotten = text === '' && since === null
    const key = this.#key(conversation)
    const taken = text === '' ? {} : proposalOf(proposal ? { proposal } : since)
    const kept = { key, text, isNote, ...mailOf(since), ...taken, at: Date.now(), isSaved: false }
    await this.#keep({ ...kept, ...(isHeld && { isHeld }) })
    if (!isForgotten) this.#saveLater(conversation, text === '' ? 0 : SAVE_MS)
  }

  /** @param mail null for what goes to the contact alone */
  async writeMail(conversation: string, mail: MailHead | null): Promise<void> {
    const { mail: _mail, ...since } = this.peek(conversation) ?? {
      key: this.#key(conversation),
      text: '',
      isNote: false,
    }
    await this.#keep({ ...since, ...(mail && { mail }), at: Date.now(), isSaved: false })
    this.#saveLater(conversation)
  }

  /** Writes what stands in a text box of this page and is not written yet. @returns removes the writer */
  addWriter(write: () => void): () => void {
    this.#writers.add(write)
    return () => void this.#writers.delete(write)
  }

  /** A message that was taken back or held is written again, before whatever was typed since, and to whom it was to go. */
  async giveBack(
    conversation: string,
    text: string,
    isNote: boolean,
    {
      isHeld = false,
      mail = null,
      proposal,
    }: { isHeld?: boolean; mail?: MailHead | null; proposal?: string | undefined } = {},
  ): Promise<void> {
    for (const write of this.#writers) write()
    const since = this.peek(conversation)
    // What was typed since may be for others.
    if (mail && isBlank(since?.mail)) await this.writeMail(conversation, mail)
    if (!since?.text) return this.write(conversation, text, isNote, { isHeld, proposal })
    // A note stays a note, whatever it is joined with: colleagues' words must not reach the contact.
    await this.write(conversation, `${text}\n\n${since.text}`, isNote || since.isNote, { isHeld, proposal })
  }

  /**
   * The draft was sent. It is gone from the screen at once and from the store when `stored` resolves, so that what is
   * typed or given back meanwhile stands, and a page that ends here has lost nothing.
   * @param isMail false for what has no recipients of its own, such as a note: those that were typed stay
   */
  async sent(conversation: string, stored: Promise<unknown>, isMail: boolean): Promise<void> {
    const draft = this.peek(conversation)
    const left = {
      key: this.#key(conversation),
      text: '',
      isNote: false,
      ...(!isMail && mailOf(draft)),
      at: Date.now(),
    }
    this.#show(left)
    const shown = this.peek(conversation)
    await stored
    if (this.peek(conversation) !== shown) return
    await this.#keep(left)
    if (draft !== null) this.#saveLater(conversation, 0)
  }

  /** The server's word of one draft; null: it has none. */
  receive(conversation: string, draft: ServerDraft | null): void {
    if (this.#timers.has(conversation) || this.#underWay.has(conversation)) return
    const own = this.peek(conversation)
    const text = draft?.text ?? ''
    const isNote = draft?.isBackchannel ?? false
    const isSame = own?.text === text && own.isNote === isNote && isSameMail(own.mail, draft?.mail)
    if ((own && !own.isSaved && !isSame) || (isSame && own.isSaved) || (!own && !draft)) return
    // Its time makes the id of what is sent, in all tabs the same: a tab may hear of it from the server alone.
    const at = isSame ? own.at : draft ? Date.parse(draft.updatedAt) : Date.now()
    const isHeld = draft?.heldBecause != null
    const key = this.#key(conversation)
    const taken = isSame ? proposalOf(own) : {}
    void this.#keep({ key, text, isNote, ...mailOf(draft), ...taken, at, isSaved: true, isHeld })
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
    const { text = '', isNote = false, mail } = this.peek(conversation) ?? {}
    this.#underWay.add(conversation)
    try {
      await this.save({ conversation, text, isNote, mail: isBlank(mail) ? null : mail! })
      const now = this.peek(conversation)
      if (now && now.text === text && now.mail === mail) await this.#keep({ ...now, isSaved: true })
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
    if (draft.text === '' && isBlank(draft.mail)) await this.store.delete('drafts', draft.key)
    else await this.store.put('drafts', draft)
  }

  #show(draft: Draft): void {
    const rows = new Map(this.rows.peek())
    if (draft.text === '' && !draft.mail) rows.delete(draft.key)
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

const mailOf = (draft: { mail?: MailHead | null } | null): { mail?: MailHead } =>
  draft?.mail ? { mail: draft.mail } : {}

const proposalOf = (draft: { proposal?: string } | null): { proposal?: string } =>
  draft?.proposal ? { proposal: draft.proposal } : {}

/** Fields that were opened, and in which nothing was typed. */
export const isBlank = (mail: MailHead | null | undefined): boolean =>
  !mail || [mail.to, mail.cc, mail.bcc, mail.subject].every((typed) => typed.trim() === '')

function isSameMail(one: MailHead | undefined, other: MailHead | null | undefined): boolean {
  if (isBlank(one) || isBlank(other)) return isBlank(one) && isBlank(other)
  return (['to', 'cc', 'bcc', 'subject'] as const).every((field) => one![field] === other![field])
}

function conversationOf(key: string): string {
  return key.split(' ')[1]!
}
