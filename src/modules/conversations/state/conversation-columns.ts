import { guestViewFor, propertyList, viewFor, type GuestColumns, type ShownTo } from '../../../platform/db/columns.js'
import type { JsonObject } from '../../../platform/json.js'
import { NO_TURN } from '../../messages/mark.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'

const ID = { sql: 'uuid', events: 'shown', erasure: 'kept' } as const
const none = (): never[] => []

/**
 * All columns of a conversation: how they are stored, and who may see them. SQL statements, events, webhooks, the
 * guest's view, erasure and list fields are derived from this table. A guest sees the conversation's content, but
 * nothing of the work on it.
 */
export const CONVERSATION_COLUMNS = {
  id: { ...ID, guest: 'shown', webhook: 'shown', list: 'order' },
  organizationId: { ...ID, guest: 'shown', webhook: 'shown', list: 'filter' },
  org1: { ...ID, guest: 'shown', webhook: 'shown' },
  org2: { ...ID, guest: 'shown', webhook: 'shown' },
  org3: { ...ID, guest: 'shown', webhook: 'shown' },
  type: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  slug: { sql: 'text', guest: 'shown', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  name: { sql: 'text', written: 'change', guest: 'shown', events: 'shown', webhook: 'shown', list: 'order' },
  status: {
    sql: 'text',
    written: 'change',
    guest: 'shown',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'order',
  },
  contactId: { ...ID, written: 'change', guest: 'shown', webhook: 'shown', list: 'filter' },
  touchpoint: {
    sql: 'text',
    written: 'change',
    guest: 'shown',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'filter',
  },
  touchpoints: {
    sql: 'jsonb',
    written: 'change',
    // Availability of email would reveal whether another contact has the address that the guest gave.
    guest: (touchpoints): JsonObject => (touchpoints?.web === undefined ? {} : { web: touchpoints.web }),
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
  },
  touchpointChosen: { sql: 'boolean', written: 'change', guest: () => false },
  category: { sql: 'text', written: 'change', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'order' },
  categoryIndex: { sql: 'int', written: 'change', events: 'shown', webhook: 'shown', erasure: 'kept', list: 'filter' },
  language: {
    sql: 'text',
    written: 'change',
    guest: 'shown',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'order',
  },
  channels: {
    sql: 'uuid[]',
    written: 'change',
    guest: none,
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'filter',
  },
  channelsOffline: {
    sql: 'uuid[]',
    written: 'change',
    guest: none,
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'filter',
  },
  taskChannels: { sql: 'uuid[]', written: 'change', guest: none, erasure: 'kept' },
  forms: { sql: 'jsonb', written: 'change', guest: 'shown', events: 'shown', webhook: 'shown' },
  results: { sql: 'jsonb', written: 'change', guest: none, events: 'shown', webhook: 'shown' },
  meta: { sql: 'jsonb', written: 'change', guest: () => ({}), events: 'shown', webhook: 'shown', list: 'filter' },
  createdById: { ...ID, webhook: 'shown', list: 'filter' },
  queuedAt: { sql: 'timestamptz', written: 'change', events: 'shown', erasure: 'kept', list: 'order' },
  queueing: { sql: 'int', written: 'change', guest: () => 0 },
  routingRemainder: { sql: 'jsonb', written: 'change' },
  offerId: { sql: 'uuid', written: 'change', events: 'shown', erasure: 'kept' },
  offerUserId: { sql: 'uuid', written: 'change', events: 'shown', erasure: 'kept' },
  offerUntil: { sql: 'timestamptz', written: 'change', events: 'shown', erasure: 'kept' },
  offerAt: { sql: 'timestamptz', written: 'change' },
  needs: { sql: 'jsonb', written: 'change' },
  urgency: { sql: 'int', written: 'message', guest: () => 0 },
  awaitingReply: { sql: 'boolean', written: 'message', guest: () => false },
  messageCount: { sql: 'int', written: 'message', guest: () => 0, events: 'shown', erasure: 'kept' },
  turn: { sql: 'int', written: 'change', guest: () => NO_TURN, events: 'shown', erasure: 'kept' },
  turnBy: { sql: 'uuid', written: 'change' },
  turnOther: { sql: 'int', written: 'change', guest: () => 0 },
  lastMessageId: { ...ID, written: 'message' },
  lastMessageAt: { sql: 'timestamptz', written: 'message', events: 'shown', erasure: 'kept', list: 'order' },
  lastMessageSlot: { sql: 'timestamptz', written: 'database' },
  lastMessageRole: { sql: 'text', written: 'message', events: 'shown', erasure: 'kept' },
  preview: { sql: 'text', written: 'message', events: 'shown' },
  version: { sql: 'int', written: 'message', guest: () => 0 },
  milestoneCount: { sql: 'int', written: 'message', guest: () => 0 },
  caseAt: { sql: 'timestamptz', written: 'change' },
  caseTurns: { sql: 'int', written: 'message', guest: () => 0 },
  caseChannels: { sql: 'uuid[]', written: 'change', guest: none, list: 'filter' },
  caseBots: { sql: 'jsonb', written: 'message', guest: () => ({}) },
  waitingSince: { sql: 'timestamptz', written: 'change' },
  hoursTold: { sql: 'boolean', written: 'change', guest: () => false },
  hoursToldUntil: { sql: 'timestamptz', written: 'change' },
  unansweredSince: { sql: 'timestamptz', written: 'message' },
  sla: { sql: 'jsonb', written: 'message' },
  nextDue: { sql: 'timestamptz', written: 'message', list: 'order' },
  riskAt: { sql: 'timestamptz', written: 'message' },
  labels: {
    sql: 'uuid[]',
    written: 'change',
    guest: none,
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'filter',
  },
  undelivered: { sql: 'int', written: 'change', guest: () => 0, events: 'shown', erasure: 'kept', list: 'filter' },
  closedAt: {
    sql: 'timestamptz',
    written: 'change',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'order',
  },
  snoozedUntil: {
    sql: 'timestamptz',
    written: 'change',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'order',
  },
  snoozedBy: { sql: 'uuid', written: 'change', events: 'shown', erasure: 'kept', list: 'filter' },
  snoozedAt: { sql: 'timestamptz', written: 'change' },
  handOverNoteId: { sql: 'uuid', written: 'change', events: 'shown', erasure: 'kept' },
  proposals: { sql: 'jsonb', written: 'change', erasure: 'kept' },
  createdAt: {
    sql: 'timestamptz',
    guest: 'shown',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'order',
  },
  updatedAt: {
    sql: 'timestamptz',
    written: 'message',
    guest: 'shown',
    events: 'shown',
    webhook: 'shown',
    erasure: 'kept',
    list: 'order',
  },
} satisfies GuestColumns<ConversationState>

/** A conversation as contained in its events. */
export type ConversationData = Pick<ConversationState, ShownTo<typeof CONVERSATION_COLUMNS, 'events'>>

export const conversationData: (conversation: ConversationState) => ConversationData = viewFor(
  CONVERSATION_COLUMNS,
  'events',
)

/** Returns a conversation as its consumer may see it. */
export const conversationForConsumer = guestViewFor<ConversationState>(CONVERSATION_COLUMNS)

/** The select list of whole conversations at alias `t`. */
export const WHOLE_CONVERSATION = propertyList(CONVERSATION_COLUMNS, 't')

/** All columns of a participant. A guest sees who talks to it, without their work flags. */
export const PARTICIPANT_COLUMNS = {
  conversationId: { sql: 'uuid', guest: 'shown' },
  userId: { sql: 'uuid', guest: 'shown', list: 'filter' },
  name: { sql: 'text', written: 'change', guest: 'shown', webhook: 'shown' },
  avatar: { sql: 'text', written: 'change', guest: 'shown', webhook: 'shown' },
  role: { sql: 'text', written: 'change', guest: 'shown', webhook: 'shown', list: 'filter' },
  unreadCount: { sql: 'int', written: 'change', guest: () => 0, webhook: 'shown', list: 'filter' },
  // Guests see the positions of their messages, and from which on nobody has read them.
  readPosition: { sql: 'int', written: 'change', guest: 'shown' },
  inbox: { sql: 'boolean', written: 'change', guest: () => false, webhook: 'shown', list: 'filter' },
  inboxReason: { sql: 'text', written: 'change' },
  inboxMessageId: { sql: 'uuid', written: 'change' },
  inboxSlot: { sql: 'timestamptz', written: 'database' },
  accepted: { sql: 'boolean', written: 'change', guest: 'shown', webhook: 'shown', list: 'filter' },
  active: { sql: 'boolean', written: 'change', guest: 'shown', webhook: 'shown', list: 'filter' },
  follow: { sql: 'boolean', written: 'change', guest: () => false, webhook: 'shown', list: 'filter' },
  acceptedAt: { sql: 'timestamptz', written: 'change' },
  handledMs: { sql: 'bigint', written: 'change', guest: () => 0 },
  createdAt: { sql: 'timestamptz', written: 'change', guest: 'shown' },
  updatedAt: { sql: 'timestamptz', written: 'change', guest: 'shown' },
} satisfies GuestColumns<ParticipantState>

/** The part of a participant that `previous` of an event holds: counts and times change with every message. */
export const PREVIOUS_OF_PARTICIPANT = [
  'userId',
  'name',
  'avatar',
  'role',
  'inbox',
  'accepted',
  'active',
  'follow',
] as const satisfies (keyof typeof PARTICIPANT_COLUMNS)[]

export const participantForConsumer = guestViewFor<ParticipantState>(PARTICIPANT_COLUMNS)
