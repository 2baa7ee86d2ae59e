import type { Context } from '../context.js'
import type { Sql } from '../db/database.js'
import type { Ephemeral } from './dispatcher.js'
import type { StoredEvent } from './event.js'

/** A GraphQL event object without `cursor` and `at`, which are added on delivery. */
export interface LiveEvent {
  __typename: string
  /** True for one of many that make a whole: only for documents that select its type, and not for slow clients, see `own`. */
  isPart?: boolean
  [key: string]: unknown
}

export interface SnapshotPages {
  size: number
  /** Type of the parts after the first: `{entries, isLast}`. The first one has `isComplete`. */
  __typename: string
}

/** The events of one subscription, after its caller was authorized. */
export interface LiveFeed {
  /** The streams it follows. */
  streams: readonly string[]
  /**
   * Subscribers with equal document, streams and audience get the same payloads: the audience identifies everything
   * else that determines what they see, such as `agent` or `guest`.
   */
  audience: string
  /** Splits a snapshot's entries into parts; absent: one part. */
  pages?: SnapshotPages
  /** Reads the initial state. `sql` sees the state as of exactly the noted heads. */
  snapshot(sql: Sql): Promise<LiveEvent>
  /**
   * Converts a stored event for this audience; null if it is not visible. Pure: called once for all subscribers that
   * share it.
   */
  toEvent(event: StoredEvent): LiveEvent | null
  /**
   * Tells whether the streams to follow may change after this event: each subscription is then checked at once. Pure.
   */
  movesOn?(event: StoredEvent): boolean
  /** Tells whether nothing follows this event: the subscription completes. Pure. */
  isLast?(event: StoredEvent): boolean
  /** Called once for all subscribers that share it, when a visible event has been handed to their sockets. */
  taken?(event: StoredEvent): void
  toEphemeral?(event: Ephemeral): LiveEvent | null
  /**
   * Tells what only one subscriber needs, who has just become live, or gets parts again after it was too slow for them: the
   * wholes of what others get in parts.
   */
  own?: { readonly __typename: string; read(): Promise<readonly LiveEvent[]> }
  /** Called when the subscription receives everything that is sent to its streams; again after a resynchronization. */
  attached?(): void
  /** Begins presence; awaited before the heads are noted. */
  begin?(subscription: string): Promise<void>
  /**
   * Ends presence; called exactly once for each `begin`.
   * @param isLost the connection was lost, or closed by this server: the client is likely to come back
   */
  end?(subscription: string, isLost: boolean): Promise<void>
  /**
   * Called every few seconds, and at once on a hint: false ends the subscription with FORBIDDEN.
   * @throws DomainError that ends it for another reason
   */
  isStillAllowed?(ctx: Context): Promise<boolean>
  /**
   * Called together with it if the streams may change: returns those to follow now. If they differ, the subscription
   * continues with them from a fresh snapshot.
   */
  currentStreams?(ctx: Context): Promise<readonly string[]>
  /** The caller's part in the streams, such as those of them whose queues it serves; absent: it has none. */
  part?: string
  /** Called together with `isStillAllowed`: if the part differs, the subscription begins anew, with a fresh snapshot. */
  currentPart?(ctx: Context): Promise<string>
  /**
   * Subscriptions of one field with the same key get the same answers to these calls, which are made once for all.
   * Default: those of the same caller with the same arguments.
   */
  accessKey?: string
}

/**
 * Converts stored events by type; null for types that are not visible. Use it with `satisfies` and the events of the
 * stream, so that a new one cannot be forgotten.
 */
export type LiveViews<Events> = {
  readonly [Type in keyof Events]: ((data: Events[Type], stream: string) => LiveEvent | null) | null
}

/** Creates `toEvent`. Events of other releases may have unknown types, which are not shown. */
export function liveView<Events extends object>(views: LiveViews<Events>): (event: StoredEvent) => LiveEvent | null {
  const byType = new Map(Object.entries(views)) as Map<
    string,
    ((data: object, stream: string) => LiveEvent | null) | null
  >
  return ({ stream, type, data }) => byType.get(type)?.(data, stream) ?? null
}

/** The root field of a subscription: checks permissions and opens the feed. */
export interface LiveSource {
  field: string
  /**
   * @param isReopened true for a subscription that continues: what its arguments name may have been deleted meanwhile
   * @throws DomainError when the caller may not subscribe, or an argument is invalid
   */
  open(ctx: Context, args: Readonly<Record<string, unknown>>, isReopened?: boolean): Promise<LiveFeed>
}
