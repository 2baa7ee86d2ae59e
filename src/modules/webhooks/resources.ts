import { CONVERSATION_COLUMNS, PARTICIPANT_COLUMNS } from '../conversations/state/conversation-columns.js'
import { columnsWhere, type Column } from '../../platform/db/columns.js'
import { pathText, type TenantColumns } from '../../platform/db/tenancy.js'
import type { EventActor } from '../../platform/events/event.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DELIVERY_COLUMNS, MESSAGE_COLUMNS } from '../messages/message-columns.js'
import { CONTACT_COLUMNS } from '../contacts/contact-columns.js'
import { markOf } from '../messages/mark.js'
import { audienceOf, messageSlug, messageUrl } from '../messages/message-row.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import { effectiveSettings, type StoredSettings } from '../users/user-settings.js'
import { displayNameOf, nameOf, type Named } from '../users/user.js'

/**
 * Records in the form of `/v2`: the terms of section 2, references as ids, unset members omitted. They are built from
 * rows as PostgreSQL writes them to JSON, or from the values of an event.
 */

/** Returns the columns that are included unchanged under their own name: neither references nor times. */
const plainColumns = (columns: Readonly<Record<string, Column>>): readonly string[] =>
  columnsWhere(columns, ({ sql, webhook }) => webhook === 'shown' && sql !== 'uuid' && sql !== 'timestamptz')

const CONVERSATION = plainColumns(CONVERSATION_COLUMNS)
/** The times that a conversation shows in addition to when it was made and changed: null when unset. */
const CONVERSATION_TIMES = columnsWhere(
  CONVERSATION_COLUMNS,
  ({ sql, webhook, written }) => webhook === 'shown' && sql === 'timestamptz' && written === 'change',
)
const PARTICIPANT = plainColumns(PARTICIPANT_COLUMNS)
const MESSAGE = plainColumns(MESSAGE_COLUMNS)
const DELIVERY = plainColumns(DELIVERY_COLUMNS)
const USER = plainColumns(USER_COLUMNS)
const CONTACT = plainColumns(CONTACT_COLUMNS)

/** The fields of a delivery, and those of a conversation's former values beside its contact and participants. */
export const DELIVERY_FIELDS = [
  'id',
  'conversation',
  'message',
  'service',
  'status',
  ...DELIVERY,
  'createdAt',
  'updatedAt',
]
export const PREVIOUS_FIELDS = [...CONVERSATION, ...CONVERSATION_TIMES]

/** Related records of an event, as stored by `record-events.ts`. Null for missing ones. */
export interface EventContext {
  conversation: JsonObject | null
  participants: JsonObject[] | null
  contact: JsonObject | null
  user: JsonObject | null
  channel: JsonObject | null
  /** Deliveries of a message that changed. */
  deliveries?: JsonObject[] | null
  /** Owner of the conversation, whose `meta` is for backend automations (2.12). */
  organization?: JsonObject | null
  /** Subject of an event of another resource, as of the end of its transaction. */
  record?: JsonObject | null
  /** The state of the conversation after the event, if it is not the one at the end of its transaction. */
  mark?: { position: number; turn: number } | null
  actor?: EventActor | null
}

/** Builds a message (2.9) from the values of a `message.…` event. */
export function messageResource(message: JsonObject, publicUrl: string): JsonObject {
  const { organizationId, conversationId, userId, serviceId, deliveries } = message
  const id = message.id as string
  return shape({
    id,
    slug: messageSlug(id),
    url: messageUrl(publicUrl, id),
    ...(message.org1 != null && placeOf(message)),
    organization: organizationId,
    audience: audienceOf(message as JsonObject & Parameters<typeof audienceOf>[0]),
    deliveries: ((deliveries ?? []) as JsonObject[]).map(deliveryOfMessage),
    conversation: conversationId,
    user: userId,
    service: serviceId,
    ...pick(message, MESSAGE),
    ...times(message),
  })
}

/** Builds a delivery from the values of a `message.delivery` event. */
export function deliveryResource(delivery: JsonObject): JsonObject {
  const { conversationId, messageId, serviceId, status } = delivery
  return shape({
    id: delivery.id,
    conversation: conversationId,
    message: messageId,
    service: serviceId,
    // `sending` is internal.
    status: status === 'sending' ? 'queued' : status,
    ...pick(delivery, DELIVERY),
    ...times(delivery),
  })
}

function placeOf(message: JsonObject): JsonObject {
  const { orgPath } = tenant(message)
  return { path: orgPath!, orgPath: orgPath!, level: (orgPath as string).split('#').length }
}

/** A delivery within its message, where references keep the names of GraphQL. */
function deliveryOfMessage(delivery: JsonObject): JsonObject {
  const { conversation, message, service, ...rest } = deliveryResource(delivery)
  return shape({ ...rest, conversationId: conversation, messageId: message, serviceId: service })
}

export interface ConversationSurroundings {
  participants: readonly JsonObject[]
  /** Ids of the newest messages, in order. */
  messages: readonly string[]
  mark?: EventContext['mark']
  publicUrl: string
}

/** Builds a conversation (2.8) with its participants and the ids of its messages. */
export function conversationResource(
  row: JsonObject,
  { participants, messages, mark, publicUrl }: ConversationSurroundings,
): JsonObject {
  const conversation = camelRow<JsonObject>(row)
  const { id, messageCount, turn } = conversation as { id: string; messageCount: number; turn: number }
  return {
    ...shape({
      id: conversation.id,
      ...tenant(conversation),
      contact: conversation.contactId,
      ...pick(conversation, CONVERSATION),
      mark: markOf({ id, messageCount: mark?.position ?? messageCount, turn: mark?.turn ?? turn }),
      url: `${publicUrl}/c/${String(conversation.slug)}`,
      createdBy: conversation.createdById,
      ...times(conversation),
      participants: participants.map(participantResource),
      messages: [...messages],
    }),
    // Null when unset (2.8).
    category: conversation.category ?? null,
    ...Object.fromEntries(CONVERSATION_TIMES.map((key) => [key, time(conversation[key]) ?? null])),
  }
}

function participantResource(row: JsonObject): JsonObject {
  const participant = camelRow<JsonObject>(row)
  const { userId: user, organizationId: organization } = participant
  return shape({ user, organization, ...pick(participant, PARTICIPANT), ...times(participant) })
}

/** Builds the former values of a conversation's fields: null for one that was unset. */
export function previousOfConversation(previous: JsonObject): JsonObject {
  const { contactId, participants } = previous
  const isKept = (key: string): boolean => Object.hasOwn(previous, key)
  return {
    ...Object.fromEntries(CONVERSATION.filter(isKept).map((key) => [key, previous[key] ?? null])),
    ...Object.fromEntries(CONVERSATION_TIMES.filter(isKept).map((key) => [key, time(previous[key]) ?? null])),
    ...(contactId !== undefined && { contact: contactId }),
    ...(participants && { participants: (participants as JsonObject[]).map(participantResource) }),
  }
}

/** Builds a contact (2.11). */
export function contactResource(row: JsonObject): JsonObject {
  const contact = camelRow<JsonObject>(row)
  const { conversation } = contact
  return shape({ id: contact.id, ...tenant(contact), ...pick(contact, CONTACT), conversation, ...times(contact) })
}

/** Builds a user (2.2), without secrets. */
export function userResource(row: JsonObject): JsonObject {
  const user = camelRow<JsonObject>(row)
  const named = user as JsonObject & Named
  const { organization, orgPath } = tenant(user)
  const level = (orgPath as string).split('#').length
  return shape({
    id: user.id,
    organization,
    orgPath,
    organizations: [{ orgPath: orgPath!, organization: organization!, selected: true, role: user.role!, level }],
    ...pick(user, USER),
    settings: shape(effectiveSettings(user.settings as StoredSettings, level) as unknown as JsonObject),
    displayName: displayNameOf(named),
    name: nameOf(named),
    lastLogin: time(user.lastLogin),
    ...times(user),
  })
}

export function tenant(row: JsonObject): JsonObject {
  const path = pathText(row as JsonObject & Pick<TenantColumns, 'org1' | 'org2' | 'org3'>)
  return { organization: row.organizationId!, orgPath: path }
}

type Members = Readonly<Record<string, JsonValue | undefined>>

export function times({ createdAt, updatedAt }: JsonObject): Members {
  return { createdAt: time(createdAt), updatedAt: time(updatedAt) }
}

/** Returns those of the times that are set. */
export function dates(row: JsonObject, keys: readonly string[]): JsonObject {
  return shape(Object.fromEntries(keys.map((key) => [key, time(row[key])])))
}

/** Converts PostgreSQL's form of ISO 8601 to the interface's. */
function time(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? new Date(value).toISOString() : undefined
}

export function pick(row: JsonObject, keys: readonly string[]): Members {
  return Object.fromEntries(keys.map((key) => [key, row[key]]))
}

/** Omits unset members. */
export function shape(members: Members): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as JsonObject
}
