import { emitContact } from '../../contacts/contact-events.js'
import { contactRowOf, type NewContact } from '../../contacts/insert-contact.js'
import { isId, type Clock } from '../../db/clock.js'
import type { TenantColumns } from '../../db/tenancy.js'
import { reading, type ReadSql } from '../../db/sql.js'
import { conversationStream, newEvent, type EventType, type EventTypes, type NewEvent } from '../../events/event.js'
import type { NewJob } from '../../jobs/job.js'
import { camelRow } from '../../lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { messageData } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import { NO_CLAIMS } from '../../staffing/claims.js'
import { cloneAggregate, type Aggregate, type ConversationState, type ParticipantState } from './conversation-state.js'
import { ACTIVITY, type ChangedConversation, type RoutingDecisionRow } from './conversation-store.js'
import { advanceMilestones, opensCase, type NotedMilestone, type OperationChange } from './advance-milestones.js'
import { ClockChanges } from './clock-changes.js'
import { hasChanges, eventsOfChange, eventsOfRemoval } from './change-events.js'
import { reachOfContacts, reachOfNewContact, type ContactRoutes } from './contact-routes.js'
import { OfferChanges } from './offer-changes.js'
import type { MilestoneRow } from './milestone.js'
import { newParticipant, type Member } from './new-participant.js'
import { givenParts, type GivenPart } from './reach.js'
import type { SharedReads } from './shared-reads.js'

/**
 * A working copy of a locked conversation: its state, and what one operation adds. Nothing is written unless the
 * operation succeeds; `sql` only reads. Members of the state are replaced, never modified in place.
 */
export class ConversationDraft {
  readonly conversation: ConversationState
  readonly participants: Map<string, ParticipantState>
  readonly messages: MessageRow[] = []
  readonly changedMessages: MessageRow[] = []
  readonly deliveries: DeliveryRow[] = []
  readonly changedDeliveries: DeliveryRow[] = []
  readonly decisions: RoutingDecisionRow[] = []
  readonly jobs: NewJob[] = []
  /** Milestones of offers; all others derive from the difference. */
  readonly noted: NotedMilestone[] = []
  readonly offers = new OfferChanges()
  readonly clocks = new ClockChanges()
  /** The agents that the operation has locked (`claims`). */
  claims = NO_CLAIMS
  /** Drafts of the other conversations that the operation has locked (`alsoLock`), by id. */
  readonly others = new Map<string, ConversationDraft>()
  /** Statements to run after all other writes, see `WritingDraft`. */
  readonly lastStatements: readonly { text: string; values: unknown[] }[] = []
  readonly now: Date
  /** The contact that this operation creates, inserted after the operation has ended, see `insertContacts`. */
  newContact: NewContact | null = null
  /** Extra cost of deciding, in sends: for example of thousands of rules. */
  cost = 0
  #isRemoved = false
  readonly #before: Aggregate | null
  readonly #after: Aggregate
  readonly #events: (NewEvent | ShownMessage)[] = []

  constructor(
    readonly sql: ReadSql,
    readonly clock: Clock,
    aggregate: Aggregate,
    readonly shared: SharedReads,
    /** Whether this operation creates the conversation. */
    readonly isNew = false,
  ) {
    this.#before = isNew ? null : aggregate
    this.#after = cloneAggregate(aggregate)
    this.conversation = this.#after.conversation
    this.participants = this.#after.participants
    this.now = clock.now()
  }

  emit<Type extends EventType>(stream: string, type: Type, data: EventTypes[Type]): void {
    this.#events.push(newEvent(stream, type, data))
  }

  /** Adds events that do not derive from the state. */
  addEvents(events: readonly NewEvent[]): void {
    this.#events.push(...events)
  }

  /** Emits events of messages with their state at the end of the operation. */
  emitMessages(type: 'message.added' | 'message.changed', messages: readonly MessageRow[]): void {
    this.#events.push(...messages.map((message) => ({ type, message })))
  }

  addJob(job: NewJob): void {
    this.jobs.push(job)
  }

  /** Appends a message; sets its position and time. */
  addMessage(
    message: Omit<MessageRow, 'position' | 'createdAt' | 'updatedAt' | 'conversationId' | keyof TenantColumns>,
  ): MessageRow {
    const { conversation } = this
    const { organizationId, org1, org2, org3, lastMessageAt } = conversation
    // Never before the last message, even if this node's clock is behind: merges and guests' visibility depend on the
    // order.
    const at = lastMessageAt && lastMessageAt > this.now ? lastMessageAt : this.now
    const row: MessageRow = {
      ...message,
      organizationId,
      org1,
      org2,
      org3,
      conversationId: conversation.id,
      position: ++conversation.messageCount,
      createdAt: at,
      updatedAt: at,
    }
    conversation.lastMessageId = row.id
    conversation.lastMessageAt = at
    this.messages.push(row)
    this.emitMessages('message.added', [row])
    return row
  }

  /** Returns a message of the conversation with this operation's changes; null if there is none. */
  async findMessage(id: string): Promise<MessageRow | null> {
    const wanted = id.toLowerCase()
    const known = [...this.changedMessages, ...this.messages].find((message) => message.id === wanted)
    if (known || !isId(id)) return known ?? null
    const rows = await this.sql.query<Record<string, unknown>>(FIND_MESSAGE, [wanted, this.conversation.id])
    return rows[0] ? camelRow<MessageRow>(rows[0]) : null
  }

  /** Replaces a message. */
  changeMessage(message: MessageRow): MessageRow {
    const changed = { ...message, updatedAt: this.now }
    const isOf = ({ id }: MessageRow): boolean => id === message.id
    const list = this.messages.some(isOf) ? this.messages : this.changedMessages
    const index = list.findIndex(isOf)
    if (index < 0) list.push(changed)
    else list[index] = changed
    this.emitMessages('message.changed', [changed])
    return changed
  }

  /** Returns the touchpoints that reach the contact: read together with the lock if requested. Null without one. */
  async reach(): Promise<ContactRoutes | null> {
    if (this.newContact) this.#after.reach ??= await reachOfNewContact(this, this.newContact.profile)
    else await ConversationDraft.readReaches([this])
    return this.#after.reach ?? null
  }

  /** Reads with one statement what reaches the contacts of several drafts of a transaction, where it is not known. */
  static async readReaches(drafts: readonly ConversationDraft[]): Promise<void> {
    const unknown = drafts.filter((each) => !each.#after.reach && !each.newContact && each.conversation.contactId)
    const states = unknown.map(({ conversation }) => conversation)
    const reaches = unknown[0] && (await reachOfContacts(unknown[0].sql, states))
    for (const draft of unknown) draft.#after.reach = reaches?.get(draft.conversation.id)
  }

  /** Adds a delivery of a message that this operation adds; the message's event contains it. */
  addDelivery(
    message: MessageRow,
    delivery: Pick<DeliveryRow, 'touchpoint' | 'serviceId' | 'recipient' | 'status' | 'reason'>,
  ): DeliveryRow {
    const { organizationId, org1, org2, org3, conversationId, id: messageId } = message
    const row: DeliveryRow = {
      id: this.clock.newId(),
      organizationId,
      org1,
      org2,
      org3,
      conversationId,
      messageId,
      ...delivery,
      providerId: null,
      segments: null,
      attempts: 0,
      createdAt: this.now,
      updatedAt: this.now,
    }
    this.deliveries.push(row)
    message.deliveries = [...(message.deliveries ?? []), row]
    return row
  }

  /** Replaces a stored delivery. */
  changeDelivery(delivery: DeliveryRow): DeliveryRow {
    const changed = { ...delivery, updatedAt: this.now }
    this.changedDeliveries.push(changed)
    return changed
  }

  /** Returns the user's participation, created if there is none. */
  join(member: Member): ParticipantState {
    const known = this.participants.get(member.userId)
    if (known) return Object.assign(known, { name: member.name, avatar: member.avatar, role: member.role })
    const participant = newParticipant(this.conversation.id, member, this.now)
    this.participants.set(member.userId, participant)
    return participant
  }

  /**
   * Creates the contact of a new conversation. If another contact has one of its identifiers, the operation is refused
   * with `ContactExists` after it has ended: the contacts of all operations in a transaction are inserted together.
   */
  addContact(contact: NewContact): void {
    this.newContact = contact
    emitContact(this, contactRowOf(contact), 'created')
    this.attachContact(contact.id, contact.profile.name ?? null, false)
  }

  /** Sets the contact of a new conversation. */
  attachContact(id: string, name: string | null, isBlocked: boolean): void {
    this.conversation.contactId = id
    this.#after.contactName = name
    this.#after.isContactBlocked = isBlocked
  }

  /** State for queue and inbox entries. */
  get aggregate(): Readonly<Aggregate> {
    return this.#after
  }

  /** How long the conversation had been queued, in milliseconds, if this operation ended that; else null. */
  get queueWaitMs(): number | null {
    const before = this.#before?.conversation
    if (before?.status !== 'queued' || !before.queuedAt || this.conversation.status !== 'active') return null
    return this.now.getTime() - before.queuedAt.getTime()
  }

  get wasQueued(): boolean {
    return this.#before?.conversation.status === 'queued'
  }

  /** Marks the conversation as deleted: nothing of it is written, and its events say that it no longer exists. */
  remove(): void {
    this.#isRemoved = true
  }

  /** Whether the operation, once it has ended, begins a case. */
  get opensCase(): boolean {
    return opensCase({ ...this.#difference, messages: this.messages })
  }

  get #difference(): Pick<OperationChange, 'before' | 'after' | 'isRemoved'> {
    return { before: this.#before, after: this.#after, isRemoved: this.#isRemoved }
  }

  /** Returns the changes of the operation, once it has ended. */
  finish(): {
    /** How to write the conversation's row; null if nothing changed. */
    change: ChangedConversation['change'] | null
    participants: ParticipantState[]
    leavers: { conversationId: string; userId: string }[]
    given: GivenPart[]
    events: NewEvent[]
    milestones: MilestoneRow[]
  } {
    this.offers.settle(this, this.#before, this.#isRemoved)
    const { clocks, messages, noted, now, opensCase } = this
    const derived = advanceMilestones({ ...this.#difference, messages, noted, now, isBlocking: clocks.isBlocking })
    const told = clocks.settle(this, this.#before, { milestones: derived, opensCase, isRemoved: this.#isRemoved })
    const milestones = [...derived, ...told]
    if (this.#isRemoved) {
      const events = eventsOfRemoval(this.#before!)
      return { change: null, participants: [], leavers: [], given: [], events, milestones }
    }
    const earlier = this.#before?.participants
    const participants = [...this.participants.values()].filter((participant) => {
      const before = earlier?.get(participant.userId)
      const isChanged = !before || hasChanges(before, participant)
      if (isChanged) participant.updatedAt = this.now
      return isChanged
    })
    const leavers = [...(earlier?.keys() ?? [])]
      .filter((userId) => !this.participants.has(userId))
      .map((userId) => ({ conversationId: this.conversation.id, userId }))
    const before = this.#before?.conversation
    const isActivityOnly = before !== undefined && !hasChanges(before, this.conversation, ACTIVITY)
    const isChanged = !isActivityOnly || this.messages.length > 0 || hasChanges(before, this.conversation)
    if (isChanged) {
      this.conversation.updatedAt = this.now
      this.conversation.version++
    }
    const changes = eventsOfChange(this.#before, this.#after)
    const stream = conversationStream(this.conversation.id)
    if (this.changedDeliveries.length > 0) {
      this.emit(stream, 'message.delivery', { deliveries: this.changedDeliveries })
    }
    // Subscribers receive the new conversation's event before those of its messages.
    const own = this.#events.map((event) =>
      'message' in event ? newEvent(stream, event.type, { message: messageData(event.message) }) : event,
    )
    const events = this.isNew ? [...changes, ...own] : [...own, ...changes]
    const change = this.isNew ? 'inserted' : isActivityOnly ? 'advanced' : 'updated'
    const given = givenParts(this.conversation, earlier, participants)
    return { change: isChanged ? change : null, participants, leavers, given, events, milestones }
  }
}

const FIND_MESSAGE = reading('select * from message where id = $1 and conversation_id = $2')

interface ShownMessage {
  type: 'message.added' | 'message.changed'
  message: MessageRow
}
