import type { JsonObject } from '../json.js'

/**
 * What the events of each type hold: ids and values, never an entity. A module adds the interface of its own events, so
 * that whoever emits one, tells it to a webhook or shows it live is held to it. A time is text where the event has been
 * read from the log.
 */
export interface EventTypes {}

export type EventType = keyof EventTypes

/** What happens to a record. */
export type RecordChange = 'created' | 'updated' | 'deleted'

/** The events of a resource's records: `location.created`. */
export type ResourceEvents<Resource extends string, Data> = {
  [Change in RecordChange as `${Resource}.${Change}`]: Data & { id: string; organization: string }
}

/** Adds an event of a known type to those of a transaction. */
export type Emit = <Type extends EventType>(stream: string, type: Type, data: EventTypes[Type]) => void

/** Makes an event of a known type. */
export function newEvent<Type extends EventType>(
  stream: string,
  type: Type,
  data: EventTypes[Type],
  shared?: Partial<EventTypes[Type]>,
): NewEvent {
  return { stream, type, data: asJson(data), ...(shared && { shared: asJson(shared) }) }
}

/** It is written as JSON before anybody reads it. */
const asJson = (data: object): JsonObject => data as JsonObject

/**
 * A fact that happened, past tense: `queue.added`. `data` holds ids and values, never an entity, and does not depend on
 * who reads it.
 */
export interface NewEvent {
  /** `conversation:<id>`, `channel:<id>`, `user:<id>` or `organization:<id>`. */
  stream: string
  type: string
  data: JsonObject
  /**
   * What several streams are told alike, the same object for each: it is stored once, and `data` is this with what the
   * stream's name tells, which its readers add.
   */
  shared?: JsonObject
  /** Who did it, for those who are told outside; the log does not keep it. Null for the service itself. */
  actor?: EventActor | null
}

export interface EventActor {
  kind: 'user' | 'contact'
  id: string
  name: string | null
}

/** Tells an event's type, and with it what it holds. */
export function isOfType<Event extends NewEvent, Type extends EventType>(
  event: Event,
  type: Type,
): event is Event & { type: Type; data: EventTypes[Type] } {
  return event.type === type
}

/**
 * An event with its place: numbers of one stream have no gaps and follow the order of commits. A database that is brought
 * back to an older state gives numbers again, so a number alone does not name an event: the tag, random for each
 * appending transaction, tells two events of one number apart.
 */
export interface StoredEvent extends Omit<NewEvent, 'shared'> {
  number: number
  at: Date
  /** Null where a release without tags appended it. */
  tag: number | null
  /** The tag of the stream's event before; null as `tag` is. */
  previous: number | null
}

/** The last event that somebody knows of a stream. Whoever knows its tag knows which events led to it. */
export interface StreamPosition {
  /** 0 before the first event. */
  number: number
  /** 0 in a stream that has no row yet. */
  tag: number
}

/** Where a stream is that has no row. */
export const NOWHERE: StreamPosition = { number: 0, tag: 0 }

export function isSamePosition(one: StreamPosition, other: StreamPosition): boolean {
  return one.number === other.number && one.tag === other.tag
}

/** Whether the event is the next one of the history that led to the position; false after a gap, too. */
export function follows(position: StreamPosition, { number, previous }: StoredEvent): boolean {
  return number === position.number + 1 && (previous == null || previous === position.tag)
}

/** Where somebody stands who has had this event after that position. */
export function positionAfter(position: StreamPosition, { number, tag }: StoredEvent): StreamPosition {
  // A release without tags leaves the stream's as it is.
  return { number, tag: tag ?? position.tag }
}

/** Messages, participants and status of one conversation. */
export const conversationStream = (id: string): string => `conversation:${id}`
export const isConversationStream = (stream: string): boolean => stream.startsWith('conversation:')
/** The queue of one channel. */
export const channelStream = (id: string): string => `channel:${id}`
export const channelOfStream = (stream: string): string => stream.slice(channelStream('').length)
/** The inbox of one user. */
export const userStream = (id: string): string => `user:${id}`
/** Changes of an organization's other records. */
export const organizationStream = (id: string): string => `organization:${id}`
