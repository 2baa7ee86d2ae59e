import { CONVERSATION_COLUMNS } from '../conversations/writing/conversation-columns.js'
import { columnsWhere, type Column } from '../db/columns.js'
import type { JsonObject, JsonValue } from '../json.js'
import { DELIVERY_COLUMNS, MESSAGE_COLUMNS } from '../messages/message-columns.js'

/*
 * Personal data in events. A redacted event keeps its number, type and shape, so that streams stay complete and can be
 * replayed: values that are not listed here are emptied. An event of an undeclared type keeps only its ids.
 */

interface Kept {
  /** Members that are kept. */
  keep?: readonly string[]
  /** Members of which only the given members are kept; for a list, in each element. */
  within?: Readonly<Record<string, readonly string[]>>
}

const isKept = ({ erasure }: Column): boolean => erasure === 'kept'
const MESSAGE = columnsWhere(MESSAGE_COLUMNS, isKept)
const DELIVERY = columnsWhere(DELIVERY_COLUMNS, isKept)
const CONVERSATION = columnsWhere(CONVERSATION_COLUMNS, isKept)
const ENTRY = [
  'conversation',
  'channel',
  'organization',
  'status',
  'touchpoint',
  'category',
  'language',
  'queuedAt',
  'unreadCount',
  'active',
  'accepted',
  'follow',
  'lastMessageAt',
]

const ofConversation: Kept = { within: { conversation: CONVERSATION } }
const ofEntry: Kept = { keep: ['path', 'rule'], within: { entry: ENTRY } }
const ofContact: Kept = { keep: ['id', 'organization', 'status'] }
const ofAttachment: Kept = { keep: ['id', 'organization', 'fileType', 'size', 'tags'] }
/** Events of an organization's own records or its staff. */
const NOTHING_OF_CONSUMERS = null

export const EVENT_TYPES: Readonly<Record<string, Kept | null>> = {
  'message.added': { within: { message: MESSAGE } },
  'message.changed': { within: { message: MESSAGE } },
  'message.deleted': { keep: ['id', 'isConsumerVisible'], within: { message: MESSAGE } },
  'message.delivery': { within: { deliveries: DELIVERY } },
  'conversation.created': ofConversation,
  'conversation.changed': ofConversation,
  'queue.added': ofEntry,
  'queue.changed': ofEntry,
  'inbox.added': ofEntry,
  'inbox.changed': ofEntry,
  'mine.added': ofEntry,
  'mine.changed': ofEntry,
  'rule.notification': ofEntry,
  'contact.created': ofContact,
  'contact.updated': ofContact,
  'contact.deleted': ofContact,
  'attachment.created': ofAttachment,
  'attachment.updated': ofAttachment,
  'attachment.deleted': ofAttachment,
  ...Object.fromEntries(
    [
      'participants.changed',
      'conversation.deleted',
      'queue.removed',
      'inbox.removed',
      'mine.removed',
      'channel.memberAdded',
      'channel.memberRemoved',
      'user.login',
      'service.error',
      ...[
        'organization',
        'organizationGroup',
        'user',
        'channel',
        'workflow',
        'service',
        'form',
        'article',
        'file',
        'location',
      ].flatMap((resource) => ['created', 'updated', 'deleted'].map((what) => `${resource}.${what}`)),
    ].map((type) => [type, NOTHING_OF_CONSUMERS]),
  ),
}

/** Returns the event's data without personal data of consumers. */
export function redactEvent(type: string, data: JsonObject): JsonObject {
  const kept = type in EVENT_TYPES ? EVENT_TYPES[type]! : { keep: ['id'] }
  if (kept === NOTHING_OF_CONSUMERS) return data
  const { keep = [], within = {} } = kept
  const redacted = Object.entries(data).map(([key, value]) => {
    const members = within[key]
    if (members) return [key, Array.isArray(value) ? value.map((each) => only(each, members)) : only(value, members)]
    return [key, keep.includes(key) ? value : emptied(value)]
  })
  return Object.fromEntries(redacted) as JsonObject
}

function only(value: JsonValue, keep: readonly string[]): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, keep.includes(key) ? each : emptied(each)]),
  ) as JsonObject
}

/** Returns an empty value of the same kind, so that readers of the event find the expected shape. */
function emptied(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return ''
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : (value ?? null)
}
