import { tracingConfig } from '../../src/platform/tracing/tracing-config.js'

// As `main.ts` does: before the library is loaded that it patches, and only if traces are sent somewhere.
const config = tracingConfig(process.env)
if (config) await (await import('../../src/platform/tracing/open-telemetry.js')).startTracing(config, 'warn')
await import('./server-process.js')
