import type { Sql } from '../../db/database.js'
import { isConversationStream, type EventActor, type NewEvent, type StoredEvent } from '../../events/event.js'
import type { NewJob } from '../../jobs/job.js'
import type { ParticipantState } from './conversation-state.js'
import { noChanges, writeChanges, type ChangedConversation, type ConversationChanges } from './conversation-store.js'
import type { ConversationDraft } from './conversation-draft.js'
import type { GivenPart } from './reach.js'
import { SharedReads } from './shared-reads.js'
import { slicesOf } from './slices.js'

/** As many are written in some milliseconds; an import has thousands. */
const LARGE_MESSAGES = 500
const SLICE = 250

/** What the operations of one transaction have decided so far, written as late as possible: with one statement a table. */
export class WriteBatch {
  events: NewEvent[] = []
  readonly jobs: NewJob[] = []
  /** To be checked before the end, see `departuresAmong`. */
  readonly given: GivenPart[] = []
  readonly lastStatements: ConversationDraft['lastStatements'] = []
  readonly shared = new SharedReads()
  #pendingChanges = new PendingChanges()

  constructor(private readonly sql: Sql) {}

  /** @returns the events that it adds */
  add(draft: ConversationDraft, actor: EventActor | null): readonly NewEvent[] {
    const { events, given } = this.#pendingChanges.add(draft)
    for (const event of events) this.events.push({ ...event, actor })
    this.given.push(...given)
    this.jobs.push(...draft.jobs)
    this.lastStatements.push(...draft.lastStatements)
    return events
  }

  /** For an operation on these conversations: what it reads has what earlier ones decided about them. */
  reader(ids: readonly string[]): Sql {
    if (!ids.some((id) => this.#pendingChanges.touched.has(id))) return this.sql
    return {
      query: (text, values, name) => {
        // The connection runs them in order; the transaction fails with any of it.
        this.write().catch(() => undefined)
        return this.sql.query(text, values, name)
      },
    }
  }

  /** Whether it is to be written in slices, each awaited, so that others have their turn in between. */
  get isLarge(): boolean {
    const { messages, changedMessages } = this.#pendingChanges.changes
    return messages.length + changedMessages.length > LARGE_MESSAGES
  }

  /**
   * Writes rows and the conversations' own events a slice at a time: who changes a conversation holds its row, so its
   * stream is in nobody's way. The other events are left to be appended last.
   */
  async writeInSlices(append: (events: readonly NewEvent[]) => Promise<StoredEvent[]>): Promise<StoredEvent[]> {
    const { messages, changedMessages, ...rest } = this.#takeChanges().changes
    await writeChanges(this.sql, { ...rest, messages: [], changedMessages: [] })
    for (const slice of slicesOf(messages, SLICE)) await writeChanges(this.sql, { ...noChanges(), messages: slice })
    for (const slice of slicesOf(changedMessages, SLICE))
      await writeChanges(this.sql, { ...noChanges(), changedMessages: slice })
    const { own = [], others = [] } = Object.groupBy(this.events, ({ stream }) =>
      isConversationStream(stream) ? 'own' : 'others',
    )
    this.events = others
    const stored: StoredEvent[] = []
    for (const slice of slicesOf(own, SLICE)) stored.push(...(await append(slice)))
    return stored
  }

  async write(): Promise<void> {
    await writeChanges(this.sql, this.#takeChanges().changes)
  }

  #takeChanges(): PendingChanges {
    const pendingChanges = this.#pendingChanges
    this.#pendingChanges = new PendingChanges()
    return pendingChanges
  }
}

/** Several operations on one conversation make one change of each of its rows: no statement may name a row twice. */
class PendingChanges {
  /** The conversations that operations were on, whatever of them has changed. */
  readonly touched = new Set<string>()
  readonly #conversations = new Map<string, ChangedConversation>()
  readonly #participants = new Map<string, ParticipantState>()
  readonly #rest = noChanges()

  add(draft: ConversationDraft): Pick<ReturnType<ConversationDraft['finish']>, 'events' | 'given'> {
    const { change, participants, leavers, events, given } = draft.finish()
    const { id } = draft.conversation
    this.touched.add(id)
    if (change) {
      const earlier = this.#conversations.get(id)?.change
      // A new row stays one, and whatever else changed is written with what every message changes.
      const whole = earlier === 'inserted' || change === 'advanced' ? (earlier ?? change) : change
      this.#conversations.set(id, { state: draft.conversation, change: whole })
    }
    const key = (userId: string) => `${id} ${userId}`
    for (const participant of participants) this.#participants.set(key(participant.userId), participant)
    for (const { userId } of leavers) this.#participants.delete(key(userId))
    this.#rest.leavers.push(...leavers)
    this.#rest.messages.push(...draft.messages)
    this.#rest.changedMessages.push(...draft.changedMessages)
    this.#rest.deliveries.push(...draft.deliveries)
    this.#rest.changedDeliveries.push(...draft.changedDeliveries)
    this.#rest.decisions.push(...draft.decisions)
    return { events, given }
  }

  get changes(): ConversationChanges {
    const conversations = [...this.#conversations.values()]
    return { ...this.#rest, conversations, participants: [...this.#participants.values()] }
  }
}
