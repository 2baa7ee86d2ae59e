import type { JsonObject } from '../json.js'

/**
 * A fact that happened, past tense: `queue.added`. `data` holds ids and values, never an entity, and does not depend on
 * who reads it.
 */
export interface NewEvent {
  /** `conversation:<id>`, `channel:<id>`, `user:<id>` or `organization:<id>`. */
  stream: string
  type: string
  data: JsonObject
}

/** An event with its place: numbers of one stream have no gaps and follow the order of commits. */
export interface StoredEvent extends NewEvent {
  number: number
  at: Date
}

/** Messages, participants and status of one conversation. */
export const conversationStream = (id: string): string => `conversation:${id}`
/** The queue of one channel. */
export const channelStream = (id: string): string => `channel:${id}`
/** The inbox of one user. */
export const userStream = (id: string): string => `user:${id}`
/** Changes of an organization's other records. */
export const organizationStream = (id: string): string => `organization:${id}`
