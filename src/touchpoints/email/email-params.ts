import { randomBytes } from 'node:crypto'
import { parseEmailAddress } from '../../contacts/identifiers.js'
import type { Context } from '../../context.js'
import type { Sql } from '../../db/database.js'
import { BadUserInput, Unprocessable } from '../../errors.js'
import type { WriteTx } from '../../events/transact.js'
import { isAbsent, parseText } from '../../input.js'
import type { JsonObject } from '../../json.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import type { Service } from '../../services/service.js'
import { forgetOtherSenders } from './mail-sender.js'

export const EMAIL = 'email'

/** RFC 5321 allows 64 characters before @; a reply address needs 43 of them. */
const LOCAL_CHARS_MAX = 21
const NAME_CHARS_MAX = 100
const URL_CHARS_MAX = 500
const SECRET_BYTES = 24
const SECRET_CHARS_MIN = 16

/** Params of a service of type `email`, secrets included. */
export interface EmailParams {
  /** Address that consumers write to, and sender of mails. */
  address?: string
  /** Sender's name, shown beside the agent's. */
  fromName?: string
  /** Mail server to send by, instead of the installation's: `smtp://host:587`, `smtps://host`. */
  smtpUrl?: string
  smtpUser?: string
  smtpPassword?: string
  /** Secret of `POST /inbound/email/<service>`. */
  inboundSecret?: string
}

/**
 * Service kind `email`. Missing params are reported when the service is used: 2.11 leaves open what params hold.
 */
export class EmailKind implements ServiceKind {
  /** `host` and `port` are stored for legacy clients, which send them (section 1, PATCH), and have no effect. */
  readonly params = [
    'address',
    'fromName',
    'smtpUrl',
    'smtpUser',
    'smtpPassword',
    'inboundSecret',
    'host',
    'port',
  ] as const
  // `inboundSecret` authenticates inbound requests; it is never sent.
  readonly secrets = { smtpPassword: ['smtpUrl', 'smtpUser'], inboundSecret: [] }

  constructor(readonly test: NonNullable<ServiceKind['test']>) {}

  /** @throws BadUserInput naming `params.<key>` */
  readParams(given: JsonObject, stored: JsonObject): JsonObject {
    const params = { ...given }
    if (!isAbsent(given.address)) params.address = parseServiceAddress(given.address)
    if (!isAbsent(given.fromName)) params.fromName = parseFromName(given.fromName)
    if (!isAbsent(given.smtpUrl)) params.smtpUrl = parseSmtpUrl(given.smtpUrl)
    for (const key of ['smtpUser', 'smtpPassword'] as const) {
      if (!isAbsent(given[key])) params[key] = parseText(given[key], `params.${key}`, { max: NAME_CHARS_MAX })
    }
    if (!isAbsent(given.inboundSecret)) {
      params.inboundSecret = parseText(given.inboundSecret, 'params.inboundSecret', { min: SECRET_CHARS_MIN, max: 200 })
    } else if (params.address !== undefined) {
      // Mail can only come in for an address.
      params.inboundSecret = stored.inboundSecret ?? randomBytes(SECRET_BYTES).toString('base64url')
    }
    return params
  }

  /** Ensures that an address belongs to one service, across all tenants. @throws Unprocessable */
  async written(_ctx: Context, tx: WriteTx, service: Service): Promise<void> {
    const { address } = service.params as EmailParams
    await forgetOtherSenders(tx, service.id, address ?? null)
    if (address === undefined) return
    // Serializes services that take the same address: the later one sees the earlier one's.
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`email:${address}`])
    const [taken] = await tx.query(
      `select 1 from service where type = '${EMAIL}' and lower(params ->> 'address') = $1 and id <> $2 limit 1`,
      [address, service.id],
    )
    if (taken) throw new Unprocessable(`params.address ${address} is the address of another service`)
  }

  async removed(_ctx: Context, tx: WriteTx, { id }: Service): Promise<void> {
    await forgetOtherSenders(tx, id, null)
  }
}

/** Whether mail is sent by the installation's mail server, which accepts any sender. */
export function sendsByInstallation({ smtpUrl }: EmailParams): boolean {
  return isAbsent(smtpUrl)
}

/** Returns the active service with this address, given in lower case. */
export async function serviceOfAddress(sql: Sql, address: string): Promise<string | null> {
  const [found] = await sql.query<{ id: string }>(
    `select id from service where type = '${EMAIL}' and lower(params ->> 'address') = $1 and status = 'active'
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

function parseFromName(value: unknown): string {
  const name = parseText(value, 'params.fromName', { max: NAME_CHARS_MAX }).trim()
  if (!/\p{Cc}/u.test(name)) return name
  throw new BadUserInput('params.fromName', 'params.fromName must not contain control characters')
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
