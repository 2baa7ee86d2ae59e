import { createRequire } from 'node:module'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { defaultResource, envDetector, hostDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { AlwaysOnSampler, type SpanExporter } from '@opentelemetry/sdk-trace'
import pino from 'pino'
import { MaskedExporter } from './masked-exporter.js'
import { OpenTelemetryTracing } from './open-telemetry-tracing.js'
import type { TraceProtocol, TracingConfig } from './tracing-config.js'
import { useTracing } from './tracing.js'

/**
 * Starts OpenTelemetry, configured by its own environment variables. Must be awaited before the server's modules are imported,
 * since a library is patched when it is loaded.
 */
export async function startTracing(config: TracingConfig, logLevel: string): Promise<void> {
  const log = pino({ level: logLevel })
  const exporter = new MaskedExporter(await exporterOf(config.protocol), {
    onChange: (failure) =>
      failure
        ? log.warn({ reason: failure.message }, 'failed to send traces, which are dropped meanwhile')
        : log.info('traces are sent again'),
  })
  const sdk = new NodeSDK({
    // Names that operators give replace it.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'switchboard' })),
    resourceDetectors: [envDetector, hostDetector],
    traceExporter: exporter,
    // Decided before a span is begun: see `OpenTelemetryTracing`.
    sampler: new AlwaysOnSampler(),
    // Read and passed on by ourselves: nothing but `traceparent`.
    textMapPropagator: null,
    // Prometheus and the log have these.
    metricReaders: [],
    logRecordProcessors: [],
    // Nothing but work of a trace: commands of heartbeats would be traces of their own.
    instrumentations: [
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  })
  sdk.start()
  // Patched when it is required: imports of a CommonJS module then get the patched one.
  createRequire(import.meta.url)('ioredis')
  useTracing(new OpenTelemetryTracing(config, () => sdk.shutdown()))
}

async function exporterOf(protocol: TraceProtocol): Promise<SpanExporter> {
  if (protocol === 'http/json') return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter()
  if (protocol === 'grpc') return new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter()
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter()
}
