import { CONVERSATION_COLUMNS, PARTICIPANT_COLUMNS } from '../conversations/writing/conversation-columns.js'
import { columnsWhere, type Column } from '../db/columns.js'
import { pathText } from '../db/tenancy.js'
import type { EventActor } from '../events/event.js'
import type { JsonObject, JsonValue } from '../json.js'
import { camelRow } from '../lists/rows.js'
import { DELIVERY_COLUMNS, MESSAGE_COLUMNS } from '../messages/message-columns.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import { displayNameOf, nameOf, type Named } from '../users/user.js'

/**
 * Records in the form of `/v2`: the terms of section 2, references as ids, unset members omitted. They are built from
 * rows as PostgreSQL writes them to JSON, or from the values of an event.
 */

/** Returns the columns that are included unchanged under their own name: neither references nor times. */
const plainColumns = (columns: Readonly<Record<string, Column>>): readonly string[] =>
  columnsWhere(columns, ({ sql, webhook }) => webhook === 'shown' && sql !== 'uuid' && sql !== 'timestamptz')

const CONVERSATION = plainColumns(CONVERSATION_COLUMNS)
const PARTICIPANT = plainColumns(PARTICIPANT_COLUMNS)
const MESSAGE = plainColumns(MESSAGE_COLUMNS)
const DELIVERY = plainColumns(DELIVERY_COLUMNS)
const USER = plainColumns(USER_COLUMNS)

/** Related records of an event, as stored by `record-events.ts`. Null for missing ones. */
export interface EventContext {
  conversation: JsonObject | null
  participants: JsonObject[] | null
  contact: JsonObject | null
  user: JsonObject | null
  channel: JsonObject | null
  /** Subject of an event of another resource, as of the end of its transaction. */
  record?: JsonObject | null
  actor?: EventActor | null
}

/** Builds a message (2.9) from the values of a `message.…` event. */
export function messageResource(message: JsonObject): JsonObject {
  const { organizationId, conversationId, userId, serviceId } = message
  return shape({
    id: message.id,
    organization: organizationId,
    ...(message.org1 != null && { orgPath: tenant(message).orgPath }),
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

export interface ConversationSurroundings {
  participants: readonly JsonObject[]
  /** Ids of the newest messages, in order. */
  messages: readonly string[]
  publicUrl: string
}

/** Builds a conversation (2.8) with its participants and the ids of its messages. */
export function conversationResource(
  row: JsonObject,
  { participants, messages, publicUrl }: ConversationSurroundings,
): JsonObject {
  const conversation = camelRow<JsonObject>(row)
  return {
    ...shape({
      id: conversation.id,
      ...tenant(conversation),
      contact: conversation.contactId,
      ...pick(conversation, CONVERSATION),
      url: `${publicUrl}/c/${String(conversation.slug)}`,
      createdBy: conversation.createdById,
      ...times(conversation),
      participants: participants.map(participantResource),
      messages: [...messages],
    }),
    // Null when unset (2.8).
    category: conversation.category ?? null,
  }
}

function participantResource(row: JsonObject): JsonObject {
  const participant = camelRow<JsonObject>(row)
  const { userId: user, organizationId: organization } = participant
  return shape({ user, organization, ...pick(participant, PARTICIPANT), ...times(participant) })
}

/** Builds a contact (2.11). */
export function contactResource(row: JsonObject): JsonObject {
  const contact = camelRow<JsonObject>(row)
  const same = pick(contact, ['profile', 'meta', 'status'])
  return shape({ id: contact.id, ...tenant(contact), ...same, ...times(contact) })
}

/** Builds a user (2.2), without private members. */
export function userResource(row: JsonObject): JsonObject {
  const user = camelRow<JsonObject>(row)
  const named = user as unknown as Named
  return shape({
    id: user.id,
    organization: user.organizationId,
    ...pick(user, USER),
    displayName: displayNameOf(named),
    name: nameOf(named),
    lastLogin: time(user.lastLogin),
    ...times(user),
  })
}

/** Builds a channel (2.6). */
export function channelResource(row: JsonObject): JsonObject {
  const channel = camelRow<JsonObject>(row)
  const same = pick(channel, ['name', 'status'])
  return shape({ id: channel.id, organization: channel.organizationId, ...same, ...times(channel) })
}

export function tenant(row: JsonObject): JsonObject {
  const path = pathText(row as unknown as { org1: string; org2: string | null; org3: string | null })
  return { organization: row.organizationId!, orgPath: path }
}

type Members = Readonly<Record<string, JsonValue | undefined>>

export function times({ createdAt, updatedAt }: JsonObject): Members {
  return { createdAt: time(createdAt), updatedAt: time(updatedAt) }
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
