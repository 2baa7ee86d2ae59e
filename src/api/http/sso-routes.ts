import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.js'
import type { DomainError } from '../../platform/errors.js'
import { asksForPage } from './browser-client.js'
import { BrowserCookie } from './browser-cookie.js'
import { setSessionCookie, type BrowserSession } from './session-routes.js'

/** An attempt that led to nothing, and the page of the console that says so. */
interface Failed {
  failed: DomainError
  page: string
}

/** Implemented by `ProviderSignIns` of `sso/`. */
export interface ProviderSignIns {
  start(
    ctx: Context,
    request: {
      service: string
      ticket: string | null
      page: string | null
      hint: string | null
      browser: string | null
    },
  ): Promise<{ url: string; browser: string } | Failed>
  finish(
    ctx: Context,
    returned: { service: string | null; query: string; browser: string | null },
  ): Promise<{ path: string; session: BrowserSession | null } | Failed>
  accept(ctx: Context, posted: { service: string; form: string }): Promise<{ path: string } | Failed>
  metadata(service: string): Promise<string>
}

/** Implemented by `ProviderLogouts` of `sso/`. */
export interface ProviderLogouts {
  logout(ctx: Context, service: string, token: string | null): Promise<number>
}

export interface SsoRoutesOptions {
  signIns: ProviderSignIns
  logouts: ProviderLogouts
  publicUrl: string
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<Context>
}

const FORM_BYTES_MAX = 65_536
/** A SAML response in a form; people are members of many groups. */
const RESPONSE_BYTES_MAX = 256 * 1024
const FORM = 'application/x-www-form-urlencoded'

/**
 * Adds the addresses of sign-in by providers: where a browser begins, where a provider sends it back, and where a provider says that
 * somebody signed out. An attempt belongs to the browser that has its cookie, of this host alone (`__Host-`).
 */
export async function addSsoRoutes(app: FastifyInstance, options: SsoRoutesOptions): Promise<void> {
  const { signIns, logouts, publicUrl, contextFor } = options
  const cookie = new BrowserCookie(publicUrl)

  app.get('/sso/:service/start', async (request, reply) => {
    const { ticket, page, hint } = request.query as Record<string, unknown>
    const started = await signIns.start(await contextFor(request, undefined), {
      service: (request.params as { service: string }).service,
      ticket: textOf(ticket),
      page: textOf(page),
      hint: textOf(hint),
      browser: cookie.of(request),
    })
    if ('failed' in started) return sayInConsole(request, reply, started)
    cookie.keep(reply, started.browser)
    return reply.redirect(started.url, 303)
  })

  const finish = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const at = request.url.indexOf('?')
    const finished = await signIns.finish(await contextFor(request, undefined), {
      service: (request.params as { service?: string }).service ?? null,
      query: at < 0 ? '' : request.url.slice(at + 1),
      browser: cookie.of(request),
    })
    if ('failed' in finished) return sayInConsole(request, reply, finished)
    if (finished.session?.cookie) setSessionCookie(reply, publicUrl, finished.session.cookie)
    return reply.redirect(finished.path, 303)
  }
  app.get('/sso/return', finish)
  app.get('/sso/return/:service', finish)

  app.get('/sso/:service/metadata', async (request, reply) => {
    const { service } = request.params as { service: string }
    return reply.type('application/samlmetadata+xml').send(await signIns.metadata(service))
  })

  await app.register(async (scope) => {
    takeForms(scope, RESPONSE_BYTES_MAX)
    scope.post('/sso/return/:service', async (request, reply) => {
      const accepted = await signIns.accept(await contextFor(request, undefined), {
        service: (request.params as { service: string }).service,
        form: typeof request.body === 'string' ? request.body : '',
      })
      // The browser asks for it without the form: so it sends the cookie along, which it keeps from another site's form.
      return 'failed' in accepted ? sayInConsole(request, reply, accepted) : reply.redirect(accepted.path, 303)
    })
  })

  await app.register(async (scope) => {
    takeForms(scope, FORM_BYTES_MAX)
    scope.post('/sso/:service/logout', async (request, reply) => {
      const token = typeof request.body === 'string' ? new URLSearchParams(request.body).get('logout_token') : null
      const { service } = request.params as { service: string }
      await logouts.logout(await contextFor(request, undefined), service, token)
      return reply.code(200).send()
    })
  })
}

function takeForms(scope: FastifyInstance, bodyLimit: number): void {
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body))
}

/** Tells a person by the page of the console why it did not work, and a program by the answer. @throws the refusal, for a program */
function sayInConsole(request: FastifyRequest, reply: FastifyReply, { failed, page }: Failed): FastifyReply {
  // A provider's page posts its form as a navigation of the browser.
  const isPosted = request.method === 'POST' && request.headers.accept?.includes('text/html') === true
  if (!isPosted && !asksForPage(request)) throw failed
  const { pathname, searchParams } = new URL(page, 'http://console')
  searchParams.set('refused', failed.details.reason)
  return reply.redirect(`${pathname}?${searchParams.toString()}`, 303)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
