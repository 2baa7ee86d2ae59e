import { selectList } from '../../../platform/db/columns.js'
import { emitContact } from '../../contacts/contact-events.js'
import { contactRowOf, type NewContact } from '../../contacts/insert-contact.js'
import { isId, type Clock } from '../../../platform/db/clock.js'
import type { TenantColumns } from '../../../platform/db/tenancy.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'
import {
  conversationStream,
  newEvent,
  type EventType,
  type EventTypes,
  type NewEvent,
} from '../../../platform/events/event.js'
import type { NewJob } from '../../../platform/jobs/job.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { MESSAGE_COLUMNS, messageData } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { StreamEnding } from '../../messages/stream-ending.js'
import { NO_AGENT_LOCKS } from '../../staffing/agent-locks.js'
import { cloneAggregate, type Aggregate, type ConversationState, type ParticipantState } from './conversation-state.js'
import { ACTIVITY, type ChangedConversation, type RoutingDecisionRow } from './conversation-store.js'
import { advanceMilestones, opensCase, type NotedMilestone, type OperationChange } from './advance-milestones.js'
import { ClockChanges } from './clock-changes.js'
import { hasChanges, isMine, eventsOfChange, eventsOfRemoval } from './change-events.js'
import { reachOfContacts, reachOfNewContact, type ContactRoutes } from './contact-routes.js'
import { UNCHARGED } from './charges.js'
import { UNGOVERNED } from './grants.js'
import type { LastStatement } from './last-statement.js'
import { OfferChanges } from './offer-changes.js'
import { overStreams } from './over-streams.js'
import type { EndedStream, OpenStream } from './message-stream.js'
import type { MilestoneRow } from './milestone.js'
import { hasOtherChanges, isOfProposal, ProposalChanges } from './proposal-changes.js'
import { newParticipant, type Member } from './new-participant.js'
import { givenParts, type GivenPart } from './reach.js'
import type { SharedReads } from './shared-reads.js'
import { advanceTurn } from './turn.js'

/**
 * A working copy of a locked conversation: its state, and what one operation adds. Nothing is written unless the
 * operation succeeds; `sql` only reads. Members of the state are replaced, never modified in place.
 */
export class ConversationChange {
  readonly conversation: ConversationState
  readonly participants: Map<string, ParticipantState>
  readonly messages: MessageRow[] = []
  readonly changedMessages: MessageRow[] = []
  readonly deliveries: DeliveryRow[] = []
  readonly changedDeliveries: DeliveryRow[] = []
  readonly decisions: RoutingDecisionRow[] = []
  readonly begunStreams: OpenStream[] = []
  readonly endedStreams: EndedStream[] = []
  readonly jobs: NewJob[] = []
  /** Milestones of offers, proposals and labels; all others derive from the difference. */
  readonly noted: NotedMilestone[] = []
  /** Ids of messages that come late: they were sent before the consumer began to wait, and answer nothing. */
  readonly sentBefore = new Set<string>()
  /** Attachments that its messages name from now on, see `keepFiles`. */
  readonly files = new Set<string>()
  readonly offers = new OfferChanges()
  readonly clocks = new ClockChanges()
  readonly proposals = new ProposalChanges()
  /** The agents that the operation has locked (`agentLocks`). */
  agentLocks = NO_AGENT_LOCKS
  /** The rights of its caller. */
  grants = UNGOVERNED
  /** Counts what its caller says. */
  charges = UNCHARGED
  /** Drafts of the other conversations that the operation has locked (`alsoLock`), by id. */
  readonly others = new Map<string, ConversationChange>()
  readonly lastStatements: readonly LastStatement[] = []
  readonly now: Date
  /** The contact that this operation creates, inserted after the operation has ended, see `insertContacts`. */
  newContact: NewContact | null = null
  /** Extra cost of deciding, in sends: for example of thousands of rules. */
  cost = 0
  /** True if it closes the conversation while the consumer waits for an answer. */
  closesUnanswered = false
  /** Takes the milestones of the operation instead of writing them: they count when the closing stands. */
  heldMilestones: MilestoneRow[] | null = null
  /** For how long a closing can be undone. */
  undoMs = 0
  /** Milestones of an earlier operation that count from now on. */
  readonly releasedMilestones: MilestoneRow[] = []
  /** For whom the operation acts if not for its caller: the sender of a delayed message. */
  by: string | null = null
  /** Set if it deletes messages, or places some before others, which nobody has seen. */
  rewrites: 'deletes' | 'merges' | null = null
  /** True if the operation puts an earlier state back, from which nothing derives. */
  isRestoring = false
  #isRemoved = false
  readonly #before: Aggregate | null
  readonly #after: Aggregate
  readonly #events: (NewEvent | { type: 'message.added' | 'message.changed'; message: MessageRow })[] = []

  constructor(
    readonly sql: ReadSql,
    readonly clock: Clock,
    aggregate: Aggregate,
    readonly shared: SharedReads,
    /** True if this operation creates the conversation. */
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
    else await ConversationChange.readReaches([this])
    return this.#after.reach ?? null
  }

  /** Reads with one statement what reaches the contacts of several changes of a transaction, where it is not known. */
  static async readReaches(changes: readonly ConversationChange[]): Promise<void> {
    const unknown = changes.filter((each) => !each.#after.reach && !each.newContact && each.conversation.contactId)
    const states = unknown.map(({ conversation }) => conversation)
    const reaches = unknown[0] && (await reachOfContacts(unknown[0].sql, states))
    for (const change of unknown) change.#after.reach = reaches?.get(change.conversation.id)
  }

  /** Adds a delivery of a message that this operation adds; the message's event contains it. */
  addDelivery(
    message: MessageRow,
    delivery: Pick<DeliveryRow, 'touchpoint' | 'serviceId' | 'recipient' | 'status' | 'reason' | 'code'> &
      Partial<Pick<DeliveryRow, 'copies' | 'providerId'>>,
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
      copies: [],
      providerId: null,
      ...delivery,
      segments: null,
      attempts: 0,
      createdAt: this.now,
      updatedAt: this.now,
    }
    this.deliveries.push(row)
    this.countUndelivered(null, row.status)
    message.deliveries = [...(message.deliveries ?? []), row]
    return row
  }

  /** Counts a message whose last delivery failed, or has not failed any more; null before there is one, and without one. */
  countUndelivered(before: DeliveryRow['status'] | null, after: DeliveryRow['status'] | null): void {
    const { conversation } = this
    const change = Number(after === 'failed') - Number(before === 'failed')
    if (change !== 0) conversation.undelivered = Math.max(0, conversation.undelivered + change)
  }

  /** Replaces a stored delivery. */
  changeDelivery(delivery: DeliveryRow): DeliveryRow {
    const changed = { ...delivery, updatedAt: this.now }
    this.changedDeliveries.push(changed)
    return changed
  }

  /** Messages that are being written, without what the operation has ended. */
  get streams(): readonly OpenStream[] {
    return this.#after.streams ?? []
  }

  /** Streams that are over with the operation. */
  get overStreams(): readonly OpenStream[] {
    return overStreams(this.#before, this.#after)
  }

  beginStream(stream: OpenStream): void {
    this.begunStreams.push(stream)
    this.#after.streams = [...this.streams, stream]
  }

  /** Its text must have been taken under its lock: nothing is added to it any more. */
  endStream({ id, conversationId, userId, saying, createdAt }: OpenStream, ending: StreamEnding): void {
    this.endedStreams.push({ id, conversationId, userId, saying, createdAt, ending })
    this.#after.streams = this.streams.filter((each) => each.id !== id)
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

  /**
   * Returns the time for which the conversation had been queued, in milliseconds, if this operation ended that; else
   * null.
   */
  get queueWaitMs(): number | null {
    const before = this.#before?.conversation
    if (before?.status !== 'queued' || !before.queuedAt || this.conversation.status !== 'active') return null
    return this.now.getTime() - before.queuedAt.getTime()
  }

  /** The conversation before the operation; null for a new one. */
  get earlier(): Readonly<ConversationState> | null {
    return this.#before?.conversation ?? null
  }

  /** The agents who had accepted the conversation that this operation closed. */
  get closedFor(): string[] {
    const before = this.#before
    if (!before || before.conversation.status !== 'active' || this.conversation.status !== 'closed') return []
    return [...before.participants.keys()].filter((user) => isMine(before, user))
  }

  get wasQueued(): boolean {
    return this.#before?.conversation.status === 'queued'
  }

  /** Marks the conversation as deleted: nothing of it is written, and its events say that it no longer exists. */
  remove(): void {
    this.#isRemoved = true
  }

  /** Tells whether the operation, once it has ended, begins a case. */
  get opensCase(): boolean {
    return opensCase({ ...this.#difference, messages: this.messages })
  }

  get #difference(): Pick<OperationChange, 'before' | 'after' | 'isRemoved'> {
    return { before: this.#before, after: this.#after, isRemoved: this.#isRemoved }
  }

  /** Derives the milestones of the operation, and what they change of the clocks. @returns those to write now */
  #count(): MilestoneRow[] {
    if (this.isRestoring) return []
    const { clocks, closesUnanswered, messages, noted, now, opensCase, sentBefore } = this
    const happened = { isBlocking: clocks.isBlocking, isMerge: this.rewrites === 'merges', closesUnanswered }
    const derived = advanceMilestones({ ...this.#difference, messages, noted, sentBefore, now, ...happened })
    const told = clocks.settle(this, this.#before, { milestones: derived, opensCase, isRemoved: this.#isRemoved })
    if (!this.heldMilestones) return [...derived, ...told]
    const { held = [], standing = [] } = Object.groupBy(derived, (each) => (isOfProposal(each) ? 'standing' : 'held'))
    this.heldMilestones.push(...held, ...told)
    return standing
  }

  /** Returns the changes of the operation, once it has ended. @param caller the user who asked for it, if one did */
  finish(caller: string | null = null): {
    /** The change of the conversation's row; null if nothing changed. */
    change: ChangedConversation['change'] | null
    participants: ParticipantState[]
    leavers: { conversationId: string; userId: string }[]
    given: GivenPart[]
    events: NewEvent[]
    milestones: MilestoneRow[]
  } {
    this.offers.settle(this, this.#before, this.#isRemoved)
    this.proposals.settle(this, this.#before, this.#isRemoved)
    const milestones = [...this.releasedMilestones, ...this.#count()]
    this.#after.unwritten = [...(this.#before?.unwritten ?? []), ...milestones]
    if (this.#isRemoved) {
      const events = eventsOfRemoval(this.#before!, this.#events)
      return { change: null, participants: [], leavers: [], given: [], events, milestones }
    }
    if (this.#before) advanceTurn(this, this.#before, this.by ?? caller)
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
    if (this.conversation.status !== 'closed') this.conversation.closedAt = null
    else if (before?.status !== 'closed') this.conversation.closedAt = this.now
    const isActivityOnly = before !== undefined && !hasChanges(before, this.conversation, ACTIVITY)
    const isChanged = !isActivityOnly || this.messages.length > 0 || hasChanges(before, this.conversation)
    if (isChanged && (this.messages.length > 0 || !before || hasOtherChanges(before, this.conversation))) {
      this.conversation.updatedAt = this.now
      this.conversation.version++
    }
    const changes = eventsOfChange(this.#before, this.#after)
    const stream = conversationStream(this.conversation.id)
    if (this.changedDeliveries.length > 0) this.emit(stream, 'message.delivery', { deliveries: this.changedDeliveries })
    // Subscribers receive the new conversation's event before those of its messages.
    const { turn } = this.conversation
    const own = this.#events.map((event) => {
      if (!('message' in event)) return event
      const message = messageData(event.message)
      return event.type === 'message.added'
        ? newEvent(stream, event.type, { message, turn })
        : newEvent(stream, event.type, { message })
    })
    const events = this.isNew ? [...changes, ...own] : [...own, ...changes]
    const change = this.isNew ? 'inserted' : isActivityOnly ? 'advanced' : 'updated'
    const given = givenParts(this.conversation, earlier, participants)
    return { change: isChanged ? change : null, participants, leavers, given, events, milestones }
  }
}

const FIND_MESSAGE = reading(
  `select ${selectList(MESSAGE_COLUMNS, 'm')} from message m where m.id = $1 and m.conversation_id = $2`,
)
