import type { FastifyInstance } from 'fastify'
import { Forbidden, NotFound, Unauthenticated } from '../../platform/errors.js'
import { FairQueue } from '../../platform/fairness/fair-queue.js'
import { shareOf } from '../../platform/fairness/share.js'
import { networkOf } from '../../platform/limits/network-of.js'
import type { Metrics } from '../../platform/metrics.js'
import { isAtMetricsPort, mayReadMetrics, type MetricsConfig } from './metrics-access.js'

export interface OperatorRoutesOptions {
  metrics: Metrics
  config: MetricsConfig
  isReady(): boolean
  /** Tells whether the database has taken a write recently. Asked for each probe of a balancer: it must be cheap. */
  isCommitting(): boolean
}

const METRICS = '/metrics'
/** At the separate port, where anybody may ask who reaches it: collecting takes milliseconds, and collectors ask every some seconds. */
const COLLECTING = { total: 1, perTenant: 1, perCaller: 1, waitingPerCaller: 20 }
const COLLECTING_PAUSE = { factor: 4, msMax: 500 }
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
  const collecting = new FairQueue({ name: 'requests for metrics', limits: COLLECTING, pause: COLLECTING_PAUSE })
  if (config.metricsPort !== undefined) {
    app.addHook('onRequest', async ({ raw, routeOptions }) => {
      const isMetrics = routeOptions.url === METRICS
      if (isMetrics === isAtMetricsPort(raw)) return
      throw new NotFound(`metrics are served on a separate port, and nothing else there`, { reason: 'ROUTE_NOT_FOUND' })
    })
  }
  app.get(METRICS, async (request, reply) => {
    if (!mayReadMetrics(request.raw, config)) {
      if (config.metricsToken !== undefined) throw new Unauthenticated('METRICS_TOKEN is required as the bearer token')
      throw new Forbidden(
        'metrics are only available on this machine, and with a local PUBLIC_URL; set METRICS_TOKEN or METRICS_PORT',
      )
    }
    reply.type(metrics.registry.contentType)
    if (!isAtMetricsPort(request.raw)) return metrics.text()
    const network = networkOf(request.ip)
    return collecting.run(shareOf([network], network), () => metrics.text())
  })
}
