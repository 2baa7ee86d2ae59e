import { BYTE_ENDPOINTS } from '../rest-compat/byte-endpoints.js'
import { countRequest } from '../rest-compat/count-request.js'
import { registerRestCompat } from '../rest-compat/register.js'
import type { AppDependencies } from './dependencies.js'
import { createGraphqlHttp } from './graphql/apollo.js'
import { loadBrowserClient } from './graphql/browser-client.js'
import type { Operations } from './graphql/operations.js'
import { createHttpApp, type HttpApp } from './http/app.js'
import { addGraphqlRoute } from './http/graphql-route.js'
import { WEBHOOK_EVENTS } from './webhooks/webhook-events.js'
import { addInvitationPage } from './http/invitation-page.js'
import { addKeySetRoute } from './http/key-set-route.js'
import { givePositions } from './http/positions.js'
import { RequestContexts } from './http/request-context.js'
import { RequestRate } from './limits/request-rate.js'
import type { Module } from './module.js'

export interface HttpServer extends Pick<HttpApp, 'fastify' | 'beginDrain'> {
  /** Answers what has been received, then closes; cuts what takes longer than 5 s, such as an upload of a slow client. */
  close(): Promise<void>
}

/** Requests that take longer to end are cut when the server stops. */
const REQUESTS_END_MS = 5_000

/** Builds `/graphql`, `/v2`, the operator's routes and the modules' routes; not listening yet. */
export async function openHttpServer(
  dependencies: AppDependencies,
  { operations, modules, isStarted }: { operations: Operations; modules: readonly Module[]; isStarted: () => boolean },
): Promise<HttpServer> {
  const { clock, config, commitProbe, database, linkTokens, log, metrics, redis, authenticator } = dependencies
  const { unreadAnswers, widget } = dependencies
  const { guestOrigins } = widget
  const { publicUrl } = config
  const { fastify, bodies, beginDrain, closeIdle } = createHttpApp({
    config,
    log,
    clock,
    metrics,
    guestOrigins,
    unreadAnswers,
    isStarted,
    isCommitting: () => commitProbe.isCommitting,
  })
  if (database.replicas) givePositions(fastify, database.replicas)
  const contexts = new RequestContexts({ authenticator, database, clock, log, publicUrl })
  const contextFor: RequestContexts['of'] = (request, authorization) => contexts.of(request, authorization)
  const graphqlHttp = await createGraphqlHttp(operations, log)
  const browserClient = config.graphiql ? await loadBrowserClient() : undefined
  await addGraphqlRoute(fastify, { operations, graphqlHttp, contexts, log, browserClient })
  const rate = new RequestRate(config.rateLimitPerSecond, redis)
  await registerRestCompat(fastify, {
    schema: operations.schema,
    operations,
    contextFor,
    rate,
    publicUrl,
    extraEndpoints: BYTE_ENDPOINTS,
    webhookEvents: WEBHOOK_EVENTS,
  })
  addInvitationPage(fastify)
  addKeySetRoute(fastify, linkTokens)
  for (const module of modules) {
    await module.addRoutes?.({
      fastify,
      bodies,
      contextFor,
      countRequest: (reply, policy, of) => countRequest(rate, policy, of, reply),
    })
  }
  return {
    fastify,
    beginDrain,
    async close() {
      closeIdle()
      const cut = setTimeout(() => fastify.server.closeAllConnections(), REQUESTS_END_MS)
      await fastify.close()
      clearTimeout(cut)
      await graphqlHttp.stop()
    },
  }
}
