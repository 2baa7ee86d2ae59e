import { CONVERSATION_COLUMNS } from '../conversations/state/conversation-columns.js'
import { columnsWhere, type Column } from '../../platform/db/columns.js'
import type { EventType, RecordChange } from '../../platform/events/event.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { DELIVERY_COLUMNS, MESSAGE_COLUMNS } from '../messages/message-columns.js'

/*
 * Personal data in events. A redacted event keeps its number, type and shape, so that streams stay complete and can be
 * replayed: values that are not listed here are emptied. An event of an undeclared type keeps only its ids.
 */

/** Members of events that hold a conversation, what it was before, or its entry in a queue or an inbox. */
export const STATE_MEMBERS = ['conversation', 'previous', 'entry'] as const

interface Kept {
  /** Members that are kept. */
  keep?: readonly string[]
  /** Members of which only the given members are kept; for a list, in each element. */
  within?: Readonly<Partial<Record<(typeof STATE_MEMBERS)[number] | 'message' | 'deliveries', readonly string[]>>>
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
  'nextDue',
  'undelivered',
  'labels',
  'unreadCount',
  'active',
  'accepted',
  'follow',
  'lastMessageAt',
  'awaitsAnswer',
  'snoozedUntil',
  'reason',
  'reasonMessage',
]

const ofConversation: Kept = { within: { conversation: CONVERSATION } }
const ofEntry: Kept = { keep: ['path', 'rule'], within: { entry: ENTRY } }
const ofContact: Kept = { keep: ['id', 'organization', 'status'] }
const ofAttachment: Kept = { keep: ['id', 'organization', 'fileType', 'size', 'tags'] }
/** Events of an organization's own records or its staff. */
const NOTHING_OF_CONSUMERS = null

type OfResource<Resource extends string, Value> = { [Change in RecordChange as `${Resource}.${Change}`]: Value }

/** The same of all that happens to a resource's records. */
function changesOf<Resource extends string, Value>(resource: Resource, value: Value): OfResource<Resource, Value> {
  const changes: readonly RecordChange[] = ['created', 'updated', 'deleted']
  return Object.fromEntries(changes.map((change) => [`${resource}.${change}`, value])) as OfResource<Resource, Value>
}

export const EVENT_TYPES = {
  'message.added': { keep: ['turn'], within: { message: MESSAGE } },
  'message.changed': { within: { message: MESSAGE } },
  'message.deleted': { keep: ['id', 'isConsumerVisible'], within: { message: MESSAGE } },
  'message.delivery': { within: { deliveries: DELIVERY } },
  'conversation.created': ofConversation,
  'conversation.changed': { within: { conversation: CONVERSATION, previous: [...CONVERSATION, 'participants'] } },
  'conversation.deleted': NOTHING_OF_CONSUMERS,
  'conversation.removed': NOTHING_OF_CONSUMERS,
  'participants.changed': NOTHING_OF_CONSUMERS,
  'queue.added': ofEntry,
  'queue.changed': ofEntry,
  'queue.removed': NOTHING_OF_CONSUMERS,
  'inbox.added': ofEntry,
  'inbox.changed': ofEntry,
  'inbox.removed': NOTHING_OF_CONSUMERS,
  'mine.added': ofEntry,
  'mine.changed': ofEntry,
  'mine.removed': NOTHING_OF_CONSUMERS,
  'rule.notification': ofEntry,
  'offer.made': { keep: ['path', 'offer'], within: { entry: ENTRY } },
  'offer.ended': NOTHING_OF_CONSUMERS,
  'conversation.offered': NOTHING_OF_CONSUMERS,
  'conversation.offerEnded': NOTHING_OF_CONSUMERS,
  'clock.changed': NOTHING_OF_CONSUMERS,
  'clock.warned': NOTHING_OF_CONSUMERS,
  'clock.breached': NOTHING_OF_CONSUMERS,
  // What it says is in its row alone.
  'proposal.changed': NOTHING_OF_CONSUMERS,
  'proposal.requested': NOTHING_OF_CONSUMERS,
  'draft.changed': NOTHING_OF_CONSUMERS,
  'bulk.changed': NOTHING_OF_CONSUMERS,
  ...changesOf('contact', ofContact),
  'contact.erased': NOTHING_OF_CONSUMERS,
  // Ids: what a note says is in its row alone.
  ...changesOf('contactNote', NOTHING_OF_CONSUMERS),
  ...changesOf('attachment', ofAttachment),
  'channel.memberAdded': NOTHING_OF_CONSUMERS,
  'channel.memberRemoved': NOTHING_OF_CONSUMERS,
  'user.login': NOTHING_OF_CONSUMERS,
  'audit.sealed': NOTHING_OF_CONSUMERS,
  'service.error': NOTHING_OF_CONSUMERS,
  ...changesOf('organization', NOTHING_OF_CONSUMERS),
  ...changesOf('organizationGroup', NOTHING_OF_CONSUMERS),
  ...changesOf('user', NOTHING_OF_CONSUMERS),
  ...changesOf('channel', NOTHING_OF_CONSUMERS),
  ...changesOf('workflow', NOTHING_OF_CONSUMERS),
  ...changesOf('workflowDraft', NOTHING_OF_CONSUMERS),
  'workflowDraft.refused': NOTHING_OF_CONSUMERS,
  ...changesOf('service', NOTHING_OF_CONSUMERS),
  ...changesOf('form', NOTHING_OF_CONSUMERS),
  ...changesOf('cannedResponse', NOTHING_OF_CONSUMERS),
  ...changesOf('article', NOTHING_OF_CONSUMERS),
  ...changesOf('file', NOTHING_OF_CONSUMERS),
  ...changesOf('location', NOTHING_OF_CONSUMERS),
  ...changesOf('holidayCalendar', NOTHING_OF_CONSUMERS),
  ...changesOf('schedule', NOTHING_OF_CONSUMERS),
  ...changesOf('reasonCode', NOTHING_OF_CONSUMERS),
  ...changesOf('skill', NOTHING_OF_CONSUMERS),
  ...changesOf('slaPolicy', NOTHING_OF_CONSUMERS),
  'rating.created': NOTHING_OF_CONSUMERS,
  'rating.updated': NOTHING_OF_CONSUMERS,
  'macro.created': NOTHING_OF_CONSUMERS,
  'macro.updated': NOTHING_OF_CONSUMERS,
  ...changesOf('view', NOTHING_OF_CONSUMERS),
  ...changesOf('domain', NOTHING_OF_CONSUMERS),
  'fourEyes.updated': NOTHING_OF_CONSUMERS,
  'pendingChange.created': NOTHING_OF_CONSUMERS,
  'pendingChange.updated': NOTHING_OF_CONSUMERS,
  'retentionPolicy.created': NOTHING_OF_CONSUMERS,
  'retentionPolicy.updated': NOTHING_OF_CONSUMERS,
  'retentionRun.created': NOTHING_OF_CONSUMERS,
  'retentionRun.updated': NOTHING_OF_CONSUMERS,
  'signInPolicy.updated': NOTHING_OF_CONSUMERS,
  'label.created': NOTHING_OF_CONSUMERS,
  'label.updated': NOTHING_OF_CONSUMERS,
  'availability.changed': NOTHING_OF_CONSUMERS,
  'staff.updated': NOTHING_OF_CONSUMERS,
  'agent.changed': NOTHING_OF_CONSUMERS,
  'agent.removed': NOTHING_OF_CONSUMERS,
} satisfies Record<EventType, Kept | null>

const isKnown = (type: string): type is EventType => Object.hasOwn(EVENT_TYPES, type)

/** Returns the event's data without personal data of consumers. */
export function redactEvent(type: string, data: JsonObject): JsonObject {
  const kept: Kept | null = isKnown(type) ? EVENT_TYPES[type] : { keep: ['id'] }
  if (kept === NOTHING_OF_CONSUMERS) return data
  const { keep = [] } = kept
  const within: Readonly<Record<string, readonly string[] | undefined>> = kept.within ?? {}
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
