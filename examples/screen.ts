import type { LiveDocument, Switchboard } from '@switchboard/client'
import type { ConversationEvent, InboxEvent, QueueEvent } from '@switchboard/client/documents'
import { screen } from './terminal.js'

type ScreenEvent = QueueEvent | InboxEvent | ConversationEvent

/** The screen of one person: prints each event as it arrives, and lets the story wait for events. */
export class Screen {
  readonly #unseen: string[] = []
  readonly #waiting: { type: string; resolve: () => void }[] = []
  readonly #shown = new Map<string, string>()

  constructor(
    private readonly who: string,
    private readonly channels: ReadonlyMap<string, string>,
    private readonly consumer = 'Carl',
  ) {}

  watch<State, Event extends ScreenEvent>(
    client: Switchboard,
    part: string,
    document: LiveDocument<State, Event>,
    variables: Record<string, unknown> = {},
  ): void {
    client.live.open(document, {
      variables,
      onChange: (_state, event) => this.#receive(part, event),
      onEnd: (error) => {
        throw error
      },
    })
  }

  /** Resolves at the next event of the type that the story has not waited for yet. */
  async saw(type: ScreenEvent['__typename']): Promise<void> {
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

  #receive(part: string, event: ScreenEvent): void {
    const { __typename: type, at } = event
    const words = this.#words(event)
    const key = `${part} ${type}`
    // Unread counts and receipts change with each message: a line is printed only when somebody joins or leaves.
    const isRepeated = type === 'ParticipantsChanged' && this.#shown.get(key) === words
    if (!isRepeated && type !== 'MessageDeliveryChanged') {
      const isLive = !type.endsWith('Snapshot')
      screen(this.who, part, words, isLive ? Date.now() - Date.parse(at) : undefined)
    }
    this.#shown.set(key, words)
    const waiting = this.#waiting.findIndex((each) => each.type === type)
    if (waiting < 0) this.#unseen.push(type)
    else this.#waiting.splice(waiting, 1)[0]!.resolve()
  }

  #words(event: ScreenEvent): string {
    switch (event.__typename) {
      case 'QueueSnapshot':
      case 'InboxSnapshot':
        return `snapshot: ${event.entries.length === 0 ? 'nothing waits' : `${event.entries.length} wait`}`
      case 'QueueEntryAdded':
        return `+ ${this.#channelName(event.entry.channel)}: ${event.entry.contactName}, "${event.entry.preview}"`
      case 'QueueEntryRemoved':
        return `- ${this.#channelName(event.channel)}: ${event.reason.toLowerCase()}`
      case 'InboxEntryAdded':
        return `+ ${event.entry.contactName}, "${event.entry.preview}"`
      case 'InboxEntryChanged': {
        const { contactName, preview, unreadCount, status } = event.entry
        return `~ ${contactName}, "${preview}", ${unreadCount} unread, ${status}`
      }
      case 'ConversationSnapshot':
        return `snapshot: ${event.conversation.status}; ${event.messages.map(({ text }) => `"${text}"`).join(', ')}`
      case 'MessageAdded':
        return `${event.message.user?.displayName ?? this.consumer}: ${event.message.text}`
      case 'MessageStreamed':
        return `${event.name} ${event.ending ? 'has ended' : `writes: ${event.text}`}`
      case 'ConversationChanged':
        return `now ${event.conversation.status}`
      case 'ParticipantsChanged':
        return `in it: ${event.participants.map(nameOf).join(', ') || 'nobody'}`
      default:
        return event.__typename
    }
  }

  #channelName(id: string): string {
    return this.channels.get(id) ?? id
  }
}

function nameOf({ name, accepted }: { name: string | null; accepted: boolean }): string {
  return accepted ? `${name}` : `${name} (looks on)`
}
