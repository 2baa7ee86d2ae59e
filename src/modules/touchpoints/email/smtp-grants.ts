import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { SEALED } from '../../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import type { Service } from '../../services/service.js'
import { redactSecrets } from '../../services/redact-secrets.js'
import { DeliveryFailed } from '../adapter.js'
import { callProvider } from '../provider-call.js'
import type { EmailParams } from './email-params.js'

export interface SmtpGrantsOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  http: OutboundHttp
}

interface Grant {
  settings: string
  access_token: string | null
  refresh_token: string | null
  expires_at: Date | null
  failure: string | null
  retry_at: Date | null
}

type Asking = Pick<Service, 'id' | 'params'>

/** A token that ends while it is used is none. */
const SLACK_MS = 60_000
/** Longer than a request to the token's server takes: then its node has died. */
const LEASE_MS = 40_000
const OTHERS_WAIT_MS = 2_000
/** A refused grant is asked for again at most so often, however many mails wait. */
const REFUSED_MS = 60_000
const SECONDS_DEFAULT = 3_600
const SECONDS_MAX = 86_400
/** Longer ones do not end. */
const GRANT_SECONDS_MAX = 10 * 365 * 86_400
const TOKEN_CHARS_MAX = 16_384
const REASON_CHARS_MAX = 300

/**
 * Access tokens of mail servers that take no passwords (OAuth 2.0; RFC 6749, sections 4.4 and 6). One node renews a token,
 * by a lease on its row: a server that replaces the refresh token at each use would refuse the second. No connection to
 * the database is held meanwhile.
 */
export class SmtpGrants {
  readonly #asking = new Map<string, Promise<string>>()

  constructor(private readonly options: SmtpGrantsOptions) {}

  /** @returns undefined for a service that signs in otherwise. @throws DeliveryFailed */
  async tokenFor({ id, params }: Asking): Promise<string | undefined> {
    const { smtpTokenUrl, smtpClientSecret, smtpRefreshToken } = params as EmailParams
    if (smtpTokenUrl === undefined) return undefined
    if (smtpClientSecret === undefined && smtpRefreshToken === undefined) {
      throw new DeliveryFailed('nobody has signed in at the provider for it yet', REFUSED_MS)
    }
    const asking = this.#asking.get(id) ?? this.#token({ id, params }).finally(() => this.#asking.delete(id))
    this.#asking.set(id, asking)
    return asking
  }

  /** Forgets a token that the mail server refused, so that the next mail asks for another. */
  async forget({ id }: Pick<Service, 'id'>): Promise<void> {
    await this.options.sql.query('update service_grant set access_token = null where service_id = $1', [id])
  }

  async #token(service: Asking): Promise<string> {
    const { clock, sealer, sql } = this.options
    const settings = settingsOf(service.params as EmailParams)
    const now = clock.now()
    const [known] = await sql.query<Grant>(KNOWN, [service.id, settings], 'service-grant')
    if (known?.access_token && known.expires_at!.getTime() > now.getTime() + SLACK_MS) {
      return sealer.open(SEALED.accessToken, service.id, known.access_token)
    }
    if (known?.retry_at && known.retry_at > now) {
      throw new DeliveryFailed(known.failure!, known.retry_at.getTime() - now.getTime())
    }
    const until = new Date(now.getTime() + LEASE_MS)
    const [leased] = await sql.query<Grant>(LEASE, [service.id, settings, until, now], 'lease-grant')
    if (!leased) throw new DeliveryFailed('another node renews the token of the mail server', OTHERS_WAIT_MS)
    const rotated = leased.refresh_token && sealer.open(SEALED.refreshToken, service.id, leased.refresh_token)
    return this.#renew(service, settings, rotated)
  }

  /** Asks the token's server, and stores what it answers. */
  async #renew({ id, params }: Asking, settings: string, rotated: string | null): Promise<string> {
    const { clock, http, sealer, sql } = this.options
    try {
      const { smtpTokenUrl, ...of } = params as EmailParams
      const { status, answer } = await callProvider(
        { http, now: clock.now() },
        {
          method: 'POST',
          url: smtpTokenUrl!,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: formOf(of, rotated).toString(),
        },
      )
      const { access_token: token, refresh_token: next, expires_in: seconds } = answer
      const { refresh_token_expires_in: grantSeconds } = answer
      if (status !== 200 || !isToken(token)) throw new Error(problemOf(status, answer))
      const expires = new Date(clock.now().getTime() + secondsOf(seconds) * 1_000)
      const kept = isToken(next) ? next : rotated
      const endsAt = grantEnd(grantSeconds, clock.now())
      const sealed = sealer.seal(SEALED.accessToken, id, token)
      const sealedNext = kept === null ? null : sealer.seal(SEALED.refreshToken, id, kept)
      await sql.query(RENEWED, [id, settings, sealed, sealedNext, expires, endsAt, isToken(next)], 'renew-grant')
      return token
    } catch (error) {
      const said = redactSecrets((error as Error).message, params)
        .replace(/\s+/g, ' ')
        .slice(0, REASON_CHARS_MAX)
      const failure = `there is no token for the mail server: ${said}`
      await sql.query(FAILED, [id, settings, failure, new Date(clock.now().getTime() + REFUSED_MS)], 'refuse-grant')
      throw new DeliveryFailed(failure, REFUSED_MS)
    }
  }
}

/** Identifies what a token was obtained with: other settings need another. */
function settingsOf({
  smtpTokenUrl,
  smtpClientId,
  smtpClientSecret,
  smtpRefreshToken,
  smtpScope,
}: EmailParams): string {
  const all = [smtpTokenUrl, smtpClientId, smtpClientSecret, smtpRefreshToken, smtpScope]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

function formOf(params: EmailParams, rotated: string | null): URLSearchParams {
  const refreshToken = rotated ?? params.smtpRefreshToken
  const grant: Record<string, string> = refreshToken
    ? { grant_type: 'refresh_token', refresh_token: refreshToken }
    : { grant_type: 'client_credentials' }
  return new URLSearchParams({
    ...grant,
    client_id: params.smtpClientId!,
    ...(params.smtpClientSecret && { client_secret: params.smtpClientSecret }),
    ...(params.smtpScope && { scope: params.smtpScope }),
  })
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TOKEN_CHARS_MAX && /^[\x21-\x7e]+$/.test(value)
}

function secondsOf(value: unknown): number {
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, SECONDS_MAX) : SECONDS_DEFAULT
}

/** Returns when a grant ends, as its server says with some; null where it does not. */
function grantEnd(value: unknown, now: Date): Date | null {
  const seconds = Number(value)
  const isSaid = Number.isFinite(seconds) && seconds > 0 && seconds <= GRANT_SECONDS_MAX
  return isSaid ? new Date(now.getTime() + seconds * 1_000) : null
}

/** For example `invalid_grant AADSTS70008: The refresh token has expired`. */
function problemOf(status: number, { error, error_description: words }: Record<string, unknown>): string {
  const said = [error, words].filter((each) => typeof each === 'string').join(' ')
  return said || `its server answered ${status} without one`
}

const KNOWN = `select settings, access_token, refresh_token, expires_at, failure, retry_at from service_grant
where service_id = $1 and settings = $2`

/** The refresh token that replaced the given one is kept as long as the settings are the same. */
const LEASE = `
insert into service_grant as g (service_id, settings, leased_until) values ($1, $2, $3)
on conflict (service_id) do update set settings = $2, leased_until = $3, access_token = null, expires_at = null,
  refresh_token = case when g.settings = $2 then g.refresh_token end,
  grant_ends_at = case when g.settings = $2 then g.grant_ends_at end,
  failure = case when g.settings = $2 then g.failure end, retry_at = case when g.settings = $2 then g.retry_at end
where g.leased_until is null or g.leased_until < $4
returning settings, access_token, refresh_token, expires_at, failure, retry_at`

/** An end that was said holds until another one is, or the grant is replaced. */
const RENEWED = `update service_grant set access_token = $3, refresh_token = $4, expires_at = $5, leased_until = null,
  grant_ends_at = coalesce($6, case when not $7::boolean then grant_ends_at end),
  failure = null, retry_at = null where service_id = $1 and settings = $2`

const FAILED = `update service_grant set access_token = null, failure = $3, retry_at = $4, leased_until = null
where service_id = $1 and settings = $2`
