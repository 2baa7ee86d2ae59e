import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import { isPlainObject, type JsonObject } from '../../platform/json.js'

/** Implemented by `BrowserSessions` of `auth/`. */
export interface BrowserSessions {
  open(ctx: Context, input: SignInInput): Promise<BrowserSession>
  openByPasskey(ctx: Context, input: { passkey: JsonObject; timezone: string | null }): Promise<BrowserSession>
  accept(ctx: Context, input: LinkInput): Promise<BrowserSession>
  reset(ctx: Context, input: LinkInput & { code: string | null; passkey: JsonObject | null }): Promise<BrowserSession>
  renew(ctx: Context, cookie: string): Promise<BrowserSession>
  end(ctx: Context, cookie: string): Promise<void>
}

export interface BrowserSession {
  page: object
  cookie: { value: string; seconds: number } | null
}

interface SignInInput {
  email: string
  password: string
  timezone: string | null
  code: string | null
  passkey: JsonObject | null
  enrolment: string | null
}

/** The token of a link, and the password that was chosen. */
interface LinkInput {
  token: string
  password: string
  timezone: string | null
}

export interface SessionRoutesOptions {
  sessions: BrowserSessions
  publicUrl: string
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<Context>
}

const PATH = '/console/session'
const COOKIE = 'switchboard_session'

/**
 * Adds the console's sign-in: the refresh token is in a cookie that is sent to this path only and that scripts cannot
 * read. `POST` signs in, or renews the access token when it has no body, and answers 204 to a browser without a session;
 * `DELETE` signs out. Everything else uses
 * Bearer tokens, so that no other page can use a visitor's sign-in.
 */
export function addSessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): void {
  const { sessions, publicUrl, contextFor } = options

  app.post(PATH, async (request, reply) => {
    checkOrigin(request, publicUrl)
    // Whether there is a session is a question that a first visit asks: its answer is no error.
    if (request.body == null && !cookieOf(request)) return reply.code(204).send()
    const ctx = await contextFor(request, undefined)
    const { page, cookie } = await answer(ctx, request)
    if (cookie) setSessionCookie(reply, publicUrl, cookie)
    return page
  })

  app.delete(PATH, async (request, reply) => {
    checkOrigin(request, publicUrl)
    const cookie = cookieOf(request)
    if (cookie) await sessions.end(await contextFor(request, undefined), cookie)
    setSessionCookie(reply, publicUrl, { value: '', seconds: 0 })
    return reply.code(204).send()
  })

  function answer(ctx: Context, request: FastifyRequest): Promise<BrowserSession> {
    const { body } = request
    if (body != null) {
      const timezone = optionalText(body, 'timezone')
      const passkey = optionalObject(body, 'passkey')
      // A passkey alone is enough: it says whose it is.
      const isAlone = passkey !== null && !('password' in (body as object))
      if (isAlone) return sessions.openByPasskey(ctx, { passkey, timezone })
      const password = text(body, 'password')
      const code = optionalText(body, 'code')
      const [invitation, reset] = [optionalText(body, 'invitation'), optionalText(body, 'reset')]
      if (invitation !== null) return sessions.accept(ctx, { token: invitation, password, timezone })
      if (reset !== null) return sessions.reset(ctx, { token: reset, password, timezone, code, passkey })
      const enrolment = optionalText(body, 'enrolment')
      return sessions.open(ctx, { email: text(body, 'email'), password, timezone, code, passkey, enrolment })
    }
    return sessions.renew(ctx, cookieOf(request)!)
  }
}

/** Keeps a session in the browser, for this path alone, out of reach of scripts. */
export function setSessionCookie(
  reply: FastifyReply,
  publicUrl: string,
  { value, seconds }: NonNullable<BrowserSession['cookie']>,
): void {
  const attributes = [`${COOKIE}=${value}`, `Path=${PATH}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict']
  reply.header('set-cookie', [...attributes, ...(publicUrl.startsWith('https:') ? ['Secure'] : [])].join('; '))
}

/** Browsers send an origin with every request except GET: only pages of this server are accepted. */
function checkOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin, host } = headers
  const url = origin === undefined ? null : URL.parse(origin)
  if (url && (url.host === host || url.origin === new URL(publicUrl).origin)) return
  throw new Forbidden(
    `pages of ${origin?.slice(0, 200) ?? 'no origin'} may not sign in here: only those of ${publicUrl} may`,
    { reason: 'ORIGIN_NOT_ALLOWED' },
  )
}

function cookieOf(request: FastifyRequest): string | null {
  return cookieNamed(request, COOKIE)
}

/** Returns the value of a request's cookie; null if it has none, or an empty one. */
export function cookieNamed({ headers }: FastifyRequest, name: string): string | null {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || null
}

function text(body: unknown, field: string): string {
  const value = optionalText(body, field)
  if (value === null) throw new BadUserInput(field, `${field} is required`, 'MISSING_VALUE')
  return value
}

function optionalText(body: unknown, field: string): string | null {
  const value = memberOf(body, field)
  if (value !== null && typeof value !== 'string') throw new BadUserInput(field, `${field} must be a string`)
  return value
}

function optionalObject(body: unknown, field: string): JsonObject | null {
  const value = memberOf(body, field)
  if (value !== null && !isPlainObject(value)) throw new BadUserInput(field, `${field} must be an object`)
  return value as JsonObject | null
}

function memberOf(body: unknown, field: string): unknown {
  if (!isPlainObject(body)) throw new BadUserInput('body', 'the body must be an object')
  return body[field] ?? null
}
