import { emitContact } from '../../contacts/contact-events.js'
import { contactRowOf, type NewContact } from '../../contacts/insert-contact.js'
import { isId, type Clock } from '../../db/clock.js'
import type { Sql } from '../../db/database.js'
import { conversationStream, newEvent, type EventType, type EventTypes, type NewEvent } from '../../events/event.js'
import type { NewJob } from '../../jobs/job.js'
import { camelRow } from '../../lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { messageData } from '../../messages/message-columns.js'
import type { MessageRow } from '../../messages/message-row.js'
import { cloneAggregate, type Aggregate, type ConversationState, type ParticipantState } from './conversation-state.js'
import { ACTIVITY, type ChangedConversation, type RoutingDecisionRow } from './conversation-store.js'
import { hasChanges, eventsOfChange } from './change-events.js'
import { reachOfContact, reachOfNewContact, type ContactRoutes } from './contact-routes.js'
import { givenParts, type GivenPart } from './reach.js'
import { SharedReads } from './shared-reads.js'

/** A user as a participant shows it. */
export interface Member {
  userId: string
  name: string | null
  avatar: string | null
  role: string
}

/**
 * One operation's hold on a locked conversation: a draft of its state, and what the operation adds. Nothing of it is
 * written unless the operation ends well. Members of the state are replaced, never changed in place.
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
  /** The other conversations that the operation has locked (`alsoLock`), by id. */
  readonly others = new Map<string, ConversationDraft>()
  /** Statements to run after all that is written; only for an operation that runs alone. */
  readonly lastStatements: { text: string; values: unknown[] }[] = []
  readonly now: Date
  /** The consumer that this operation makes: inserted once it has ended, see `insertContacts`. */
  newContact: NewContact | null = null
  /** What deciding took beyond the ordinary, in sends: a tenant of whose rules there are thousands. */
  cost = 0
  readonly #before: Aggregate | null
  readonly #after: Aggregate
  readonly #events: (NewEvent | ShownMessage)[] = []

  constructor(
    readonly sql: Sql,
    readonly clock: Clock,
    aggregate: Aggregate,
    /** A conversation that this operation makes. */
    readonly isNew = false,
    readonly shared = new SharedReads(),
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

  /** Adds events that were made elsewhere. */
  addEvents(events: readonly NewEvent[]): void {
    this.#events.push(...events)
  }

  /** Tells of messages as they are when the operation ends. */
  emitMessages(type: 'message.added' | 'message.changed', messages: readonly MessageRow[]): void {
    this.#events.push(...messages.map((message) => ({ type, message })))
  }

  afterWrites(text: string, values: unknown[]): void {
    this.lastStatements.push({ text, values })
  }

  addJob(job: NewJob): void {
    this.jobs.push(job)
  }

  /** Adds a message at the end; its position and time are set here. */
  addMessage(
    message: Omit<MessageRow, 'position' | 'createdAt' | 'updatedAt' | 'conversationId' | OrganizationKeys>,
  ): MessageRow {
    const { conversation } = this
    const { organizationId, org1, org2, org3, lastMessageAt } = conversation
    // Never before what was said last, whatever this node's clock says: merges order by it, and guests see by it.
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

  /** A message of the conversation as this operation has it; null when there is none. */
  async findMessage(id: string): Promise<MessageRow | null> {
    const wanted = id.toLowerCase()
    const known = [...this.changedMessages, ...this.messages].find((message) => message.id === wanted)
    if (known || !isId(id)) return known ?? null
    const rows = await this.sql.query<Record<string, unknown>>(
      'select * from message where id = $1 and conversation_id = $2',
      [wanted, this.conversation.id],
    )
    return rows[0] ? camelRow<MessageRow>(rows[0]) : null
  }

  /** Rewrites a message. */
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

  /** The ways to the contact: read with the lock where it was foreseen. Null without a contact. */
  async reach(): Promise<ContactRoutes | null> {
    const { contactId } = this.conversation
    if (contactId === null) return null
    this.#after.reach ??= this.newContact
      ? await reachOfNewContact(this, this.newContact.profile)
      : ((await reachOfContact(this.sql, { ...this.conversation, contactId })) ?? undefined)
    return this.#after.reach ?? null
  }

  /** Of a message added by this operation, whose event tells it. */
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

  /** Rewrites a stored delivery. */
  changeDelivery(delivery: DeliveryRow): DeliveryRow {
    const changed = { ...delivery, updatedAt: this.now }
    this.changedDeliveries.push(changed)
    return changed
  }

  /** The user's participation, made when there is none. */
  join(member: Member): ParticipantState {
    const known = this.participants.get(member.userId)
    if (known) return Object.assign(known, { name: member.name, avatar: member.avatar, role: member.role })
    const participant: ParticipantState = {
      conversationId: this.conversation.id,
      ...member,
      unreadCount: 0,
      inbox: false,
      accepted: false,
      active: false,
      follow: false,
      createdAt: this.now,
      updatedAt: this.now,
    }
    this.participants.set(member.userId, participant)
    return participant
  }

  /**
   * Makes the consumer of a new conversation. When another contact has one of its identifiers, the operation is refused
   * with `ContactExists` after it has ended: those of all operations that commit together are inserted together.
   */
  addContact(contact: NewContact): void {
    this.newContact = contact
    emitContact(this, contactRowOf(contact), 'created')
    this.attachContact(contact.id, contact.profile.name ?? null, false)
  }

  /** Gives a new conversation its consumer. */
  attachContact(id: string, name: string | null, isBlocked: boolean): void {
    this.conversation.contactId = id
    this.#after.contactName = name
    this.#after.isContactBlocked = isBlocked
  }

  /** For queue and inbox entries. */
  get aggregate(): Readonly<Aggregate> {
    return this.#after
  }

  /** How long the conversation had waited in the queue, in milliseconds, when this operation ended that; else null. */
  get queueWaitMs(): number | null {
    const before = this.#before?.conversation
    if (before?.status !== 'queued' || !before.queuedAt || this.conversation.status !== 'active') return null
    return this.now.getTime() - before.queuedAt.getTime()
  }

  /** What the operation changed, once it has ended. */
  finish(): {
    /** How the conversation's row is to be written; null when nothing of it changed. */
    change: ChangedConversation['change'] | null
    participants: ParticipantState[]
    leavers: { conversationId: string; userId: string }[]
    given: GivenPart[]
    events: NewEvent[]
  } {
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
    if (this.changedDeliveries.length > 0) {
      this.emit(conversationStream(this.conversation.id), 'message.delivery', { deliveries: this.changedDeliveries })
    }
    // Who hears of a new conversation hears of it before its messages.
    const own = this.#events.map((event) => ('message' in event ? this.#eventOfMessage(event) : event))
    const events = this.isNew ? [...changes, ...own] : [...own, ...changes]
    const change = this.isNew ? 'inserted' : isActivityOnly ? 'advanced' : 'updated'
    const given = givenParts(this.conversation, earlier, participants)
    return { change: isChanged ? change : null, participants, leavers, given, events }
  }

  #eventOfMessage({ type, message }: ShownMessage): NewEvent {
    return newEvent(conversationStream(this.conversation.id), type, { message: messageData(message) })
  }
}

interface ShownMessage {
  type: 'message.added' | 'message.changed'
  message: MessageRow
}

type OrganizationKeys = 'organizationId' | 'org1' | 'org2' | 'org3'
