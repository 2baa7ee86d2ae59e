import { isIP } from 'node:net'
import { parseEmailAddress } from '../../contacts/identifiers.js'
import { BadUserInput } from '../../../platform/errors.js'
import { parseSignature } from '../../../platform/signature.js'
import { isAbsent, parseInteger, parseList, parseOneOf, parseText, parseUrl } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { isPrivateLiteral, NOT_ALLOWED } from '../../../platform/outbound/public-addresses.js'
import { parseFromName, UNPROVED_MAIL, type UnprovedMail } from '../email/email-params.js'
import { ACCESSES, FIXED, type Access } from './mail-providers.js'

export const MAILBOX = 'mailbox'

const TOKEN_PARAMS = ['tokenUrl', 'clientId', 'clientSecret', 'refreshToken', 'scope'] as const
const SERVER_PARAMS = ['host', 'port', 'security', 'smtpHost', 'smtpPort'] as const

export const SECURITIES = ['tls', 'starttls', 'none'] as const
export type Security = (typeof SECURITIES)[number]

/** Params of a service of type `mailbox`, secrets included. A service without any is not read. */
export interface MailboxParams {
  /** Address that consumers write to, and sender of mails. */
  address?: string
  fromName?: string
  /** HTML below answers where neither the channel nor the agent has one. */
  signature?: string
  /** Default: `imap`. */
  access?: Access
  host?: string
  port?: number
  security?: Security
  user?: string
  password?: string
  tokenUrl?: string
  clientId?: string
  clientSecret?: string
  refreshToken?: string
  scope?: string
  /** Default: `INBOX`. */
  folders?: string[]
  /** Mail that came before is not read. ISO 8601. */
  since?: string
  sentFolder?: string
  smtpHost?: string
  smtpPort?: number
  /** Name of the mail server whose `Authentication-Results` are believed. */
  authservId?: string
  unprovedMail?: UnprovedMail
}

export interface MailboxRules {
  now: Date
  /** True if private addresses are allowed, and connections without TLS to this machine. */
  isPrivateAllowed: boolean
}

const LINE_CHARS_MAX = 500
const TOKEN_CHARS_MAX = 8_192
const HOST_CHARS_MAX = 253
const FOLDERS_MAX = 20
const FOLDER_CHARS_MAX = 200
/** More is an import, for which nobody waits at a touchpoint. */
const SINCE_DAYS_MAX = 90
const DAY_MS = 86_400_000
/** Clocks differ. */
const AHEAD_MS_MAX = 3_600_000

/**
 * Checks the params and completes them: none may be missing, except all, and none may be without effect.
 * @throws BadUserInput naming `params.<key>`
 */
export function readMailboxParams(given: JsonObject, stored: JsonObject, rules: MailboxRules): JsonObject {
  const has = (key: keyof MailboxParams): boolean => !isAbsent(given[key])
  if (Object.values(given).every(isAbsent)) return given
  const params: MailboxParams = {
    address: parseEmailAddress(needed(given, 'address'), 'params.address'),
    ...(has('fromName') && { fromName: parseFromName(given.fromName) }),
    ...(has('signature') && { signature: parseSignature(given.signature, 'params.signature') ?? undefined }),
    ...(has('access') && { access: parseOneOf<Access>(given.access, 'params.access', ACCESSES) }),
    user: parseLine(needed(given, 'user'), 'params.user', LINE_CHARS_MAX, true),
    ...(has('folders') && { folders: parseFolders(given.folders) }),
    since: sinceOf(given, stored, rules.now),
    ...(has('sentFolder') && { sentFolder: parseFolder(given.sentFolder, 'params.sentFolder') }),
    ...(has('authservId') && { authservId: parseHost(given.authservId, 'params.authservId') }),
    ...(has('unprovedMail') && {
      unprovedMail: parseOneOf(given.unprovedMail, 'params.unprovedMail', UNPROVED_MAIL),
    }),
  }
  return { ...params, ...serversOf(given, params.access ?? 'imap', rules), ...signInOf(given, rules) } as JsonObject
}

function serversOf(given: JsonObject, access: Access, { isPrivateAllowed }: MailboxRules): Partial<MailboxParams> {
  if (access !== 'imap') {
    const idle = SERVER_PARAMS.find((key) => !isAbsent(given[key]))
    if (idle === undefined) return {}
    throw new BadUserInput(`params.${idle}`, `params.${idle} has no effect: params.access names the servers`)
  }
  const servers: Partial<MailboxParams> = {}
  needed(given, 'host')
  for (const key of ['host', 'smtpHost'] as const) {
    if (isAbsent(given[key])) continue
    servers[key] = parseHost(given[key], `params.${key}`)
    if (isPrivateAllowed || !isPrivateLiteral(servers[key]!)) continue
    throw new BadUserInput(`params.${key}`, `params.${key}: ${NOT_ALLOWED}`)
  }
  for (const key of ['port', 'smtpPort'] as const) {
    if (!isAbsent(given[key])) servers[key] = parsePort(given[key], `params.${key}`)
  }
  if (isAbsent(given.security)) return servers
  servers.security = parseOneOf(given.security, 'params.security', SECURITIES)
  if (servers.security !== 'none' || (isPrivateAllowed && isLoopback(servers.host!))) return servers
  throw new BadUserInput('params.security', 'params.security must be tls or starttls: passwords are not sent in clear')
}

/** A password, or what tokens are asked for with. */
function signInOf(given: JsonObject, { isPrivateAllowed }: MailboxRules): Partial<MailboxParams> {
  const tokenParam = TOKEN_PARAMS.find((key) => !isAbsent(given[key]))
  if (tokenParam === undefined) {
    return { password: parseLine(needed(given, 'password'), 'params.password', LINE_CHARS_MAX, true) }
  }
  if (!isAbsent(given.password)) {
    throw new BadUserInput('params.password', `params.password and params.${tokenParam} exclude each other`)
  }
  const signIn: Partial<MailboxParams> = {}
  for (const key of TOKEN_PARAMS.slice(1)) {
    if (!isAbsent(given[key])) {
      signIn[key] = parseLine(given[key], `params.${key}`, TOKEN_CHARS_MAX, key === 'scope')
    }
  }
  if (!isAbsent(given.tokenUrl)) {
    signIn.tokenUrl = parseUrl(given.tokenUrl, 'params.tokenUrl', isPrivateAllowed ? ['http', 'https'] : ['https'])
    const { username, password, hash } = new URL(signIn.tokenUrl)
    if (username || password || hash) {
      throw new BadUserInput('params.tokenUrl', 'params.tokenUrl must not contain credentials or a fragment')
    }
  } else if (FIXED[given.access as Access]?.tokenUrl === undefined) needed(given, 'tokenUrl')
  needed(given, 'clientId')
  // An application without a secret gets its grant when somebody signs in at the provider.
  const isGranted = FIXED[given.access as Access] !== undefined
  if (signIn.clientSecret === undefined && signIn.refreshToken === undefined && !isGranted) {
    const rule = 'params.clientSecret or params.refreshToken is needed with params.clientId'
    throw new BadUserInput('params.clientSecret', rule, 'MISSING_VALUE')
  }
  return signIn
}

function needed(given: JsonObject, key: keyof MailboxParams): unknown {
  if (!isAbsent(given[key])) return given[key]
  throw new BadUserInput(`params.${key}`, `params.${key} is needed for a mailbox`, 'MISSING_VALUE')
}

function parseLine(value: unknown, field: string, max: number, maySpace: boolean): string {
  const text = parseText(value, field, { min: 1, max })
  if (!/\p{Cc}/u.test(text) && (maySpace || !/\s/u.test(text))) return text
  throw new BadUserInput(field, `${field} must be one line without control characters${maySpace ? '' : ' or spaces'}`)
}

function parseHost(value: unknown, field: string): string {
  const host = parseText(value, field, { min: 1, max: HOST_CHARS_MAX }).toLowerCase()
  if (isIP(host) || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(host)) return host
  throw new BadUserInput(field, `${field} must be the name of a server, such as imap.example.com`)
}

/** Forms send texts. */
function parsePort(value: unknown, field: string): number {
  return parseInteger(typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value, field, 1, 65_535)
}

function parseFolders(value: unknown): string[] {
  const folders = parseList(value, 'params.folders', FOLDERS_MAX).map((each, index) =>
    parseFolder(each, `params.folders[${index}]`),
  )
  if (folders.length === 0) throw new BadUserInput('params.folders', 'params.folders must not be empty')
  const names = folders.map((each) => (/^inbox$/i.test(each) ? 'INBOX' : each))
  const again = names.findIndex((each, index) => names.indexOf(each) !== index)
  if (again === -1) return names
  throw new BadUserInput(`params.folders[${again}]`, `params.folders[${again}] is listed before`)
}

function parseFolder(value: unknown, field: string): string {
  return parseLine(value, field, FOLDER_CHARS_MAX, true)
}

/** Only a new one has to be recent: a service is saved again years later. */
function sinceOf(given: JsonObject, stored: JsonObject, now: Date): string {
  if (isAbsent(given.since)) return typeof stored.since === 'string' ? stored.since : now.toISOString()
  const text = parseText(given.since, 'params.since', { max: 40 })
  if (text === stored.since) return text
  const at = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? new Date(text) : new Date(Number.NaN)
  const agoMs = now.getTime() - at.getTime()
  if (agoMs <= SINCE_DAYS_MAX * DAY_MS && agoMs >= -AHEAD_MS_MAX) return at.toISOString()
  const rule = `must be a date of the last ${SINCE_DAYS_MAX} days, such as ${now.toISOString().slice(0, 10)}`
  throw new BadUserInput('params.since', `params.since ${rule}`)
}

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host)
