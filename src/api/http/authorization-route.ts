import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.js'
import { BrowserCookie } from './browser-cookie.js'

/** Implemented by `ServiceAuthorizations` of `services/`. */
export interface ServiceAuthorizations {
  finish(ctx: Context, returned: { query: string; browser: string | null }): Promise<string>
}

export interface AuthorizationRouteOptions {
  authorizations: ServiceAuthorizations
  publicUrl: string
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<Context>
}

/** Adds the address to which providers send the browsers of administrators back, who signed in there for a service. */
export function addAuthorizationRoute(
  app: FastifyInstance,
  { authorizations, publicUrl, contextFor }: AuthorizationRouteOptions,
): void {
  const cookie = new BrowserCookie(publicUrl)
  app.get('/services/authorized', { exposeHeadRoute: false }, async (request, reply) => {
    const at = request.url.indexOf('?')
    const path = await authorizations.finish(await contextFor(request, undefined), {
      query: at < 0 ? '' : request.url.slice(at + 1),
      browser: cookie.of(request),
    })
    return reply.header('cache-control', 'no-store').redirect(path, 303)
  })
}
