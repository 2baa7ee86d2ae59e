import type { FastifyInstance } from 'fastify'
import type { Replicas } from '../../platform/db/replicas.js'

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Adds to responses of writes what the client sends with its next reads to see them: `Switchboard-Position`. GraphQL knows
 * which of its operations write, and does it itself.
 */
export function givePositions(app: FastifyInstance, replicas: Replicas): void {
  app.addHook('onSend', async ({ method, routeOptions }, reply) => {
    if (!READS.has(method) && routeOptions.url !== '/graphql') {
      reply.header('switchboard-position', await replicas.position())
    }
  })
}
