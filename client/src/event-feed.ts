import { EventFeedDocument, type EventFeedQuery, type EventFeedQueryVariables } from './generated/operations.js'
import { pause } from './pause.js'
import { createRequest, passes, Refused, type RequestOptions } from './request.js'

/** An event of a feed: `payload` is what a webhook would receive, `cursor` the place after it. */
export type FeedEvent = EventFeedQuery['eventFeed']['events'][number]

export interface FollowOptions extends Omit<RequestOptions, 'answerMs'> {
  /** A service of type `feed`; by default that of the caller's organization. */
  service?: string
  /** Cursor of the last event that was handled; keep it with what was done. */
  after?: string
  /** In place of a cursor: from this time on. Without both: from the oldest event that is kept. */
  since?: Date
  /** Patterns of event names, such as `message.create.*`; all by default. */
  types?: readonly string[]
  /** Called with the place after events of other types, too, when nothing follows it yet. */
  reached?: (cursor: string) => Promise<void> | void
  signal?: AbortSignal
}

const LIMIT = 100
const WAIT_SECONDS = 25
/** A read that waits is answered within it. */
const ANSWER_MS = 40_000
const PAUSE_MS = 1_000

/**
 * Reads a feed event by event, and waits for those to come until the signal aborts. Away servers are asked again; whoever
 * begins again with the cursor of the last event gets the next one.
 * @throws Refused for what does not pass by itself: `EVENTS_GONE` and `CURSOR_UNKNOWN` say that something was missed
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<FeedEvent, void, undefined> {
  const { service, types, reached, signal } = options
  const request = createRequest({ ...options, answerMs: ANSWER_MS })
  let start: EventFeedQueryVariables = { after: options.after, since: options.since?.toISOString() }
  while (!signal?.aborted) {
    const since = Date.now()
    const variables = { ...start, service, types: types && [...types], limit: LIMIT, waitSeconds: WAIT_SECONDS }
    let pauseMs = 0
    try {
      const { events, cursor, hasMore } = (await request(EventFeedDocument, variables, signal)).eventFeed
      for (const event of events) {
        yield event
        if (signal?.aborted) return
      }
      start = { after: cursor }
      if (!hasMore) await reached?.(cursor)
      // A server that stops does not let it wait.
      if (events.length === 0 && !hasMore && Date.now() - since < PAUSE_MS) pauseMs = PAUSE_MS
    } catch (error) {
      if (signal?.aborted) return
      if (!passes(error)) throw error
      pauseMs = Math.max(PAUSE_MS, error instanceof Refused ? error.retryAfterSeconds * 1_000 : 0)
    }
    await pause(pauseMs, signal)
  }
}
