import type { StreamedPart } from '@switchboard/client'
import type { TalkMessageFragment, TalkSubscription } from '../../generated/widget.js'

export type TalkMessage = TalkMessageFragment
export type TalkEvent = TalkSubscription['conversation']

/** A speaker other than the visitor. */
export type Person = Extract<TalkEvent, { __typename: 'ParticipantsChanged' }>['participants'][number]

const TYPING_MS = 6_000
const NOBODYS = { isAutomated: null, disclosure: null, provenance: null }
/** Most messages in a snapshot. */
const SNAPSHOT_MESSAGES = 50

/** A form of the conversation (2.8), as far as it is filled in. */
export type TalkForm = Extract<TalkEvent, { __typename: 'ConversationChanged' }>['conversation']['forms'][number]

/** Messages of a conversation, kept by its events. */
export class Thread {
  messages: readonly TalkMessage[] = []
  forms: readonly TalkForm[] = []
  /** Those who type. */
  typing: string | null = null
  /** Cursor at which the page before those shown ends; empty while nobody has looked; null when there is none. */
  earlier: string | null = null
  /** Parts of what is being written, until they are shown. */
  readonly streamed: StreamedPart[] = []
  unread = 0
  people: readonly Person[] = []
  /** While the visitor waits. */
  place: Extract<TalkEvent, { __typename: 'QueuePlaceChanged' }>['place'] = null
  #typingTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly options: {
      /** The newest of the other side that the visitor has seen. */
      readUpTo(): string
      changed(): void
      arrived(message: TalkMessage): void
    },
  ) {}

  get lastOfOthers(): TalkMessage | undefined {
    return this.messages.findLast(({ role }) => role !== 'CONTACT')
  }

  /** Names of the agents who have accepted. */
  get agents(): string[] {
    return this.people.flatMap(({ role, name }) => (role === 'BOT' || !name ? [] : name))
  }

  /** Tells whether an agent has marked a message as read. */
  isSeen({ position }: TalkMessage): boolean {
    return this.people.some(({ role, readPosition }) => role !== 'BOT' && (readPosition ?? 0) >= position)
  }

  apply(event: TalkEvent): void {
    switch (event.__typename) {
      case 'ConversationSnapshot':
        this.forms = event.conversation.forms
        this.people = event.participants
        return this.#snapshot(event.messages)
      case 'ParticipantsChanged':
        this.people = event.participants
        return
      case 'ConversationChanged':
        this.forms = event.conversation.forms
        return
      case 'QueuePlaceChanged':
        this.place = event.place
        return
      case 'MessageAdded':
        return this.#added(event.message)
      case 'MessageStreamed':
        this.streamed.push(event)
        return
      case 'MessageChanged':
        return this.merge([event.message])
      case 'MessageRemoved':
        return this.#removed(event.messageId)
      case 'TypingChanged':
        // The visitor's own typing comes back without a user.
        if (event.user !== null) this.#showTyping(event.typing ? (event.name ?? '') : null)
    }
  }

  /** In the order in which they were said; those of a conversation that ended stand first. */
  merge(messages: readonly TalkMessage[]): void {
    const rows = new Map([...this.messages, ...messages].map((message) => [message.id, message]))
    this.messages = [...rows.values()].toSorted(
      (a, b) => a.createdAt.localeCompare(b.createdAt) || a.position - b.position,
    )
  }

  /** Keeps what the server took in its place until the event of it comes. */
  sent(id: string, text: string): void {
    if (this.messages.some((message) => message.id === id)) return
    const last = this.messages.at(-1)
    const createdAt = new Date(Math.max(Date.now(), Date.parse(last?.createdAt ?? '') || 0)).toISOString()
    const position = (last?.position ?? 0) + 1
    const nothing = {
      meta: null,
      editedAt: null,
      user: null,
      actions: null,
      items: null,
      attachment: null,
      form: null,
      ...NOBODYS,
    }
    this.merge([
      { id, position, type: 'CHAT', role: 'CONTACT', contentType: 'TEXT_PLAIN', text, createdAt, ...nothing },
    ])
  }

  #snapshot(messages: readonly TalkMessage[]): void {
    const [first] = messages
    const ended = this.messages.filter(({ createdAt }) => first && createdAt < first.createdAt)
    this.messages = ended
    this.merge(messages)
    this.earlier = ended.length === 0 && messages.length >= SNAPSHOT_MESSAGES ? '' : null
    const readUpTo = this.options.readUpTo()
    this.unread = messages.filter(({ role, id }) => role !== 'CONTACT' && id > readUpTo).length
  }

  #added(message: TalkMessage): void {
    this.merge([message])
    if (message.role === 'CONTACT') return
    this.#showTyping(null)
    this.unread += 1
    this.options.arrived(message)
  }

  #removed(gone: string): void {
    const message = this.messages.find(({ id }) => id === gone)
    this.messages = this.messages.filter(({ id }) => id !== gone)
    const isUnread = message && message.role !== 'CONTACT' && gone > this.options.readUpTo()
    if (isUnread) this.unread = Math.max(0, this.unread - 1)
  }

  #showTyping(name: string | null): void {
    clearTimeout(this.#typingTimer)
    this.typing = name
    // Who closes the laptop while typing does not say so.
    if (name === null) return
    this.#typingTimer = setTimeout(() => {
      this.typing = null
      this.options.changed()
    }, TYPING_MS)
  }
}
