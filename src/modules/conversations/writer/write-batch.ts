import type { Sql } from '../../../platform/db/database.js'
import {
  isConversationStream,
  type EventActor,
  type NewEvent,
  type StoredEvent,
} from '../../../platform/events/event.js'
import type { NewJob } from '../../../platform/jobs/job.js'
import type { JsonObject } from '../../../platform/json.js'
import type { ClockRow } from '../../sla/clock-row.js'
import type { ParticipantState } from '../state/conversation-state.js'
import {
  noChanges,
  writeChanges,
  type ChangedConversation,
  type ConversationChanges,
} from '../state/conversation-store.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { LastStatement } from '../state/last-statement.js'
import { WritingChange } from '../state/writing-change.js'
import type { GivenPart } from '../state/reach.js'
import { SharedReads } from '../state/shared-reads.js'
import { slicesOf } from './slices.js'

/** Number of messages, and of events, that are written within some milliseconds; an import may have thousands. */
const LARGE = 500
const SLICE = 250

/** The changes of a transaction's operations so far, written as late as possible with one statement per table. */
export class WriteBatch {
  events: NewEvent[] = []
  readonly jobs: NewJob[] = []
  /** Participations to check before the commit, for departures and pauses of bots: see `departuresAmong`. */
  readonly given: GivenPart[] = []
  readonly lastStatements: LastStatement[] = []
  readonly shared: SharedReads
  #pendingChanges = new PendingChanges()
  /** Users who change or delete messages, by these: what is kept of held ones says it. */
  #editors: Record<string, string> = {}
  /** True if an operation has so many events, such as one that tells a thousand channels. */
  #hasLarge = false

  constructor(private readonly sql: Sql) {
    this.shared = new SharedReads(sql)
  }

  /** Adds the changes of an operation. @returns the events that it adds, and how many rows it writes */
  add(
    change: ConversationChange,
    actor: EventActor | null,
    traceparent: string | null,
  ): { events: readonly NewEvent[]; rows: number } {
    const { events, given, rows } = this.#pendingChanges.add(change, actor)
    this.#hasLarge ||= events.length > LARGE
    if (actor?.kind === 'user') for (const id of contentChangedBy(change)) this.#editors[id] = actor.id
    const cause = traceparent === null ? {} : { traceparent }
    for (const event of events) this.events.push({ ...event, actor, ...cause })
    this.given.push(...given)
    for (const job of change.jobs) this.jobs.push({ ...job, traceparent })
    this.lastStatements.push(...change.lastStatements)
    return { events, rows: rows + change.jobs.length }
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

  /** Tells whether to write in slices, each awaited, so that other operations get their turn in between. */
  get isLarge(): boolean {
    const { messages, changedMessages } = this.#pendingChanges.changes
    return messages.length + changedMessages.length > LARGE || this.#hasLarge
  }

  /**
   * Writes rows and events in slices, the last of which is left to be appended before the commit. First the conversations' own
   * events: the operation holds their rows, so nobody else waits for those streams. The others, after all other statements, in
   * the order of streams, in which every transaction locks them.
   */
  async writeInSlices(
    append: (events: readonly NewEvent[]) => Promise<StoredEvent[]>,
    runLast: () => Promise<unknown>,
  ): Promise<StoredEvent[]> {
    await this.#writeMessagesInSlices()
    await this.write()
    const { own = [], others = [] } = Object.groupBy(this.events, ({ stream }) =>
      isConversationStream(stream) ? 'own' : 'others',
    )
    const inOrder = others.toSorted((one, other) =>
      one.stream < other.stream ? -1 : Number(one.stream > other.stream),
    )
    const slices = others.length > LARGE ? slicesOf(inOrder, SLICE) : [others]
    this.events = slices.pop()!
    const stored: StoredEvent[] = []
    for (const slice of slicesOf(own, SLICE)) stored.push(...(await append(slice)))
    await runLast()
    for (const slice of slices) stored.push(...(await append(slice)))
    return stored
  }

  /** Writes very many messages, and all else with them. */
  async #writeMessagesInSlices(): Promise<void> {
    const { messages, changedMessages } = this.#pendingChanges.changes
    if (messages.length + changedMessages.length <= LARGE) return
    await this.#tellEditors()
    const changes = this.#takeChanges().changes
    const { deliveries, changedDeliveries } = changes
    await writeChanges(this.sql, {
      ...changes,
      messages: [],
      changedMessages: [],
      deliveries: [],
      changedDeliveries: [],
    })
    for (const slice of slicesOf(messages, SLICE)) await writeChanges(this.sql, { ...noChanges(), messages: slice })
    for (const slice of slicesOf(changedMessages, SLICE))
      await writeChanges(this.sql, { ...noChanges(), changedMessages: slice })
    // Deliveries refer to messages.
    await writeChanges(this.sql, { ...noChanges(), deliveries, changedDeliveries })
  }

  /** Runs the statements that come after all other writes, those that write a row each together. */
  async runLast(): Promise<void> {
    const rows = new Map<string, JsonObject[]>()
    const alone: Promise<unknown>[] = []
    for (const statement of this.lastStatements) {
      if ('values' in statement) alone.push(this.sql.query(statement.text, statement.values))
      else rows.set(statement.text, [...(rows.get(statement.text) ?? []), statement.row])
    }
    await Promise.all([...alone, ...rows.entries().map(([text, all]) => this.sql.query(text, [JSON.stringify(all)]))])
  }

  async write(): Promise<void> {
    await Promise.all([this.#tellEditors(), writeChanges(this.sql, this.#takeChanges().changes)])
  }

  /** Tells the database for the rest of the transaction, see `initial-schema/holds.ts`. */
  async #tellEditors(): Promise<void> {
    const editors = this.#editors
    if (Object.keys(editors).length === 0) return
    this.#editors = {}
    await this.sql.query(TELL_EDITORS, [JSON.stringify(editors)], 'tell-editors')
  }

  #takeChanges(): PendingChanges {
    const pendingChanges = this.#pendingChanges
    this.#pendingChanges = new PendingChanges()
    return pendingChanges
  }
}

/** Added to what the transaction has told before: its earlier statements may have written already. */
const TELL_EDITORS = `select set_config('switchboard.editors',
  (coalesce(nullif(current_setting('switchboard.editors', true), ''), '{}')::jsonb || $1::jsonb)::text, true)`

/** Returns the messages that an operation changes or deletes. Thousands are a merge, which leaves what they say. */
function contentChangedBy(change: ConversationChange): readonly string[] {
  const changed = change.changedMessages.length > LARGE ? [] : change.changedMessages.map(({ id }) => id)
  return change instanceof WritingChange ? [...changed, ...change.deletedMessages] : changed
}

/** Merges the changes of several operations on one conversation, since no statement may name a row twice. */
class PendingChanges {
  /** Ids of all conversations that operations ran on, whether or not they changed. */
  readonly touched = new Set<string>()
  readonly #conversations = new Map<string, ChangedConversation>()
  readonly #participants = new Map<string, ParticipantState>()
  readonly #clocks = new Map<string, ClockRow>()
  readonly #rest = noChanges()

  add(
    operation: ConversationChange,
    actor: EventActor | null,
  ): Pick<ReturnType<ConversationChange['finish']>, 'events' | 'given'> & { rows: number } {
    const caller = actor?.kind === 'user' ? actor.id : null
    const { change, participants, leavers, events, given, milestones } = operation.finish(caller)
    const { id } = operation.conversation
    this.touched.add(id)
    if (change) {
      const earlier = this.#conversations.get(id)?.change
      // A new row stays new, and other changes are written together with those of every message.
      const whole = earlier === 'inserted' || change === 'advanced' ? (earlier ?? change) : change
      this.#conversations.set(id, { state: operation.conversation, change: whole })
    }
    const key = (userId: string) => `${id} ${userId}`
    for (const participant of participants) this.#participants.set(key(participant.userId), participant)
    for (const { userId } of leavers) this.#participants.delete(key(userId))
    this.#rest.leavers.push(...leavers)
    this.#rest.messages.push(...operation.messages)
    this.#rest.changedMessages.push(...operation.changedMessages)
    this.#rest.deliveries.push(...operation.deliveries)
    this.#rest.changedDeliveries.push(...operation.changedDeliveries)
    this.#rest.decisions.push(...operation.decisions)
    this.#rest.offers.push(...operation.offers.made)
    this.#rest.endedOffers.push(...operation.offers.ended)
    this.#rest.milestones.push(...milestones)
    this.#rest.begunStreams.push(...operation.begunStreams)
    this.#rest.endedStreams.push(...operation.endedStreams)
    this.#rest.endedProposals.push(...operation.proposals.ended)
    for (const row of operation.clocks.rows) this.#clocks.set(`${row.conversationId} ${row.kind} ${row.nth}`, row)
    const { messages, changedMessages, deliveries, changedDeliveries, decisions, clocks } = operation
    const { begunStreams, endedStreams, proposals } = operation
    const changed = [messages, changedMessages, deliveries, changedDeliveries, decisions, clocks.rows, milestones]
    const written = [...changed, begunStreams, endedStreams, proposals.ended]
    const rows = [participants, leavers, ...written].reduce((sum, { length }) => sum + length, change ? 1 : 0)
    return { events, given, rows }
  }

  get changes(): ConversationChanges {
    const conversations = [...this.#conversations.values()]
    const participants = [...this.#participants.values()]
    return { ...this.#rest, conversations, participants, clocks: [...this.#clocks.values()] }
  }
}
