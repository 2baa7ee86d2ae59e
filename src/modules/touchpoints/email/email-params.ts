import { randomBytes } from 'node:crypto'
import { parseEmailAddress } from '../../contacts/identifiers.js'
import type { Context } from '../../../platform/context.js'
import { parseSignature } from '../../../platform/signature.js'
import { isCenterInUseSql } from '../../../platform/db/archived-centers.js'
import type { Sql } from '../../../platform/db/database.js'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import { isAbsent, parseList, parseOneOf, parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import type { ServiceKind, ServiceWritten } from '../../services/service-kinds.js'
import type { Service } from '../../services/service.js'
import { MAIL_FORMATS } from './mail-formats.js'
import { EMAIL_SETTINGS } from './settings.js'
import { readTokenParams } from './smtp-token-params.js'
import { forgetOtherSenders } from './mail-sender.js'
import { isServiceInUseSql } from '../../services/service-in-use.js'

export const EMAIL = 'email'

/** RFC 5321 allows 64 characters before @; a reply address needs 43 of them. */
const LOCAL_CHARS_MAX = 21
const NAME_CHARS_MAX = 100
const URL_CHARS_MAX = 500
const HOSTS_MAX = 20
const HOST_CHARS_MAX = 253
const SECRET_BYTES = 24
const SECRET_CHARS_MIN = 16

/** Params of a service of type `email`, secrets included. */
export interface EmailParams {
  /** Address that consumers write to, and sender of mails. */
  address?: string
  /** Sender's name, shown beside the agent's. */
  fromName?: string
  /** HTML below answers where neither the channel nor the agent has one. */
  signature?: string
  /** Mail server to send by, instead of the installation's: `smtp://host:587`, `smtps://host`. */
  smtpUrl?: string
  smtpUser?: string
  smtpPassword?: string
  /** Address that gives the mail server's access tokens (OAuth 2.0), in place of a password: with it the mail server takes XOAUTH2. */
  smtpTokenUrl?: string
  smtpClientId?: string
  smtpClientSecret?: string
  /** The account's grant; without it the client's own credentials are the grant. */
  smtpRefreshToken?: string
  smtpScope?: string
  /** Secret of `POST /inbound/email/<service>`. */
  inboundSecret?: string
  /** Mail servers whose `Authentication-Results` are believed in mail that comes with the secret, in lower case. */
  authHosts?: string[]
  /** Policy for mail whose sender nothing proves; default: `show`. */
  unprovedMail?: UnprovedMail
}

/**
 * - `show`: agents see that somebody else may have written it.
 * - `conversation`: likewise, and it joins no conversation but one that such mail began.
 * - `refuse`: it is refused, unless name servers do not answer: then as for `conversation`.
 */
export const UNPROVED_MAIL = ['show', 'conversation', 'refuse'] as const
export type UnprovedMail = (typeof UNPROVED_MAIL)[number]

export function unprovedMailOf({ params }: { params: JsonObject }): UnprovedMail {
  return (params as EmailParams).unprovedMail ?? 'show'
}

/**
 * Service kind `email`. Missing params are reported when the service is used: 2.11 leaves open what params hold.
 */
export class EmailKind implements ServiceKind {
  readonly touchpoint = 'email'
  readonly formats = MAIL_FORMATS
  readonly params = EMAIL_SETTINGS.params
  readonly secrets = EMAIL_SETTINGS.secrets
  readonly form = EMAIL_SETTINGS.form

  constructor(
    readonly test: NonNullable<ServiceKind['test']>,
    private readonly options: { isPlainAllowed: boolean },
  ) {}

  /** @throws BadUserInput naming `params.<key>` */
  readParams(given: JsonObject, stored: JsonObject): JsonObject {
    const params = { ...given }
    if (!isAbsent(given.address)) params.address = parseServiceAddress(given.address)
    if (!isAbsent(given.fromName)) params.fromName = parseFromName(given.fromName)
    if (!isAbsent(given.signature)) params.signature = parseSignature(given.signature, 'params.signature')
    if (!isAbsent(given.smtpUrl)) params.smtpUrl = parseSmtpUrl(given.smtpUrl)
    for (const key of ['smtpUser', 'smtpPassword'] as const) {
      if (!isAbsent(given[key])) params[key] = parseText(given[key], `params.${key}`, { max: NAME_CHARS_MAX })
    }
    readTokenParams(params, given, this.options)
    if (!isAbsent(given.authHosts)) params.authHosts = parseHosts(given.authHosts)
    if (!isAbsent(given.unprovedMail)) {
      params.unprovedMail = parseOneOf(given.unprovedMail, 'params.unprovedMail', UNPROVED_MAIL)
    }
    if (!isAbsent(given.inboundSecret)) {
      params.inboundSecret = parseText(given.inboundSecret, 'params.inboundSecret', { min: SECRET_CHARS_MIN, max: 200 })
    } else if (params.address !== undefined) {
      // Mail can only come in for an address.
      params.inboundSecret = stored.inboundSecret ?? randomBytes(SECRET_BYTES).toString('base64url')
    }
    return params
  }

  async written(_ctx: Context, tx: WriteTx, { service }: ServiceWritten): Promise<void> {
    const { address } = service.params as EmailParams
    await forgetOtherSenders(tx, service.id, address ?? null)
    if (address !== undefined) await requireOwnAddress(tx, service.id, address)
  }

  async removed(_ctx: Context, tx: WriteTx, { id }: Service): Promise<void> {
    await forgetOtherSenders(tx, id, null)
  }
}

/** Ensures that an address belongs to one service, across all tenants. @throws Unprocessable */
export async function requireOwnAddress(tx: Pick<WriteTx, 'query'>, service: string, address: string): Promise<void> {
  // Serializes services that take the same address: the later one sees the earlier one's.
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`email:${address}`])
  const [taken] = await tx.query(
    `select 1 from service where touchpoint = 'email' and lower(params ->> 'address') = $1 and id <> $2 limit 1`,
    [address, service],
  )
  if (taken)
    throw new Unprocessable(`params.address ${address} is the address of another service`, {
      reason: 'ADDRESS_TAKEN',
    })
}

/** Tells whether mail is sent by the installation's mail server, which accepts any sender. */
export function sendsByInstallation({ smtpUrl }: EmailParams): boolean {
  return isAbsent(smtpUrl)
}

/** Returns the active service with this address, given in lower case. */
export async function serviceOfAddress(sql: Sql, address: string): Promise<string | null> {
  const [found] = await sql.query<{ id: string }>(
    `select id from service s where type = '${EMAIL}' and touchpoint = 'email' and lower(params ->> 'address') = $1 and ${isServiceInUseSql('s')}
       and ${isCenterInUseSql('s')}
     order by id limit 1`,
    [address],
    'email-service',
  )
  return found?.id ?? null
}

function parseServiceAddress(value: unknown): string {
  const address = parseEmailAddress(value, 'params.address')
  const local = address.slice(0, address.lastIndexOf('@'))
  if (local.length <= LOCAL_CHARS_MAX) return address
  const rule = `at most ${LOCAL_CHARS_MAX} are allowed, to leave room for the token of reply addresses`
  throw new BadUserInput('params.address', `params.address has ${local.length} characters before @; ${rule}`)
}

export function parseFromName(value: unknown): string {
  const name = parseText(value, 'params.fromName', { max: NAME_CHARS_MAX }).trim()
  if (!/\p{Cc}/u.test(name)) return name
  throw new BadUserInput('params.fromName', 'params.fromName must not contain control characters')
}

function parseHosts(value: unknown): string[] {
  return parseList(value, 'params.authHosts', HOSTS_MAX).map((each, index) => {
    const field = `params.authHosts[${index}]`
    const host = parseText(each, field, { max: HOST_CHARS_MAX }).toLowerCase()
    if (/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(host)) return host
    throw new BadUserInput(field, `${field} must be the name of a mail server, such as mx.example.com`)
  })
}

function parseSmtpUrl(value: unknown): string {
  const url = parseText(value, 'params.smtpUrl', { max: URL_CHARS_MAX })
  const parsed = URL.parse(url)
  const isServer = parsed !== null && ['smtp:', 'smtps:'].includes(parsed.protocol) && parsed.hostname !== ''
  if (!isServer || parsed.search || parsed.hash) {
    throw new BadUserInput('params.smtpUrl', 'params.smtpUrl must be an address such as smtp://host:587')
  }
  // The URL is shown to everyone who reads the service; a password must not be.
  if (!parsed.username && !parsed.password) return url
  throw new BadUserInput('params.smtpUrl', 'params.smtpUrl must not contain credentials: use smtpUser and smtpPassword')
}

/** Returns the URL with credentials; undefined for the installation's own server. */
export function smtpUrlOf({ smtpUrl, smtpUser, smtpPassword }: EmailParams): string | undefined {
  if (smtpUrl === undefined) return undefined
  const url = new URL(smtpUrl)
  if (smtpUser !== undefined) url.username = encodeURIComponent(smtpUser)
  if (smtpPassword !== undefined) url.password = encodeURIComponent(smtpPassword)
  return url.href
}
