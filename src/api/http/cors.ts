import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Forbidden } from '../../platform/errors.js'

const METHODS = 'GET, POST, PATCH, DELETE'
const HEADERS =
  'authorization, content-type, idempotency-key, if-match, prefer, x-request-id, last-event-id, switchboard-position, switchboard-unattended, apollo-require-preflight, mcp-protocol-version, mcp-method, mcp-name'
const EXPOSED =
  'x-request-id, etag, x-total-count, link, location, ignored-fields, retry-after, ratelimit, ratelimit-policy, switchboard-position, www-authenticate'

/** Paths that the widget calls. */
const GUEST_PATHS = new Set(['/graphql', '/v2/attachments'])

/** The sites whose pages may have the web widget. */
export interface GuestOrigins {
  isAllowed(origin: string): Promise<boolean>
}

/** Tells whether a browser asks with it if it may send another request: its route does not handle it. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/**
 * Lets pages of these origins call the server; `*` allows all. What the web widget calls is open to the sites of the
 * services of type `web` as well. Credentials are sent in headers that a page must set itself, never in cookies, so that
 * no origin can use a visitor's sign-in.
 */
export function allowOrigins(app: FastifyInstance, allowed: readonly string[], guestOrigins?: GuestOrigins): void {
  const isAllowed = async (origin: string, path: string): Promise<boolean> => {
    if (allowed.includes('*') || allowed.includes(origin)) return true
    return GUEST_PATHS.has(path) && (await guestOrigins?.isAllowed(origin)) === true
  }
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin === undefined) return
    if (!(await isAllowed(origin, request.url.split('?', 1)[0]!))) {
      if (!isPreflight(request)) return
      throw new Forbidden(
        `pages of ${origin.slice(0, 200)} may not call this server: ALLOWED_ORIGINS does not name it`,
        { reason: 'ORIGIN_NOT_ALLOWED' },
      )
    }
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', EXPOSED)
    if (!isPreflight(request)) return
    reply.header('access-control-allow-methods', METHODS)
    reply.header('access-control-allow-headers', HEADERS)
    reply.header('access-control-max-age', 600)
    await reply.code(204).send()
  })
}
