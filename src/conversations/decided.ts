import type { Sql } from '../db/database.js'
import type { NewEvent } from '../events/event.js'
import type { NewJob } from '../jobs/job.js'
import type { ParticipantState } from './conversation-state.js'
import { noChanges, writeChanges, type ChangedConversation, type ConversationChanges } from './conversation-store.js'
import type { ConversationWork } from './conversation-work.js'

/** What the operations of one transaction have decided so far, written as late as possible: with one statement a table. */
export class Decided {
  readonly events: NewEvent[] = []
  readonly jobs: NewJob[] = []
  readonly lastStatements: ConversationWork['lastStatements'] = []
  #unwritten = new Unwritten()

  constructor(private readonly sql: Sql) {}

  add(work: ConversationWork): void {
    this.events.push(...this.#unwritten.add(work))
    this.jobs.push(...work.jobs)
    this.lastStatements.push(...work.lastStatements)
  }

  /** For an operation on these conversations: what it reads has what earlier ones decided about them. */
  reader(ids: readonly string[]): Sql {
    if (!ids.some((id) => this.#unwritten.touched.has(id))) return this.sql
    return {
      query: (text, values, name) => {
        // The connection runs them in order; the transaction fails with any of it.
        this.write().catch(() => undefined)
        return this.sql.query(text, values, name)
      },
    }
  }

  async write(): Promise<void> {
    const unwritten = this.#unwritten
    this.#unwritten = new Unwritten()
    await writeChanges(this.sql, unwritten.changes)
  }
}

/** Several operations on one conversation make one change of each of its rows: no statement may name a row twice. */
class Unwritten {
  /** The conversations that operations were on, whatever of them has changed. */
  readonly touched = new Set<string>()
  readonly #conversations = new Map<string, ChangedConversation>()
  readonly #participants = new Map<string, ParticipantState>()
  readonly #rest = noChanges()

  /** @returns the operation's events */
  add(work: ConversationWork): NewEvent[] {
    const { change, participants, leavers, events } = work.finish()
    const { id } = work.conversation
    this.touched.add(id)
    if (change) {
      const earlier = this.#conversations.get(id)?.change
      // A new row stays one, and whatever else changed is written with what every message changes.
      const whole = earlier === 'inserted' || change === 'advanced' ? (earlier ?? change) : change
      this.#conversations.set(id, { state: work.conversation, change: whole })
    }
    const key = (userId: string) => `${id} ${userId}`
    for (const participant of participants) this.#participants.set(key(participant.userId), participant)
    for (const { userId } of leavers) this.#participants.delete(key(userId))
    this.#rest.leavers.push(...leavers)
    this.#rest.messages.push(...work.messages)
    this.#rest.changedMessages.push(...work.changedMessages)
    this.#rest.deliveries.push(...work.deliveries)
    this.#rest.changedDeliveries.push(...work.changedDeliveries)
    this.#rest.decisions.push(...work.decisions)
    return events
  }

  get changes(): ConversationChanges {
    const conversations = [...this.#conversations.values()]
    return { ...this.#rest, conversations, participants: [...this.#participants.values()] }
  }
}
