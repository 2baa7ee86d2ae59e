import type { FastifyInstance } from 'fastify'
import type { Sql } from '../db/database.js'
import { Forbidden, NotFound, Unauthenticated } from '../errors.js'
import type { Metrics } from '../metrics.js'
import { mayReadMetrics, type MetricsConfig } from './metrics-access.js'

export interface OperatorRoutesOptions {
  database: Sql
  metrics: Metrics
  config: MetricsConfig
  isReady(): boolean
}

/** The node is ready only if the database answers within this time. */
const DATABASE_ANSWER_MS = 2_000

/** Adds the endpoints for operators and load balancers. */
export function addOperatorRoutes(
  app: FastifyInstance,
  { config, database, metrics, isReady }: OperatorRoutesOptions,
): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    if (!isReady()) return reply.code(503).send({ status: 'not ready', reason: 'starting or stopping' })
    if (!(await answers(database))) return reply.code(503).send({ status: 'not ready', reason: 'database' })
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

async function answers(database: Sql): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DATABASE_ANSWER_MS)
  })
  const answer = database.query('select 1').then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
