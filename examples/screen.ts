import type { Client } from './client.js'
import { screen } from './terminal.js'

interface Entry {
  channel?: string
  contactName: string
  preview: string | null
  unreadCount?: number
  status?: string
}

/** What the story's subscriptions select; which members an event has depends on its type. */
interface ScreenEvent {
  type: string
  at: string
  entries?: Entry[]
  entry?: Entry
  channel?: string
  reason?: string
  message?: { text: string; user: { displayName: string } | null }
  messages?: { text: string }[]
  conversation?: { status: string }
  participants?: { name: string; accepted: boolean }[]
}

/** Somebody's screen: prints each event as it comes in, and lets the story wait for them. */
export class Screen {
  readonly #unseen: string[] = []
  readonly #waiting: { type: string; resolve: () => void }[] = []
  readonly #closers: (() => Promise<void>)[] = []
  readonly #shown = new Map<string, string>()

  constructor(
    private readonly who: string,
    private readonly channels: ReadonlyMap<string, string>,
  ) {}

  watch(client: Client, part: string, query: string, variables: object = {}): void {
    this.#closers.push(client.subscribe<ScreenEvent>(query, variables, (event) => this.#receive(part, event)))
  }

  /** Resolves at the next event of the type that the story has not waited for yet. */
  async saw(type: string): Promise<void> {
    const index = this.#unseen.indexOf(type)
    if (index >= 0) {
      this.#unseen.splice(index, 1)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.who} saw no ${type} within 10 s`)), 10_000)
      this.#waiting.push({
        type,
        resolve: () => {
          clearTimeout(timer)
          resolve()
        },
      })
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#closers.map((close) => close()))
  }

  #receive(part: string, event: ScreenEvent): void {
    const words = this.#words(event)
    const key = `${part} ${event.type}`
    // Unread counts change with each message: who is in it is worth a line when somebody comes or goes.
    if (event.type !== 'ParticipantsChanged' || this.#shown.get(key) !== words) {
      const isLive = !event.type.endsWith('Snapshot')
      screen(this.who, part, words, isLive ? Date.now() - Date.parse(event.at) : undefined)
    }
    this.#shown.set(key, words)
    const waiting = this.#waiting.findIndex(({ type }) => type === event.type)
    if (waiting < 0) this.#unseen.push(event.type)
    else this.#waiting.splice(waiting, 1)[0].resolve()
  }

  #words(event: ScreenEvent): string {
    const { type, entries, entry, channel, reason, message, messages, conversation, participants } = event
    switch (type) {
      case 'QueueSnapshot':
      case 'InboxSnapshot':
        return `snapshot: ${entries!.length === 0 ? 'nothing waits' : `${entries!.length} wait`}`
      case 'QueueEntryAdded':
        return `+ ${this.#channelName(entry!.channel)}: ${entry!.contactName}, "${entry!.preview}"`
      case 'QueueEntryRemoved':
        return `- ${this.#channelName(channel)}: ${reason!.toLowerCase()}`
      case 'InboxEntryAdded':
        return `+ ${entry!.contactName}, "${entry!.preview}"`
      case 'InboxEntryChanged':
        return `~ ${entry!.contactName}, "${entry!.preview}", ${entry!.unreadCount} unread, ${entry!.status}`
      case 'ConversationSnapshot':
        return `snapshot: ${conversation!.status}; ${messages!.map(({ text }) => `"${text}"`).join(', ')}`
      case 'MessageAdded':
        return `${message!.user?.displayName ?? 'Carl'}: ${message!.text}`
      case 'ConversationChanged':
        return `now ${conversation!.status}`
      case 'ParticipantsChanged':
        return `in it: ${participants!.map(nameOf).join(', ') || 'nobody'}`
      default:
        return type
    }
  }

  #channelName(id: string | undefined): string {
    return this.channels.get(id!) ?? id!
  }
}

function nameOf({ name, accepted }: { name: string; accepted: boolean }): string {
  return accepted ? name : `${name} (looks on)`
}
