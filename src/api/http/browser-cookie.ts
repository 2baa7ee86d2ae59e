import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieNamed } from './session-routes.js'

/** As long as an attempt at a provider. */
const COOKIE_SECONDS = 600

/**
 * Keeps the secret of a browser that begins an attempt at a provider, which it alone can end: in a cookie of this host alone
 * (`__Host-`), out of reach of scripts.
 */
export class BrowserCookie {
  readonly #isSecure: boolean
  readonly #name: string

  constructor(publicUrl: string) {
    this.#isSecure = publicUrl.startsWith('https:')
    this.#name = this.#isSecure ? '__Host-switchboard_sso' : 'switchboard_sso'
  }

  of(request: FastifyRequest): string | null {
    return cookieNamed(request, this.#name)
  }

  keep(reply: FastifyReply, secret: string): void {
    // Not `Strict`: the provider sends the browser back.
    const attributes = [`${this.#name}=${secret}`, 'Path=/', `Max-Age=${COOKIE_SECONDS}`, 'HttpOnly', 'SameSite=Lax']
    reply.header('set-cookie', [...attributes, ...(this.#isSecure ? ['Secure'] : [])].join('; '))
  }
}
