import type { Logger } from 'pino'
import type { Sql } from '../../../platform/db/database.js'
import type { Dispatcher } from '../../../platform/events/dispatcher.js'
import { conversationStream } from '../../../platform/events/event.js'
import { viewersOfEach } from '../../../platform/presence/viewers.js'

/** Changes within this time are published together, once per conversation: a thousand clients may reconnect at once. */
const GATHER_MS = 100

/**
 * Publishes to a conversation's subscribers who else has it open. Best effort: a lost event is harmless, since
 * `Conversation.viewers` returns the current viewers at any time.
 */
export class ViewerBroadcast {
  #due = new Set<string>()

  constructor(private readonly options: { dispatcher: Dispatcher; sql: Sql; log: Logger }) {}

  /** Schedules an event after a user has opened or left the conversation. */
  notify(conversation: string): void {
    if (this.#due.size === 0) setTimeout(() => void this.#publish(), GATHER_MS).unref()
    this.#due.add(conversation)
  }

  async #publish(): Promise<void> {
    const { dispatcher, sql, log } = this.options
    const conversations = [...this.#due]
    this.#due = new Set()
    try {
      const all = await viewersOfEach(sql, conversations)
      for (const conversation of conversations) {
        const viewers = (all.get(conversation) ?? []).map((userId) => ({ userId }))
        const stream = conversationStream(conversation)
        dispatcher.publishEphemeral({ stream, type: 'viewers', data: { conversation, viewers } })
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to publish who has a conversation open')
    }
  }
}
