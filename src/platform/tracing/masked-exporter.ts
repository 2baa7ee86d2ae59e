import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

/**
 * Attributes that leave the server: names, numbers and states. Everything else that an instrumentation records may be
 * personal or secret, as what a database says about a value, and statements: the ORM writes values into them, and a
 * limit on the length of attributes (`OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT`) cuts the quote by which one would be
 * recognised.
 */
const SHOWN = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'network.protocol.version',
  'url.scheme',
  'server.address',
  'server.port',
  'error.type',
  'db.system.name',
  'db.namespace',
  'db.operation.name',
  'db.collection.name',
  'graphql.operation.type',
  'graphql.operation.name',
])
const OWN = 'switchboard.'

export interface MaskedExporterOptions {
  /** Tells whether the last export failed: called when that changes. */
  onChange(failure: Error | null): void
}

/** Exports spans without what may be personal or secret. */
export class MaskedExporter implements SpanExporter {
  #isFailing = false

  constructor(
    private readonly exporter: SpanExporter,
    private readonly options: MaskedExporterOptions,
  ) {}

  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.exporter.export(spans.map(masked), (result) => {
      const isFailing = result.code !== 0
      if (isFailing !== this.#isFailing) {
        this.#isFailing = isFailing
        this.options.onChange(isFailing ? (result.error ?? new Error('unknown')) : null)
      }
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown()
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.()
  }
}

function masked(span: ReadableSpan): ReadableSpan {
  const { name, kind, parentSpanContext, startTime, endTime, duration, ended, resource, instrumentationScope } = span
  return {
    ...{ name, kind, parentSpanContext, startTime, endTime, duration, ended, resource, instrumentationScope },
    spanContext: () => span.spanContext(),
    attributes: shown(span.attributes),
    links: span.links.map(({ context }) => ({ context })),
    // Of an exception its type: messages name values.
    events: span.events.map(({ name: event, time, attributes }) => {
      const type = attributes?.['exception.type']
      return { name: event, time, attributes: type === undefined ? {} : { 'exception.type': type } }
    }),
    status: { code: span.status.code },
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  }
}

function shown(attributes: Attributes): Attributes {
  const kept: Attributes = {}
  for (const [key, value] of Object.entries(attributes)) {
    if (SHOWN.has(key) || key.startsWith(OWN)) kept[key] = value
  }
  return kept
}
