import { createHash } from 'node:crypto'
import { conversationStream, type EventActor, type StoredEvent } from '../events/event.js'
import type { JsonObject, JsonValue } from '../json.js'

/** An event of a stream as published to webhooks, without related records. */
export interface OutgoingEvent {
  id: string
  stream: string
  number: number
  at: Date
  /** `{type}` is a placeholder for the conversation's type. */
  event: string
  /** Ordering key: a conversation, or one other record. */
  lane: string
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
  channel: string | null
  /** The record, if it is not a conversation, message or queue. */
  resource: string | null
  recordId: string | null
  actor: EventActor | null
}

type Subject = Pick<OutgoingEvent, 'event' | 'conversation' | 'user' | 'channel'> & { record: string | null }

/**
 * Returns which of a transaction's events are published, and by which name (open points, event names). Pass all events
 * that one transaction appended: a change of participants is only published if no other event of the conversation is.
 * @param epoch of the installation, part of the events' ids
 */
export function outgoingEvents(epoch: number, stored: readonly StoredEvent[]): OutgoingEvent[] {
  const heads = new Map<string, number>()
  for (const { stream, number } of stored) heads.set(stream, Math.max(number, heads.get(stream) ?? 0))
  const published = new Set(stored.filter(({ type }) => type !== 'participants.changed').map(({ stream }) => stream))
  return stored.flatMap((event, index) => {
    if (event.type === 'participants.changed' && published.has(event.stream)) return []
    const subject = subjectOf(event)
    if (!subject) return []
    const lane = subject.conversation ? conversationStream(subject.conversation) : (subject.record ?? event.stream)
    const isOwn = lane === event.stream || !subject.conversation
    return [
      {
        id: eventId(epoch, event),
        stream: event.stream,
        number: event.number,
        at: event.at,
        event: subject.event,
        lane,
        position: isOwn ? event.number : (heads.get(lane) ?? null),
        place: isOwn ? 0 : index + 1,
        organization: after(event.stream, 'organization:'),
        path: event.type === 'organization.deleted' ? textOf(event.data.path).split('#') : null,
        conversation: subject.conversation,
        user: subject.user,
        channel: subject.channel,
        ...recordOf(subject.record),
        actor: event.actor ?? null,
      },
    ]
  })
}

function recordOf(record: string | null | undefined): Pick<OutgoingEvent, 'resource' | 'recordId'> {
  const [resource = null, recordId = null] = record?.split(':') ?? []
  return { resource, recordId }
}

/** Event types that `outgoingEvents` may publish, as LIKE patterns; a replay reads no others. */
export const WEBHOOK_EVENT_TYPES = [
  'message.%',
  'conversation.%',
  'participants.changed',
  'queue.added',
  '%.created',
  '%.updated',
  '%.deleted',
  'channel.member%',
  'user.login',
  'service.error',
]

/**
 * Returns the event's id: always the same for the same event, and never that of another event. After a restore, numbers
 * are reused, but with other tags. A UUIDv8.
 */
export function eventId(epoch: number, event: Pick<StoredEvent, 'stream' | 'number' | 'tag' | 'at'>): string {
  const { stream, number, tag, at } = event
  const place = `${epoch}/${stream}/${number}`
  // Events appended by a release without tags keep the id that it gave.
  const name = tag === null ? place : `${place}/${tag}/${at.getTime()}`
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const NOTHING = { user: null, channel: null, record: null }
const RESOURCE_CHANGE = /^([a-z][A-Za-z]*)\.(create|update|delete)d$/

function subjectOf({ stream, type, data }: StoredEvent): Subject | null {
  const conversation = after(stream, 'conversation:')
  if (conversation) return { ...NOTHING, conversation, ...eventOfConversation(type, data) } as Subject
  const channel = after(stream, 'channel:')
  if (channel) {
    if (type !== 'queue.added') return null
    const entry = data.entry as JsonObject
    return { ...NOTHING, event: 'channel.notify', channel, conversation: textOf(entry.conversation) }
  }
  if (!stream.startsWith('organization:')) return null
  if (type === 'conversation.deleted') {
    return { ...NOTHING, event: 'conversation.delete', conversation: textOf(data.id) }
  }
  const event = eventOfRecord(type)
  if (!event) return null
  const [resource] = event.split('.')
  return {
    ...NOTHING,
    event,
    conversation: null,
    record: `${resource}:${textOf(data.id)}`,
    user: type === 'user.login' ? textOf(data.id) : null,
  }
}

function eventOfConversation(type: string, data: JsonObject): Partial<Subject> | null {
  const message = data.message as JsonObject | undefined
  const author = typeof message?.userId === 'string' ? { user: message.userId } : {}
  switch (type) {
    case 'message.added':
      return { event: `message.create.{type}.${textOf(message!.type)}`, ...author }
    case 'message.changed':
      return { event: 'message.update', ...author }
    case 'message.deleted':
      return { event: 'message.delete' }
    case 'message.delivery':
      return { event: 'message.delivery' }
    case 'conversation.created':
      return { event: 'conversation.create' }
    case 'conversation.changed':
    case 'participants.changed':
      return { event: 'conversation.update' }
    default:
      return null
  }
}

function eventOfRecord(type: string): string | null {
  if (type === 'user.login' || type === 'service.error') return type
  if (type.startsWith('channel.member')) return 'channel.update'
  const [, resource, what] = RESOURCE_CHANGE.exec(type) ?? []
  return resource ? `${resource}.${what}` : null
}

function after(text: string, prefix: string): string | null {
  return text.startsWith(prefix) ? text.slice(prefix.length) : null
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`an event contains ${typeof value} where text is expected`)
  return value
}
