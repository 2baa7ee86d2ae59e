import {
  AskForPersonDocument,
  ClickDocument,
  EarlierTalkDocument,
  FillDocument,
  IdentifyDocument,
  SayDocument,
  TalkDocument,
  TalkReadDocument,
  TalkTypingDocument,
  type GuestProfileInput,
  type MessageInput,
} from '../../generated/widget.js'
import type { TypedDocument } from '@switchboard/client'
import { newId } from '@switchboard/client/ids'
import type { WidgetOptions } from '../options.js'
import { LiveTalk } from './live.js'
import { Outbox, type Outgoing } from './outbox.js'
import { isTokenRefused, passes, Refused, request } from './request.js'
import { Sessions, type Session } from './session.js'
import { Reach } from './reach.js'
import { readSettings, type Fault, type Settings } from './settings.js'
import { Storage } from './storage.js'
import { OwnTyping } from './own-typing.js'
import { Thread, type TalkEvent } from './thread.js'

/** A visitor's conversation: what was said, what is on its way, and how true what is shown is. */
export class Talk {
  settings: Settings | null = null
  fault: Fault | null = null
  /** The earlier conversation cannot be come back to. */
  isOver = false
  readonly storage: Storage
  readonly #sessions: Sessions
  readonly #outbox: Outbox
  readonly #listeners = new Set<() => void>()
  readonly thread = new Thread({
    readUpTo: () => this.#readUpTo,
    changed: () => this.#changed(),
    arrived: ({ id }) => this.options.host.dispatchEvent(new CustomEvent('switchboard:message', { detail: { id } })),
  })
  readonly #reach = new Reach({
    changed: () => this.#changed(),
    back: () => this.retryNow(),
    look: () => {
      if (!this.#live) void this.loadSettings()
    },
  })
  #live: LiveTalk<TalkEvent> | null = null
  #session: Session | null = null
  #cursor: string | null = null
  #readUpTo = ''
  #isSeen = false
  readonly #ownTyping = new OwnTyping()
  #profile: GuestProfileInput | null = null

  constructor(private readonly options: WidgetOptions) {
    this.storage = new Storage(`switchboard ${options.service}`)
    this.#readUpTo = this.storage.read<string>('read') ?? ''
    this.#sessions = new Sessions(options.server, this.storage)
    this.#outbox = new Outbox(this.storage, {
      send: (outgoing) => this.#send(outgoing),
      inTurn: (run) => this.#sessions.inTurn('send', run),
      changed: () => this.#changed(),
    })
    // Another tab began, sent, or lost the way back.
    addEventListener('storage', ({ key }) => {
      if (key === this.storage.key('')) this.#follow()
      else if (key?.startsWith(this.storage.key('outbox'))) this.#outbox.work()
    })
    addEventListener('online', this.retryNow)
    this.#follow()
    this.#outbox.work()
  }

  get offlineSince(): number | null {
    return this.#reach.offlineSince
  }

  get pending(): readonly Outgoing[] {
    const known = new Set(this.thread.messages.map(({ id }) => id))
    return this.#outbox.rows.filter(({ messages }) => !messages.some(({ id }) => known.has(id!)))
  }

  get server(): string {
    return this.options.server
  }

  /** @returns how to stop */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the service's public settings. */
  async loadSettings(): Promise<void> {
    const { server, service } = this.options
    try {
      const answer = await readSettings(server, service)
      this.fault = 'is' in answer ? answer : null
      if (!('is' in answer)) this.settings = answer
      this.#reach.set(true)
    } catch {
      this.#reach.set(false)
    }
    this.#changed()
  }

  say(message: MessageInput): void {
    const seen = this.thread.messages.at(-1)?.id
    this.#put([{ type: 'CHAT', ...(seen !== undefined && { seen }), ...message }])
    this.#ownTyping.said()
  }

  /** Fills in the form that a message asked for; in place of what was sent before and refused. */
  fill(form: string, fields: MessageInput[]): void {
    for (const { id } of this.#outbox.rows.filter((row) => row.form === form)) this.takeBack(id)
    this.#put(fields, form)
  }

  takeBack(id: string): Outgoing | null {
    return this.#outbox.takeBack(id)
  }

  sendAgain(id: string): void {
    const row = this.takeBack(id)
    if (row) this.#put(row.messages, row.form)
  }

  #put(given: readonly MessageInput[], form?: string): void {
    const messages = given.map((each): MessageInput => ({ ...each, role: 'CONTACT', id: newId() }))
    this.#outbox.add({ id: newId(), messages, form, at: Date.now() })
  }

  readonly retryNow = (): void => {
    this.#outbox.retryNow()
    this.#live?.retryNow()
    if (!this.settings && !this.fault) void this.loadSettings()
  }

  /** Clicks a button of a message. */
  async click(message: string, action: number, item: number | null): Promise<void> {
    await this.ask(ClickDocument, (conversation) => ({ conversation, message, action, item }))
  }

  /** Runs an operation in the conversation, if it can be. */
  tell<Data, Variables>(query: TypedDocument<Data, Variables>, of: (conversation: string) => Variables): void {
    void this.ask(query, of).catch(() => undefined)
  }

  /** Runs an operation in the conversation. */
  ask<Data, Variables>(
    query: TypedDocument<Data, Variables>,
    of: (conversation: string) => Variables,
    given = this.#session,
  ): Promise<Data> {
    const { server } = this.options
    return this.#asGuest((session) => request(server, session.token, query, of(session.conversationId)), given)
  }

  /** Runs with a token that the server takes, getting another when it is refused. */
  async asGuest<T>(run: (session: Session) => Promise<T>): Promise<T> {
    return this.#asGuest(run, await this.#start())
  }

  /** The visitor types, or has stopped. */
  type(isTyping: boolean): void {
    if (!this.#session || this.offlineSince !== null) return
    this.#ownTyping.set(isTyping, (typing) =>
      this.tell(TalkTypingDocument, (conversation) => ({ conversation, typing })),
    )
  }

  identify(profile: GuestProfileInput): void {
    this.#profile = profile
    if (this.#session) this.tell(IdentifyDocument, () => ({ profile }))
  }

  /** True while a bot speaks: the visitor may ask for a person. */
  get isWithBot(): boolean {
    return this.thread.messages.findLast(({ role }) => role !== 'CONTACT')?.isAutomated === true
  }

  async askForPerson(): Promise<void> {
    await this.ask(AskForPersonDocument, (conversation) => ({ conversation })).catch(() => undefined)
  }

  /** True while the visitor looks at the messages. */
  see(isSeen: boolean): void {
    this.#isSeen = isSeen
    this.#markRead()
  }

  async loadEarlier(): Promise<void> {
    const before = this.thread.earlier || null
    const page = await this.ask(EarlierTalkDocument, (id) => ({ id, before })).catch(() => null)
    const earlier = page?.conversation?.messages
    if (!earlier) return
    this.thread.earlier = earlier.pageInfo.hasPreviousPage ? earlier.pageInfo.startCursor : null
    this.thread.merge(earlier.edges.map(({ node }) => node))
    this.#changed()
  }

  async #send({ messages, form }: Outgoing): Promise<void> {
    const session = await this.#start()
    const [message] = messages
    // One by itself, so that a refusal names its fields alone.
    if (form === undefined && message)
      await this.ask(SayDocument, (conversation) => ({ conversation, message }), session)
    else await this.ask(FillDocument, (conversation) => ({ conversation, messages }), session)
    if (form === undefined && message?.text) this.thread.sent(message.id!, message.text)
    this.#reach.set(true)
  }

  async #start(): Promise<Session> {
    const { service, language } = this.options
    try {
      const session = await this.#sessions.start({ service, language, profile: this.#profile })
      if (!this.#session) this.#follow()
      return session
    } catch (error) {
      if (passes(error)) this.#reach.set(false)
      if (error instanceof Refused && error.code === 'NOT_FOUND') this.fault = { is: 'unknown', message: error.message }
      throw error
    }
  }

  async #asGuest<T>(run: (session: Session) => Promise<T>, given = this.#session): Promise<T> {
    if (!given) throw new Error('there is no conversation yet')
    try {
      return await run(given)
    } catch (error) {
      if (passes(error)) this.#reach.set(false)
      if (!isTokenRefused(error)) throw error
      const renewed = await this.#sessions.renew(given.token)
      if (renewed) return run(renewed)
      this.#end()
      return run(await this.#start())
    }
  }

  /** Goes on with the session that the browser keeps. */
  #follow(): void {
    const session = this.#sessions.current
    const isSame = session?.conversationId === this.#session?.conversationId
    this.#session = session
    if (isSame) return
    this.#live?.stop()
    this.#live = null
    if (!session) return
    this.#cursor = null
    const { server } = this.options
    this.#live = new LiveTalk(`${server.replace(/^http/, 'ws')}/graphql`, TalkDocument, {
      token: (isRefused) => this.#token(isRefused),
      variables: () => ({ id: session.conversationId, after: this.#cursor }),
      event: (event) => this.#event(event),
      connection: this.#reach.set,
      // The conversation is no longer there, or not the guest's: as good as a token that ended.
      refused: () => this.#end(),
    })
  }

  async #token(isRefused: boolean): Promise<string | null> {
    const session = this.#sessions.current
    if (!session || !isRefused) return session?.token ?? null
    const renewed = await this.#sessions.renew(session.token)
    if (!renewed) this.#end()
    return renewed?.token ?? null
  }

  /** The conversation stays on the screen; the next message starts a new one. */
  #end(): void {
    this.storage.write('', null)
    this.#live?.stop()
    this.#live = null
    this.#session = null
    this.isOver = true
    this.thread.earlier = null
    this.thread.place = null
    this.#reach.set(true)
    this.#changed()
    this.#outbox.work()
  }

  #event(event: TalkEvent): void {
    this.#cursor = event.cursor
    this.#reach.set(true)
    this.thread.apply(event)
    this.#markRead()
    this.#changed()
  }

  #markRead(): void {
    const last = this.thread.lastOfOthers
    if (!this.#isSeen || !last || !this.#session || document.hidden) return
    this.thread.unread = 0
    if (last.id === this.#readUpTo) return
    this.#readUpTo = last.id
    this.storage.write('read', last.id)
    this.tell(TalkReadDocument, (conversation) => ({ conversation, message: last.id }))
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
