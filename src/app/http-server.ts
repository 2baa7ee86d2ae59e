import { BYTE_ENDPOINTS } from '../../rest-compat/byte-endpoints.js'
import { countRequest } from '../../rest-compat/count-request.js'
import { registerRestCompat } from '../../rest-compat/register.js'
import type { AppDependencies } from './dependencies.js'
import type { GraphqlHttp } from '../api/graphql/apollo.js'
import { loadBrowserClient } from '../api/graphql/browser-client.js'
import type { Operations } from '../api/graphql/operations.js'
import { addDocsRoutes } from '../api/http/docs-routes.js'
import { createHttpApp, type HttpApp } from '../api/http/app.js'
import type { CountToolCall } from '../api/mcp/mcp-server.js'
import { addMcpRoute } from '../api/mcp/mcp-route.js'
import { BrowserCookie } from '../api/http/browser-cookie.js'
import { addGraphqlRoute } from '../api/http/graphql-route.js'
import { WEBHOOK_EVENTS } from '../modules/webhooks/webhook-events.js'
import { addInvitationPage } from '../api/http/invitation-page.js'
import { addPolicyReports } from '../api/http/policy-reports.js'
import { addKeySetRoute } from '../api/http/key-set-route.js'
import { givePositions } from '../api/http/positions.js'
import { RequestContexts } from '../api/http/request-context.js'
import { RequestRate } from '../platform/limits/request-rate.js'
import type { HttpParts, Module } from '../platform/module.js'
import type { Realtime } from '../api/realtime/realtime.js'

export interface HttpServer extends Pick<HttpApp, 'fastify' | 'beginDrain' | 'rate'> {
  /** Answers what has been received, then closes; cuts what takes longer than 5 s, such as an upload of a slow client. */
  close(): Promise<void>
}

/** Requests that take longer to end are cut when the server stops. */
const REQUESTS_END_MS = 5_000

/** Builds `/graphql`, `/v2`, the operator's routes and the modules' routes; not listening yet. */
export async function openHttpServer(
  dependencies: AppDependencies,
  {
    operations,
    graphqlHttp,
    modules,
    realtime,
    isStarted,
  }: {
    operations: Operations
    graphqlHttp: GraphqlHttp
    modules: readonly Module[]
    realtime: Realtime
    isStarted: () => boolean
  },
): Promise<HttpServer> {
  const { clock, config, commitProbe, database, linkTokens, log, sealKey, metrics, redis, authenticator, budgets } =
    dependencies
  const { unreadAnswers, widget } = dependencies
  const { guestOrigins } = widget
  const { publicUrl } = config
  const {
    fastify,
    bodies,
    parseJson,
    rate: networkRate,
    refusals,
    beginDrain,
    closeIdle,
  } = createHttpApp({
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
  const contexts = new RequestContexts({
    authenticator,
    database,
    clock,
    log,
    publicUrl,
    authenticated(request, caller) {
      bodies.admit(request)
      bodies.attribute(request, caller)
      if (caller.kind === 'user') bodies.know(request, caller.key)
    },
  })
  const contextFor: RequestContexts['of'] = (request, authorization) => contexts.of(request, authorization)
  const browserClient = config.graphiql ? await loadBrowserClient() : undefined
  const browserCookie = new BrowserCookie(config.publicUrl)
  const graphql = { operations, graphqlHttp, contexts, browserCookie, log, realtime, browserClient, networkRate }
  await addGraphqlRoute(fastify, graphql)
  addDocsRoutes(fastify, { schema: operations.schema })
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
  const countOf: HttpParts['countRequest'] = (reply, policy, of) => countRequest(rate, policy, of, reply)
  const { allowedOrigins } = config
  const countToolCall: CountToolCall = (ctx, conversation) => budgets.countToolCall(ctx, conversation)
  const counts = { countRequest: countOf, countToolCall }
  await addMcpRoute(fastify, { operations, contextFor, ...counts, publicUrl, allowedOrigins, log })
  addInvitationPage(fastify)
  await addPolicyReports(fastify, { bodies, metrics })
  addKeySetRoute(fastify, [linkTokens, sealKey])
  for (const module of modules) {
    await module.addRoutes?.({
      fastify,
      bodies,
      parseJson,
      refusals,
      contextFor,
      countRequest: countOf,
    })
  }
  return {
    fastify,
    beginDrain,
    rate: networkRate,
    async close() {
      closeIdle()
      const cut = setTimeout(() => fastify.server.closeAllConnections(), REQUESTS_END_MS)
      await fastify.close()
      clearTimeout(cut)
      await graphqlHttp.stop()
    },
  }
}
