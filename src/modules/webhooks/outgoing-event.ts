import { createHash } from 'node:crypto'
import {
  conversationStream,
  isOfType,
  type EventActor,
  type EventType,
  type EventTypes,
  type RecordChange,
  type StoredEvent,
} from '../../platform/events/event.js'
import type { JsonValue } from '../../platform/json.js'

/** An event of a stream as published to webhooks, without related records. */
export interface OutgoingEvent {
  id: string
  stream: string
  number: number
  at: Date
  /** `{type}` is a placeholder for the conversation's type. */
  event: string
  /** Ordering key: a conversation, or one other record. */
  partition: string
  /**
   * Position in the partition: a number of its stream, null for the newest; then `place` among events with one number.
   */
  position: number | null
  place: number
  /** Owning organization, if there is no conversation. */
  organization: string | null
  /** Ancestors and owner of a record that may be deleted by now. */
  path: string[] | null
  conversation: string | null
  user: string | null
  /** The user who sent a message; null for one on behalf of the consumer, and for other events. */
  sender: string | null
  channel: string | null
  /** The message that changed, whose deliveries its event lacks. */
  message: string | null
  /** The record, if it is not a conversation, message or queue. */
  resource: string | null
  recordId: string | null
  /** The state of the conversation after the event, if a later one of the transaction added a message. */
  mark: { position: number; turn: number } | null
  actor: EventActor | null
  /** The place in a trace that caused it. */
  traceparent: string | null
}

type Subject = Pick<OutgoingEvent, 'event' | 'conversation' | 'user' | 'sender' | 'channel' | 'message'> & {
  record: string | null
}

/**
 * Returns which of a transaction's events are published, and by which name (open points, event names).
 * @param epoch of the installation, part of the events' ids
 */
export function outgoingEvents(epoch: number, stored: readonly StoredEvent[]): OutgoingEvent[] {
  const heads = new Map<string, number>()
  for (const { stream, number } of stored) heads.set(stream, Math.max(number, heads.get(stream) ?? 0))
  return stored.flatMap((event, index) => {
    const subject = subjectOf(event)
    if (!subject) return []
    const partition = subject.conversation ? conversationStream(subject.conversation) : (subject.record ?? event.stream)
    const isOwn = partition === event.stream || !subject.conversation
    return [
      {
        id: eventId(epoch, event),
        stream: event.stream,
        number: event.number,
        at: event.at,
        event: subject.event,
        partition,
        position: isOwn ? event.number : (heads.get(partition) ?? null),
        place: isOwn ? 0 : index + 1,
        organization: after(event.stream, 'organization:'),
        path: event.type === 'organization.deleted' ? textOf(event.data.path).split('#') : null,
        conversation: subject.conversation,
        user: subject.user,
        sender: subject.sender,
        channel: subject.channel,
        message: subject.message,
        ...recordOf(subject.record),
        mark: markOfEvent(event, stored.slice(index + 1)),
        actor: event.actor ?? null,
        traceparent: event.traceparent ?? null,
      },
    ]
  })
}

/**
 * An event's conversation is shown as of the end of its transaction; its mark must not claim messages whose events come
 * later. @returns null if there are none
 */
function markOfEvent(event: StoredEvent, later: readonly StoredEvent[]): OutgoingEvent['mark'] {
  if (isOfType(event, 'message.added')) return { position: event.data.message.position, turn: event.data.turn }
  for (const each of later) {
    if (each.stream === event.stream && isOfType(each, 'message.added'))
      return { position: Math.max(0, each.data.message.position - 1), turn: Math.max(0, each.data.turn - 1) }
  }
  return null
}

function recordOf(record: string | null | undefined): Pick<OutgoingEvent, 'resource' | 'recordId'> {
  const [resource = null, recordId = null] = record?.split(':') ?? []
  return { resource, recordId }
}

/**
 * Returns the event's id: always the same for the same event, and never that of another event. After a restore, numbers
 * are reused, but with other tags. A UUIDv8.
 */
export function eventId(epoch: number, event: Pick<StoredEvent, 'stream' | 'number' | 'tag' | 'at'>): string {
  const { stream, number, tag, at } = event
  const name = `${epoch}/${stream}/${number}/${tag}/${at.getTime()}`
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Null for an event of which nothing is published. */
type Published<Data> = ((data: Data, owner: string) => Subject | null) | null

const NOTHING = { conversation: null, user: null, sender: null, channel: null, message: null, record: null }

/** Publishes an event of a conversation's stream. */
const ofConversation =
  (event: string) =>
  (_data: unknown, conversation: string): Subject => ({ ...NOTHING, event, conversation })

const asUpdate = ofConversation('conversation.update')

/** Publishes an event of an organization's record. */
const ofRecord =
  (event: string) =>
  ({ id }: { id: string }): Subject => ({ ...NOTHING, event, record: `${event.split('.')[0]}:${textOf(id)}` })

type RecordEvents<Resource extends string> = {
  [Change in RecordChange as `${Resource}.${Change}`]: ReturnType<typeof ofRecord>
}

function records<Resource extends string>(resource: Resource): RecordEvents<Resource> {
  const verbs: Readonly<Record<RecordChange, string>> = { created: 'create', updated: 'update', deleted: 'delete' }
  return Object.fromEntries(
    Object.entries(verbs).map(([change, verb]) => [`${resource}.${change}`, ofRecord(`${resource}.${verb}`)]),
  ) as RecordEvents<Resource>
}

/** Published form of each type of event; null if it is not published. */
const PUBLISHED = {
  'message.added': ({ message }, conversation) => {
    const event = `message.create.{type}.${textOf(message.type)}`
    const user = message.userId ?? null
    return { ...NOTHING, event, conversation, user, sender: message.role === 'contact' ? null : user }
  },
  'message.changed': ({ message }, conversation) => {
    const user = message.userId ?? null
    return { ...NOTHING, event: 'message.update', conversation, user, message: textOf(message.id) }
  },
  'message.deleted': ofConversation('message.delete'),
  'message.delivery': ofConversation('message.delivery'),
  'conversation.created': ofConversation('conversation.create'),
  // Nothing that is published changed if `previous` is empty.
  'conversation.changed': ({ previous }, conversation) =>
    previous && Object.keys(previous).length === 0 ? null : asUpdate(null, conversation),
  // Without `previous`, counts changed, or the conversation's own event has it.
  'participants.changed': ({ previous }, conversation) => (previous ? asUpdate(null, conversation) : null),
  'conversation.offered': ({ offer }, conversation) => {
    return { ...NOTHING, event: 'conversation.offer', conversation, user: offer.userId, channel: offer.channelId }
  },
  'conversation.offerEnded': ({ user }, conversation) => {
    return { ...NOTHING, event: 'conversation.offerEnd', conversation, user }
  },
  'clock.changed': null,
  'clock.warned': ofConversation('conversation.clockWarn'),
  'clock.breached': ofConversation('conversation.clockBreach'),
  'proposal.changed': ofConversation('conversation.proposal'),
  'proposal.requested': ({ user }, conversation) => ({ ...NOTHING, event: 'proposal.requested', conversation, user }),
  // Published from the conversation's stream.
  'offer.made': null,
  'offer.ended': null,
  'conversation.deleted': ({ id }) => ({ ...NOTHING, event: 'conversation.delete', conversation: textOf(id) }),
  // Published from the organization's stream.
  'conversation.removed': null,
  'queue.added': ({ entry }, channel) => {
    return { ...NOTHING, event: 'channel.notify', channel, conversation: textOf(entry.conversation) }
  },
  'queue.changed': null,
  'queue.removed': null,
  'inbox.added': null,
  'inbox.changed': null,
  'inbox.removed': null,
  'mine.added': null,
  'mine.changed': null,
  'mine.removed': null,
  'rule.notification': null,
  'draft.changed': null,
  'bulk.changed': null,
  ...records('organization'),
  ...records('organizationGroup'),
  ...records('user'),
  'user.login': (data) => ({ ...ofRecord('user.login')(data), user: textOf(data.id) }),
  'audit.sealed': ofRecord('audit.sealed'),
  ...records('channel'),
  'channel.memberAdded': ofRecord('channel.update'),
  'channel.memberRemoved': ofRecord('channel.update'),
  ...records('contact'),
  'contact.erased': ofRecord('contact.erased'),
  ...records('contactNote'),
  ...records('workflow'),
  // Drafts are their authors' own; what was planned with one and did not take place is others' business too.
  'workflowDraft.created': null,
  'workflowDraft.updated': null,
  'workflowDraft.deleted': null,
  'workflowDraft.refused': ofRecord('workflowDraft.refuse'),
  ...records('service'),
  'service.error': ofRecord('service.error'),
  ...records('form'),
  ...records('cannedResponse'),
  ...records('article'),
  ...records('attachment'),
  ...records('file'),
  ...records('location'),
  ...records('holidayCalendar'),
  ...records('schedule'),
  ...records('reasonCode'),
  ...records('skill'),
  'rating.created': ofRecord('rating.create'),
  'rating.updated': ofRecord('rating.update'),
  'macro.created': ofRecord('macro.create'),
  'macro.updated': ofRecord('macro.update'),
  // Of what agents look at, nothing outside depends.
  'view.created': null,
  'view.updated': null,
  'view.deleted': null,
  'domain.created': null,
  'domain.updated': null,
  'domain.deleted': null,
  'signInPolicy.updated': null,
  'fourEyes.updated': null,
  'pendingChange.created': null,
  'pendingChange.updated': null,
  'retentionPolicy.created': null,
  'retentionPolicy.updated': null,
  'retentionRun.created': null,
  'retentionRun.updated': null,
  'label.created': ofRecord('label.create'),
  'label.updated': ofRecord('label.update'),
  ...records('slaPolicy'),
  // The state of a user: the record is the user.
  'availability.changed': ({ id }) => ({ ...NOTHING, event: 'user.availability', record: `user:${textOf(id)}` }),
  'staff.updated': ({ id }) => ({ ...NOTHING, event: 'user.staff', record: `user:${textOf(id)}` }),
  'agent.changed': null,
  'agent.removed': null,
} satisfies { [Type in EventType]: Published<EventTypes[Type]> }

const PUBLISHED_BY_TYPE = new Map(Object.entries(PUBLISHED)) as Map<string, Published<object>>

/** Types that are published; a replay reads no others. */
export const WEBHOOK_EVENT_TYPES: readonly string[] = [...PUBLISHED_BY_TYPE.keys()].filter((type) =>
  PUBLISHED_BY_TYPE.get(type),
)

function subjectOf({ stream, type, data }: StoredEvent): Subject | null {
  return PUBLISHED_BY_TYPE.get(type)?.(data, stream.slice(stream.indexOf(':') + 1)) ?? null
}

function after(text: string, prefix: string): string | null {
  return text.startsWith(prefix) ? text.slice(prefix.length) : null
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`an event contains ${typeof value} where text is expected`)
  return value
}
