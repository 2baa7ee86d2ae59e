import type { Context } from '../context.js'
import type { Sql } from '../db/database.js'
import type { Ephemeral } from './dispatcher.js'
import type { StoredEvent } from './event.js'

/** A GraphQL event object but for `cursor` and `at`, which the delivery adds. */
export interface LiveEvent {
  __typename: string
  [key: string]: unknown
}

export interface SnapshotPages {
  size: number
  /** The type of the parts behind the first: `{entries, isLast}`. The first one says `isComplete`. */
  __typename: string
}

/** What one subscription hears, once its caller has been found to be allowed to. */
export interface LiveFeed {
  /** The streams it follows. */
  streams: readonly string[]
  /**
   * Subscribers whose document, streams and audience are the same get the same payloads: it names what else decides
   * what they see, such as `agent` or `guest`.
   */
  audience: string
  /** How a snapshot's entries are sent in parts; in one when absent. */
  pages?: SnapshotPages
  /** The state to begin with. `sql` sees the state as of exactly the noted heads. */
  snapshot(sql: Sql): Promise<LiveEvent>
  /** What a stored event shows to this audience; null when nothing. Pure: it is called once for all who share it. */
  toEvent(event: StoredEvent): LiveEvent | null
  /** After such an event it would follow other streams: each subscription is asked at once. Pure. */
  movesOn?(event: StoredEvent): boolean
  /** Called once for all who share it, when an event that `toEvent` shows has been handed to their sockets. */
  taken?(event: StoredEvent): void
  toEphemeral?(event: Ephemeral): LiveEvent | null
  /** Presence begins: awaited before the heads are noted. */
  begin?(subscription: string): Promise<void>
  /** Presence ends; called exactly once for each `begin`, also when the socket is cut. */
  end?(subscription: string): Promise<void>
  /** Asked again every few seconds, and at once on a hint: false ends the subscription with FORBIDDEN. */
  isStillAllowed?(ctx: Context): Promise<boolean>
  /**
   * Asked together with it when the caller named no streams itself: the streams it would follow now. When they
   * differ, the subscription goes on with them from a fresh snapshot.
   */
  currentStreams?(ctx: Context): Promise<readonly string[]>
  /**
   * Subscriptions of one field with the same key get the same answers to these two: they are asked once for all. Absent:
   * those of the same caller with the same arguments.
   */
  accessKey?: string
}

/**
 * What a stored event of each type shows; null for nothing. `satisfies` it with the events of the stream, so that a new
 * one cannot be forgotten.
 */
export type LiveViews<Events> = {
  readonly [Type in keyof Events]: ((data: Events[Type], stream: string) => LiveEvent | null) | null
}

/** Makes `toEvent`. What another release of this server wrote may be of a type that is not known here: it shows nothing. */
export function liveView<Events extends object>(views: LiveViews<Events>): (event: StoredEvent) => LiveEvent | null {
  const byType = new Map(Object.entries(views)) as Map<
    string,
    ((data: object, stream: string) => LiveEvent | null) | null
  >
  return ({ stream, type, data }) => byType.get(type)?.(data, stream) ?? null
}

/** The root field of a subscription: decides permission and opens the feed. */
export interface LiveSource {
  field: string
  /** @throws DomainError when the caller may not subscribe, or when an argument is bad. */
  open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed>
}
