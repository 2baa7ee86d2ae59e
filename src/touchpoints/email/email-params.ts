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

export const EMAIL = 'email'

/** RFC 5321 gives the part before @ 64 characters; a reply address needs 43 of them. */
const LOCAL_CHARS_MAX = 21
const NAME_CHARS_MAX = 100
const URL_CHARS_MAX = 500
const SECRET_BYTES = 24
const SECRET_CHARS_MIN = 16

/** A service of type `email`; secrets included. */
export interface EmailParams {
  /** Where consumers write to, and what mails come from. */
  address?: string
  /** The sender's name beside the agent's. */
  fromName?: string
  /** The mail server to send by, instead of the installation's: `smtp://host:587`, `smtps://host`. */
  smtpUrl?: string
  smtpUser?: string
  smtpPassword?: string
  /** Of `POST /inbound/email/<service>`. */
  inboundSecret?: string
}

/**
 * The kind `email` of service. What is missing is said when the service is used: 2.11 leaves open what params hold.
 * Keys that are not known stay as they are given.
 */
export class EmailKind implements ServiceKind {
  // Whoever posts mail in shows `inboundSecret` to us.
  readonly secrets = { smtpPassword: ['smtpUrl', 'smtpUser'], inboundSecret: [] }

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
      // Only with an address can mail come in.
      params.inboundSecret = stored.inboundSecret ?? randomBytes(SECRET_BYTES).toString('base64url')
    }
    return params
  }

  /** One address leads to one service, of whichever tenant. @throws Unprocessable */
  async written(_ctx: Context, tx: WriteTx, service: Service): Promise<void> {
    const { address } = service.params as EmailParams
    if (address === undefined) return
    // Of two who take the same address at once, the later one sees the earlier one's.
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`email:${address}`])
    const [taken] = await tx.query(
      `select 1 from service where type = '${EMAIL}' and lower(params ->> 'address') = $1 and id <> $2 limit 1`,
      [address, service.id],
    )
    if (taken) throw new Unprocessable(`params.address ${address} is the address of another service`)
  }
}

/** The active service whose address this is, in lower case. */
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
  const rule = `at most ${LOCAL_CHARS_MAX} leave room for the token of reply addresses`
  throw new BadUserInput('params.address', `params.address has ${local.length} characters before @; ${rule}`)
}

function parseFromName(value: unknown): string {
  const name = parseText(value, 'params.fromName', { max: NAME_CHARS_MAX }).trim()
  if (!/\p{Cc}/u.test(name)) return name
  throw new BadUserInput('params.fromName', 'params.fromName must not hold control characters')
}

function parseSmtpUrl(value: unknown): string {
  const url = parseText(value, 'params.smtpUrl', { max: URL_CHARS_MAX })
  const parsed = URL.parse(url)
  const isServer = parsed !== null && ['smtp:', 'smtps:'].includes(parsed.protocol) && parsed.hostname !== ''
  if (!isServer || parsed.search || parsed.hash) {
    throw new BadUserInput('params.smtpUrl', 'params.smtpUrl must be an address such as smtp://host:587')
  }
  // The address is shown to whoever reads the service; a password is not.
  if (!parsed.username && !parsed.password) return url
  throw new BadUserInput('params.smtpUrl', 'params.smtpUrl must not hold a user: see smtpUser and smtpPassword')
}

/** With the user who signs in; undefined for the installation's own server. */
export function smtpUrlOf({ smtpUrl, smtpUser, smtpPassword }: EmailParams): string | undefined {
  if (smtpUrl === undefined) return undefined
  const url = new URL(smtpUrl)
  if (smtpUser !== undefined) url.username = encodeURIComponent(smtpUser)
  if (smtpPassword !== undefined) url.password = encodeURIComponent(smtpPassword)
  return url.href
}
