import type { FastifyInstance } from 'fastify'
import { Forbidden, NotFound, Unauthenticated } from '../../platform/errors.js'
import type { Metrics } from '../../platform/metrics.js'
import { mayReadMetrics, type MetricsConfig } from './metrics-access.js'

export interface OperatorRoutesOptions {
  metrics: Metrics
  config: MetricsConfig
  isReady(): boolean
  /** Tells whether the database has taken a write recently. Asked for each probe of a balancer: it must be cheap. */
  isCommitting(): boolean
}

const PROBE = { config: { counted: 'probe' } } as const

/** Adds the endpoints for operators and load balancers. */
export function addOperatorRoutes(
  app: FastifyInstance,
  { config, metrics, isReady, isCommitting }: OperatorRoutesOptions,
): void {
  app.get('/healthz', PROBE, async () => ({ status: 'alive' }))
  app.get('/readyz', PROBE, async (_request, reply) => {
    if (!isReady()) return reply.code(503).send({ status: 'not ready', reason: 'starting or stopping' })
    if (!isCommitting()) return reply.code(503).send({ status: 'not ready', reason: 'database' })
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    if (config.metricsPort !== undefined) throw new NotFound('metrics are served on a separate port')
    if (!mayReadMetrics(request.raw, config)) {
      if (config.metricsToken !== undefined) throw new Unauthenticated('METRICS_TOKEN is required as the bearer token')
      throw new Forbidden(
        'metrics are only available on this machine, and with a local PUBLIC_URL; set METRICS_TOKEN or METRICS_PORT',
      )
    }
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
