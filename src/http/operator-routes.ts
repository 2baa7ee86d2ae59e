import type { FastifyInstance } from 'fastify'
import { Forbidden, NotFound, Unauthenticated } from '../errors.js'
import type { Metrics } from '../metrics.js'
import { mayReadMetrics, type MetricsConfig } from './metrics-access.js'

export interface OperatorRoutesOptions {
  metrics: Metrics
  config: MetricsConfig
  isReady(): boolean
  /** Whether the database has taken a write recently. Asked for each probe of a balancer: it must be cheap. */
  isCommitting(): boolean
}

/** Adds the endpoints for operators and load balancers. */
export function addOperatorRoutes(
  app: FastifyInstance,
  { config, metrics, isReady, isCommitting }: OperatorRoutesOptions,
): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    if (!isReady()) return reply.code(503).send({ status: 'not ready', reason: 'starting or stopping' })
    if (!isCommitting()) return reply.code(503).send({ status: 'not ready', reason: 'database' })
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    if (config.metricsPort !== undefined) throw new NotFound('metrics are served on a separate port')
    if (!mayReadMetrics(request.raw, config)) {
      if (config.metricsToken !== undefined) throw new Unauthenticated('METRICS_TOKEN is required as the bearer token')
      throw new Forbidden(
        'metrics are only available on this machine; set METRICS_TOKEN or METRICS_PORT for remote access',
      )
    }
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
