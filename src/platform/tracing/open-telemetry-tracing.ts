import type { ServerResponse } from 'node:http'
import { context, createContextKey, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, Span, SpanContext } from '@opentelemetry/api'
import { isTracingSuppressed, parseTraceParent, suppressTracing } from '@opentelemetry/core'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { summaryOf } from './statement-summary.js'
import type { TracingConfig } from './tracing-config.js'
import type {
  OpenSpan,
  SpanAttributes,
  TracedConnection,
  TracedRequest,
  TracedStatement,
  TraceOrigin,
  Tracing,
} from './tracing.js'

const FLUSH_MS_MAX = 2_000
/** Asked every second by balancers and collectors. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])
/** Context of all that is not recorded: one for all, so that a request which is not chosen costs next to nothing. */
const UNRECORDED = suppressTracing(ROOT_CONTEXT)
/** The `traceparent` of a trace that is not recorded, for what it causes at others. */
const PASSED_ON = createContextKey('switchboard.traceparent')

/**
 * Decides once whether a trace is recorded, before anything is done for it: every span that is begun is recorded. Of
 * what others send along, `traceparent` is read and nothing else: `tracestate` may contain anything.
 */
export class OpenTelemetryTracing implements Tracing {
  readonly isOn = true
  readonly #tracer = trace.getTracer('switchboard')
  readonly #ofOthers: TraceIdRatioBasedSampler

  constructor(
    private readonly config: TracingConfig,
    private readonly shutdown: () => Promise<void>,
  ) {
    this.#ofOthers = new TraceIdRatioBasedSampler(config.ratio)
  }

  request(request: TracedRequest, response: ServerResponse, handle: () => void): void {
    const { raw, method } = request
    const cause = causeOf(raw.headers.traceparent as string | undefined)
    if (!(cause ? this.#isRecorded(cause) : this.#isChosen()) || isProbe(request)) {
      return context.with(cause ? passingOn(cause) : UNRECORDED, handle)
    }
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': 'http',
      'network.protocol.version': raw.httpVersion,
    }
    const parent = parentOf(cause && { ...cause, isRemote: true })
    const span = this.#tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    const at = trace.setSpan(ROOT_CONTEXT, span)
    // Events of streams come from the connection, which belongs to no request.
    context.bind(at, raw)
    context.bind(at, response)
    response.once('close', () => {
      const { headersSent, statusCode } = response
      if (headersSent) span.setAttribute('http.response.status_code', statusCode)
      if (!headersSent) span.setAttribute('error.type', 'aborted')
      else if (statusCode >= 500) fail(span, String(statusCode))
      span.end()
    })
    context.with(at, handle)
  }

  operation<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    const at = context.active()
    const span = trace.getSpan(at)
    const isRecorded = span ? span.isRecording() : !isTracingSuppressed(at) && this.#isChosen()
    return isRecorded ? within(this.#open(name, SpanKind.INTERNAL, attributes, at), work) : work()
  }

  root<T>(
    name: string,
    attributes: SpanAttributes,
    traceparent: string | null | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const cause = causeOf(traceparent)
    if (cause ? isSampled(cause) : this.#isChosen()) {
      return within(this.#open(name, SpanKind.INTERNAL, attributes, parentOf(cause)), work)
    }
    return context.with(cause ? passingOn(cause) : UNRECORDED, work)
  }

  caused(name: string, attributes: SpanAttributes, traceparent: string): OpenSpan | null {
    const cause = causeOf(traceparent)
    if (!cause || !isSampled(cause)) return null
    return this.#open(name, SpanKind.INTERNAL, attributes, parentOf(cause))
  }

  together<T>(
    name: string,
    attributes: SpanAttributes,
    origins: readonly TraceOrigin[],
    work: () => Promise<T>,
  ): Promise<T> {
    if (origins.every(({ place }) => place === null)) return context.with(UNRECORDED, work)
    const [first, ...others] = new Set(
      origins.map(({ place }) => place).filter((place) => place !== null),
    ) as Set<Context>
    const open = this.#open(name, SpanKind.INTERNAL, attributes, first!)
    for (const other of others) {
      const caller = trace.getSpan(other)!
      open.span.addLink({ context: caller.spanContext() })
      caller.addLink({ context: open.span.spanContext() })
    }
    return within(open, work)
  }

  detached<T>(work: () => T): T {
    return context.with(ROOT_CONTEXT, work)
  }

  statement(statement: TracedStatement, connection: TracedConnection): OpenSpan | null {
    const { place = this.place() } = statement
    if (place === null) return null
    const { name, attributes } = summaryOf(statement, connection)
    return this.#open(name, SpanKind.CLIENT, attributes, place as Context)
  }

  outgoing<T>(
    method: string,
    { hostname, port, protocol }: URL,
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
    statusOf: (answer: T) => number | undefined,
  ): Promise<T> {
    const at = this.place()
    if (!at) {
      const traceparent = this.traceparent()
      return send(traceparent === undefined ? {} : { traceparent })
    }
    const attributes = {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    return within(this.#open(method, SpanKind.CLIENT, attributes, at), async ({ span }) => {
      const answer = await send({ traceparent: headerOf(span.spanContext()) })
      const status = statusOf(answer) ?? 0
      span.setAttribute('http.response.status_code', status)
      if (status >= 400) fail(span, String(status))
      return answer
    })
  }

  origin(): TraceOrigin {
    return { place: this.place(), traceparent: this.traceparent() ?? null }
  }

  place(): Context | null {
    const at = context.active()
    return trace.getSpan(at)?.isRecording() ? at : null
  }

  traceparent(): string | undefined {
    const at = context.active()
    const span = trace.getSpan(at)
    return span ? headerOf(span.spanContext()) : (at.getValue(PASSED_ON) as string | undefined)
  }

  failed(why: unknown): void {
    const span = trace.getActiveSpan()
    if (span) fail(span, why)
  }

  logFields(): object {
    const at = trace.getActiveSpan()?.spanContext()
    return at ? { trace_id: at.traceId, span_id: at.spanId } : {}
  }

  async stop(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS_MAX).unref())
    await Promise.race([this.shutdown().catch(() => undefined), late])
  }

  #isChosen(): boolean {
    const { ratio } = this.config
    return ratio === 1 || Math.random() < ratio
  }

  /** Tells whether a trace that others have begun is recorded. */
  #isRecorded(cause: SpanContext): boolean {
    if (this.config.followsParents) return isSampled(cause)
    return this.#ofOthers.shouldSample(ROOT_CONTEXT, cause.traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
  }

  #open(name: string, kind: SpanKind, attributes: SpanAttributes, parent: Context): RecordedSpan {
    return new RecordedSpan(this.#tracer.startSpan(name, { kind, attributes }, parent))
  }
}

/** Runs work in a span, and ends that. */
async function within<T>(open: RecordedSpan, work: (open: RecordedSpan) => Promise<T>): Promise<T> {
  try {
    const result = await open.run(() => work(open))
    open.end()
    return result
  } catch (error) {
    open.end(error)
    throw error
  }
}

class RecordedSpan implements OpenSpan {
  constructor(readonly span: Span) {}

  run<T>(work: () => Promise<T>): Promise<T> {
    return context.with(trace.setSpan(ROOT_CONTEXT, this.span), work)
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes)
  }

  end(error?: unknown): void {
    if (error !== undefined) fail(this.span, error)
    this.span.end()
  }
}

/** @param why an error or its type; of an error neither message nor stack, which name values */
function fail(span: Span, why: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', typeOf(why))
}

const CODE = /^[A-Z0-9_]{2,40}$/

/** The code of an error, such as PostgreSQL's, else its class. */
function typeOf(why: unknown): string {
  if (typeof why === 'string') return why
  if (!(why instanceof Error)) return 'unknown'
  const { code } = why as { code?: unknown }
  return typeof code === 'string' && CODE.test(code) ? code : why.constructor.name
}

/** @returns null for what is no place in a trace: then it counts as absent */
function causeOf(traceparent: string | null | undefined): SpanContext | null {
  return traceparent ? parseTraceParent(traceparent) : null
}

const parentOf = (cause: SpanContext | null): Context =>
  cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & 1) === 1

const headerOf = ({ traceId, spanId, traceFlags }: SpanContext): string => `00-${traceId}-${spanId}-0${traceFlags & 1}`

const passingOn = (cause: SpanContext): Context => UNRECORDED.setValue(PASSED_ON, headerOf({ ...cause, traceFlags: 0 }))

const isProbe = ({ routeOptions }: TracedRequest): boolean => PROBES.has(routeOptions.url ?? '')
