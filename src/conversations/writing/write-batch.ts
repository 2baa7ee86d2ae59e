import type { Sql } from '../../db/database.js'
import { isConversationStream, type EventActor, type NewEvent, type StoredEvent } from '../../events/event.js'
import type { NewJob } from '../../jobs/job.js'
import type { ClockRow } from '../../sla/clock-row.js'
import type { ParticipantState } from './conversation-state.js'
import { noChanges, writeChanges, type ChangedConversation, type ConversationChanges } from './conversation-store.js'
import type { ConversationDraft } from './conversation-draft.js'
import type { WritingDraft } from './writing-draft.js'
import type { GivenPart } from './reach.js'
import { SharedReads } from './shared-reads.js'
import { slicesOf } from './slices.js'

/** Number of messages that are written within some milliseconds; an import may have thousands. */
const LARGE_MESSAGES = 500
const SLICE = 250

/** The changes of a transaction's operations so far, written as late as possible with one statement per table. */
export class WriteBatch {
  events: NewEvent[] = []
  readonly jobs: NewJob[] = []
  /** Participations to check before the commit, see `departuresAmong`. */
  readonly given: GivenPart[] = []
  readonly lastStatements: WritingDraft['lastStatements'] = []
  readonly shared: SharedReads
  #pendingChanges = new PendingChanges()

  constructor(private readonly sql: Sql) {
    this.shared = new SharedReads(sql)
  }

  /** Adds the changes of an operation. @returns the events that it adds */
  add(draft: ConversationDraft, actor: EventActor | null, traceparent: string | null): readonly NewEvent[] {
    const { events, given } = this.#pendingChanges.add(draft)
    const cause = traceparent === null ? {} : { traceparent }
    for (const event of events) this.events.push({ ...event, actor, ...cause })
    this.given.push(...given)
    for (const job of draft.jobs) this.jobs.push({ ...job, traceparent })
    this.lastStatements.push(...draft.lastStatements)
    return events
  }

  /** Returns a reader for an operation on these conversations, which sees the changes of earlier operations on them. */
  reader(ids: readonly string[]): Sql {
    if (!ids.some((id) => this.#pendingChanges.touched.has(id))) return this.sql
    return {
      query: (text, values, name) => {
        // The connection runs the statements in order, and a failure fails the transaction.
        this.write().catch(() => undefined)
        return this.sql.query(text, values, name)
      },
    }
  }

  /** Whether to write in slices, each awaited, so that other operations get their turn in between. */
  get isLarge(): boolean {
    const { messages, changedMessages } = this.#pendingChanges.changes
    return messages.length + changedMessages.length > LARGE_MESSAGES
  }

  /**
   * Writes rows and the conversations' own events in slices: the operation holds the conversation's row, so nobody else
   * waits for its stream. The other events are appended last.
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

/** Merges the changes of several operations on one conversation, since no statement may name a row twice. */
class PendingChanges {
  /** Ids of all conversations that operations ran on, whether or not they changed. */
  readonly touched = new Set<string>()
  readonly #conversations = new Map<string, ChangedConversation>()
  readonly #participants = new Map<string, ParticipantState>()
  readonly #clocks = new Map<string, ClockRow>()
  readonly #rest = noChanges()

  add(draft: ConversationDraft): Pick<ReturnType<ConversationDraft['finish']>, 'events' | 'given'> {
    const { change, participants, leavers, events, given, milestones } = draft.finish()
    const { id } = draft.conversation
    this.touched.add(id)
    if (change) {
      const earlier = this.#conversations.get(id)?.change
      // A new row stays new, and other changes are written together with those of every message.
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
    this.#rest.offers.push(...draft.offers.made)
    this.#rest.endedOffers.push(...draft.offers.ended)
    this.#rest.milestones.push(...milestones)
    for (const row of draft.clocks.rows) this.#clocks.set(`${row.conversationId} ${row.kind} ${row.nth}`, row)
    return { events, given }
  }

  get changes(): ConversationChanges {
    const conversations = [...this.#conversations.values()]
    const participants = [...this.#participants.values()]
    return { ...this.#rest, conversations, participants, clocks: [...this.#clocks.values()] }
  }
}
