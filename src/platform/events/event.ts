import type { JsonObject } from '../json.js'

/**
 * The data of each event type: ids and values, never entities. A module adds the interface of its own events, so that
 * emitting an event, publishing it to webhooks and showing it live are type-checked. Times are text in events read from
 * the log.
 */
export interface EventTypes {}

/** The names of all events. */
export type EventType = keyof EventTypes

/** A change of a record. */
export type RecordChange = 'created' | 'updated' | 'deleted'

/** The events of a resource's records: `location.created`. */
export type ResourceEvents<Resource extends string, Data> = {
  [Change in RecordChange as `${Resource}.${Change}`]: Data & { id: string; organization: string }
}

/** Adds an event of a known type to those of a transaction. */
export type Emit = <Type extends EventType>(stream: string, type: Type, data: EventTypes[Type]) => void

/** Creates an event of a known type. */
export function newEvent<Type extends EventType>(
  stream: string,
  type: Type,
  data: EventTypes[Type],
  shared?: Partial<EventTypes[Type]>,
): NewEvent {
  return { stream, type, data: asJson(data), ...(shared && { shared: asJson(shared) }) }
}

/** Safe because it is written as JSON before it is read. */
const asJson = (data: object): JsonObject => data as JsonObject

/**
 * A fact, named in the past tense: `queue.added`. `data` contains ids and values, never entities, and does not depend
 * on the reader.
 */
export interface NewEvent {
  /** `conversation:<id>`, `channel:<id>`, `user:<id>` or `organization:<id>`. */
  stream: string
  type: string
  data: JsonObject
  /**
   * Data shared by events of several streams, the same object in each: it is stored once. `data` is this plus what the
   * stream's name implies, which readers add.
   */
  shared?: JsonObject
  /** The actor, for webhooks; not stored in the log. Null for the service itself. */
  actor?: EventActor | null
  /** The place in a trace that caused it, for what follows from it; not stored in the log. */
  traceparent?: string
}

/** The cause of an event, as webhooks name the actor. */
export interface EventActor {
  kind: 'user' | 'contact'
  id: string
  name: string | null
}

/** Narrows an event to a type, and its data with it. */
export function isOfType<Event extends NewEvent, Type extends EventType>(
  event: Event,
  type: Type,
): event is Event & { type: Type; data: EventTypes[Type] } {
  return event.type === type
}

/**
 * An event with its position: numbers of one stream have no gaps and follow the order of commits. A restored database
 * assigns numbers again, so a number alone does not identify an event: the tag, random for each appending transaction,
 * distinguishes two events with the same number.
 */
export interface StoredEvent extends Omit<NewEvent, 'shared'> {
  number: number
  at: Date
  tag: number
  /** The tag of the stream's previous event; 0 for the first. */
  previous: number
}

/** The last known event of a stream. Its tag identifies all events that led to it. */
export interface StreamPosition {
  /** 0 before the first event. */
  number: number
  /** 0 for a stream without a row. */
  tag: number
}

/** The position of a stream without a row. */
export const NOWHERE: StreamPosition = { number: 0, tag: 0 }

/**
 * Tells whether both stand at the same event of the same history: after a restore, numbers are used again with other
 * tags.
 */
export function isSamePosition(one: StreamPosition, other: StreamPosition): boolean {
  return one.number === other.number && one.tag === other.tag
}

/** Tells whether the event is the next one of the history that led to the position; false after a gap, too. */
export function follows(position: StreamPosition, { number, previous }: StoredEvent): boolean {
  return number === position.number + 1 && previous === position.tag
}

/** Returns the position after this event. */
export function positionOf({ number, tag }: StoredEvent): StreamPosition {
  return { number, tag }
}

/** Messages, participants and status of one conversation. */
export const conversationStream = (id: string): string => `conversation:${id}`
/** Tells whether the stream is that of a conversation. */
export const isConversationStream = (stream: string): boolean => stream.startsWith('conversation:')
/** The queue of one channel. */
export const channelStream = (id: string): string => `channel:${id}`
/** Returns the id of the channel of a queue's stream. */
export const channelOfStream = (stream: string): string => stream.slice(channelStream('').length)
/** The inbox of one user. */
export const userStream = (id: string): string => `user:${id}`
/** Changes of an organization's other records. */
export const organizationStream = (id: string): string => `organization:${id}`
