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
 * Records as receivers know them from `/v2`: the words of section 2, references as ids, what is unset left out. They
 * are made of rows as PostgreSQL writes them to JSON, or of the values that an event carries.
 */

/** The columns that are told under their own name and as they are: neither references nor times. */
const plainColumns = (columns: Readonly<Record<string, Column>>): readonly string[] =>
  columnsWhere(columns, ({ sql, webhook }) => webhook === 'shown' && sql !== 'uuid' && sql !== 'timestamptz')

const CONVERSATION = plainColumns(CONVERSATION_COLUMNS)
const PARTICIPANT = plainColumns(PARTICIPANT_COLUMNS)
const MESSAGE = plainColumns(MESSAGE_COLUMNS)
const DELIVERY = plainColumns(DELIVERY_COLUMNS)
const USER = plainColumns(USER_COLUMNS)

/** The records around an event, as `record-events.ts` keeps them. Null for what is not there. */
export interface EventContext {
  conversation: JsonObject | null
  participants: JsonObject[] | null
  contact: JsonObject | null
  user: JsonObject | null
  channel: JsonObject | null
  /** What an event of another resource is about, as its transaction leaves it. */
  record?: JsonObject | null
  actor?: EventActor | null
}

/** 2.9; of the values of a `message.…` event. */
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

/** Of the values of a `message.delivery` event. */
export function deliveryResource(delivery: JsonObject): JsonObject {
  const { conversationId, messageId, serviceId, status } = delivery
  return shape({
    id: delivery.id,
    conversation: conversationId,
    message: messageId,
    service: serviceId,
    // The server's own word for what is under way.
    status: status === 'sending' ? 'queued' : status,
    ...pick(delivery, DELIVERY),
    ...times(delivery),
  })
}

export interface ConversationSurroundings {
  participants: readonly JsonObject[]
  /** Ids of the newest, in their order. */
  messages: readonly string[]
  publicUrl: string
}

/** 2.8, with its participants and the ids of its messages. */
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

/** 2.11. */
export function contactResource(row: JsonObject): JsonObject {
  const contact = camelRow<JsonObject>(row)
  const same = pick(contact, ['profile', 'meta', 'status'])
  return shape({ id: contact.id, ...tenant(contact), ...same, ...times(contact) })
}

/** 2.2, without what is the user's own business. */
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

/** 2.6. */
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

/** PostgreSQL writes other forms of ISO 8601 than the interface does. */
function time(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? new Date(value).toISOString() : undefined
}

export function pick(row: JsonObject, keys: readonly string[]): Members {
  return Object.fromEntries(keys.map((key) => [key, row[key]]))
}

/** Without what is unset. */
export function shape(members: Members): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as JsonObject
}
