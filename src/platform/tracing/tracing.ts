import type { IncomingMessage, ServerResponse } from 'node:http'

/** Attributes of a span's work: names, counts and ids of the server's own, never what users wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Origin of work that is done together with others'. */
export interface TraceOrigin {
  /** The recorded place in a trace; null if it is not recorded. */
  readonly place: object | null
  /** The place as `traceparent` of W3C's Trace Context, recorded or not; null outside of traces. */
  readonly traceparent: string | null
}

/** A recorded span that has begun. */
export interface OpenSpan {
  /** Runs `work` in it. */
  run<T>(work: Work<T>): Promise<T>
  set(attributes: SpanAttributes): void
  /** @param error why its work has failed */
  end(error?: unknown): void
}

/** A request, and its route, in which there is nothing but names: paths contain ids, and some of them tokens. */
export interface TracedRequest {
  readonly raw: IncomingMessage
  readonly method: string
  readonly routeOptions: { readonly url?: string }
}

/** A statement, and the connection on which it is sent. */
export interface TracedStatement {
  readonly text: string
  readonly name?: string
  /** Its origin; absent: the current place. */
  readonly place?: object | null
}
export interface TracedConnection {
  readonly host: string
  readonly port: number
  readonly database?: string
}

type Work<T> = () => Promise<T>

/**
 * Traces of requests and of the work that they cause. Does nothing, and loads nothing, unless the server was started with an
 * address to send them to: see `startTracing`.
 */
export interface Tracing {
  readonly isOn: boolean
  /** Decides whether the trace of a request is recorded, and handles it in a span, or in none. */
  request(request: TracedRequest, response: ServerResponse, handle: () => void): void
  /** Runs `work` in a span of the current trace; where there is none, as on sockets, in a trace of its own. */
  operation<T>(name: string, attributes: SpanAttributes, work: Work<T>): Promise<T>
  /** Runs `work` in a span of the trace that caused it, else in a trace of its own, and never in the current one. */
  root<T>(name: string, attributes: SpanAttributes, traceparent: string | null | undefined, work: Work<T>): Promise<T>
  /** Begins a span of the trace that caused it; null if that is not recorded. */
  caused(name: string, attributes: SpanAttributes, traceparent: string): OpenSpan | null
  /** Runs the work of several traces in one span: of the first one that is recorded, linked with the others. */
  together<T>(name: string, attributes: SpanAttributes, origins: readonly TraceOrigin[], work: Work<T>): Promise<T>
  /** Runs `work` outside of all traces: what goes on by itself is not part of the request that began it. */
  detached<T>(work: () => T): T
  /** Begins the span of a statement; null if its trace is not recorded. */
  statement(statement: TracedStatement, connection: TracedConnection): OpenSpan | null
  /**
   * Sends a request to another server in a span of the current trace, if it is recorded.
   * @param send is given the headers that continue the trace there
   */
  outgoing<T>(
    method: string,
    url: URL,
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
    statusOf: (answer: T) => number | undefined,
  ): Promise<T>
  /** The current place, for work that is done together with others'. */
  origin(): TraceOrigin
  /** The current place, if it is recorded. */
  place(): object | null
  /** The current place as `traceparent` of W3C's Trace Context, to be stored with what is done later. */
  traceparent(): string | undefined
  /** Marks the current span as failed, where its work reports that by other means than an error. @param why an error or its type */
  failed(why: unknown): void
  /** Fields for log lines: the ids of the current trace and span. */
  logFields(): object
  /** Sends what has been recorded. Never rejects, and takes 2 s at most. */
  stop(): Promise<void>
}

const NOWHERE: TraceOrigin = { place: null, traceparent: null }
const NOTHING = {}

const OFF: Tracing = {
  isOn: false,
  request: (_request, _response, handle) => handle(),
  operation: (_name, _attributes, work) => work(),
  root: (_name, _attributes, _traceparent, work) => work(),
  caused: () => null,
  together: (_name, _attributes, _origins, work) => work(),
  detached: (work) => work(),
  statement: () => null,
  outgoing: (_method, _url, send) => send(NOTHING),
  origin: () => NOWHERE,
  place: () => null,
  traceparent: () => undefined,
  failed: () => undefined,
  logFields: () => NOTHING,
  stop: () => Promise.resolve(),
}

let current = OFF

/** The tracing of this process: one, since what it observes belongs to the process. */
export function tracing(): Tracing {
  return current
}

/** Replaces it. */
export function useTracing(given: Tracing): void {
  current = given
}
