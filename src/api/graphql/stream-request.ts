import type { ServerResponse } from 'node:http'
import type { Caller } from '../../platform/access/caller.js'
import type { OperationRequest } from './operations.js'

/** A request whose answer is a stream of events: the "distinct connections" of GraphQL over Server-Sent Events. */
export interface StreamRequest {
  caller: Caller | null
  address: string
  origin: string | null
  userAgent: string | null
  acceptLanguage: string | null
  payload: OperationRequest
  /** `Last-Event-ID`, with which browsers come back: the cursor of the last event that arrived. */
  lastEventId: string | null
  /** It came by GET. */
  isReading: boolean
  /** Further headers of the answer. */
  headers: Readonly<Record<string, number | string | string[] | undefined>>
  response: ServerResponse
  /** Called when the response is taken: nothing else may answer. */
  began(): void
}

/** Answers requests by server-sent events. */
export interface EventStreams {
  /**
   * Answers by one operation's events, until it is complete. Never rejects once the response has begun.
   * @throws Unauthenticated, RateLimited, Unavailable before
   */
  stream(request: StreamRequest): Promise<void>
}
