import type { JsonObject } from '../../../platform/json.js'
import type { EmailParams } from '../email/email-params.js'
import { FIXED, type Fixed } from './mail-providers.js'
import type { MailboxParams, Security } from './mailbox-params.js'

const [TLS_PORT, STARTTLS_PORT, SMTP_PORT, SMTP_TLS_PORT] = [993, 143, 587, 465]
export const INBOX = 'INBOX'

/** Everything that is needed to read a mailbox and to send by it. */
export interface MailboxSettings {
  address: string
  fromName: string | undefined
  imap: { host: string; port: number; security: Security }
  user: string
  password: string | undefined
  /** With the password in it, if there is one. */
  smtpUrl: string
  /** Params by which tokens are asked for, as of a service of type `email`; null where a password signs in. */
  tokens: EmailParams | null
  folders: readonly string[]
  since: Date
  /** Null: the one that the server says is for it. */
  sentFolder: string | null
  /** True if what is sent has to be filed. */
  filesSent: boolean
}

/** @returns null for a service without settings */
export function settingsOfMailbox(given: JsonObject): MailboxSettings | null {
  const params = given as MailboxParams
  const { access = 'imap', address, user, since } = params
  if (address === undefined || user === undefined || since === undefined) return null
  const fixed = FIXED[access]
  const host = fixed?.host ?? params.host!
  const smtpHost = fixed?.smtpHost ?? params.smtpHost ?? host.replace(/^imap\./, 'smtp.')
  const smtpPort = params.smtpPort ?? SMTP_PORT
  const security = params.security ?? (params.port === STARTTLS_PORT ? 'starttls' : 'tls')
  const smtpUrl = new URL(`${smtpPort === SMTP_TLS_PORT ? 'smtps' : 'smtp'}://${bracketed(smtpHost)}:${smtpPort}`)
  smtpUrl.username = encodeURIComponent(user)
  if (params.password !== undefined) smtpUrl.password = encodeURIComponent(params.password)
  return {
    address,
    fromName: params.fromName,
    imap: { host, port: params.port ?? (security === 'tls' ? TLS_PORT : STARTTLS_PORT), security },
    user,
    password: params.password,
    smtpUrl: smtpUrl.href,
    tokens: tokensOf(params, fixed),
    folders: params.folders ?? [INBOX],
    since: new Date(since),
    sentFolder: params.sentFolder ?? null,
    filesSent: fixed === undefined,
  }
}

function tokensOf(params: MailboxParams, fixed: Fixed | undefined): EmailParams | null {
  const { clientId, clientSecret, refreshToken } = params
  if (clientId === undefined) return null
  const scope = params.scope ?? fixed?.scope
  return {
    smtpTokenUrl: params.tokenUrl ?? fixed!.tokenUrl,
    smtpClientId: clientId,
    ...(clientSecret !== undefined && { smtpClientSecret: clientSecret }),
    ...(refreshToken !== undefined && { smtpRefreshToken: refreshToken }),
    ...(scope !== undefined && { smtpScope: scope }),
  }
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
