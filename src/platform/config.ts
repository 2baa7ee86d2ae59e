import { Resolver } from 'node:dns'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { databaseConfig, type DatabaseConfig } from './database-config.js'
import { isRedisUrl } from './redis-url.js'
import { tracingConfig, type TracingConfig } from './tracing/tracing-config.js'

/** All settings from the environment, which only this file reads. */
export interface Config extends DatabaseConfig {
  port: number
  host: string
  /** Time for which requests wait for a database that is away. */
  databaseWaitMs: number
  /** Absent: one node, dispatch in process. */
  redisUrl: string | undefined
  dataDir: string
  /** Absolute base of links, without a trailing slash. */
  publicUrl: string
  adminEmail: string | undefined
  adminPassword: string | undefined
  /** Requests a second on `/v2` for each key and each address (section 8). */
  rateLimitPerSecond: number
  logLevel: string
  /** Time for which a stopping node goes on serving after it has reported that it is not ready. */
  drainNoticeMs: number
  /** Time over which a stopping node closes its sockets. */
  drainSpreadMs: number
  /** Log each request: not on a terminal, where nobody asked for it. */
  logsRequests: boolean
  /** Status of an expired access token: 403 (section 5), or 401 for legacy refresh. */
  expiredTokenStatus: 401 | 403
  /** Origins that may open a socket, in addition to the server's own; `*` allows all. */
  allowedOrigins: string[]
  /** Time for which stream events can be resumed, in days. */
  eventRetentionDays: number
  routingTraceDays: number
  /** Evaluator of the rules of workflows: the compiled form, or json-rules-engine alone. */
  rulesEngine: 'compiled' | 'reference'
  /** After how long without a message an answered conversation is no longer part of its agent's load. */
  idleMinutes: number
  /** Days for which details of audit entries are kept; the entries stay. */
  auditDetailDays: number
  reportRetentionDays: number
  /** Serves GraphiQL to browsers at `/graphql`. */
  graphiql: boolean
  /** Modules with plugins of Apollo Server: paths or names of packages. */
  graphqlPlugins: readonly string[]
  /** Mail server for outgoing mail; absent: no mail is sent. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Sender addresses that email services may use with `smtpUrl`: only verified ones, or any. */
  mailSenders: 'verified' | 'any'
  /** Mail servers whose `Authentication-Results` are believed, in lower case. */
  mailAuthHosts: string[]
  /** Addresses and networks of own mail servers that hand mail over by SMTP. */
  mailRelays: string[]
  /** Name servers for verifying senders; empty: the system's. */
  dnsServers: string[]
  /** Port for inbound mail by SMTP; absent: none. */
  smtpListenPort: number | undefined
  smtpListenHost: string
  /** PEM files for STARTTLS; both or none. */
  smtpTlsCert: string | undefined
  smtpTlsKey: string | undefined
  /** Maximum size of inbound mail, in bytes. */
  mailBytesMax: number
  /** Minutes between two checks of a service; 0: none is checked. */
  serviceCheckMinutes: number
  /** Database connections of this node. */
  poolSize: number
  /** Number of them that are reserved for callers' reads. */
  readPoolSize: number
  /** Time limit of a caller's read, in milliseconds. */
  readTimeoutMs: number
  /** GraphQL cost units that a caller may use per minute. */
  graphqlCostPerMinute: number
  /** Messages per minute of one guest, and of all guests of a contact center. */
  guestMessagesPerMinute: number
  organizationGuestMessagesPerMinute: number
  /** Bytes of uploads per day, likewise. */
  guestUploadBytesPerDay: number
  organizationGuestUploadBytesPerDay: number
  /** Origins of sites whose links may contain `{authuser}` and `{authtoken}` (4.7, rule 7). */
  linkOrigins: string[]
  /** Reverse proxies whose `X-Forwarded-For` is trusted: their number, or their addresses and networks; false: none. */
  trustProxy: false | number | string[]
  /** Keys that seal secrets at rest: the first seals, all open. Empty: one that the database holds. */
  secretsKeys: Buffer[]
  /** Bearer token of the installation's operator, who creates contact centers; absent: by `npm run center` only. */
  operatorToken: string | undefined
  /** Bearer token for the metrics. */
  metricsToken: string | undefined
  /** A separate port for the metrics; absent: the main port. */
  metricsPort: number | undefined
  /** Allows private, loopback and link-local addresses for webhooks and providers, for development. */
  webhookAllowPrivate: boolean
  /** Maximum size of an attachment, in bytes. */
  attachmentBytesMax: number
  /** Time for which a link to an attachment is valid, in days. */
  attachmentLinkDays: number
  /** A bucket for attachments, `https://KEY:SECRET@host/bucket?region=…`; absent: they are stored in `dataDir`. */
  s3Url: string | undefined
  /** Settings of sending traces, to the address that OpenTelemetry reads by itself; null: none are. */
  traces: TracingConfig | null
}

/** 32 bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

export type Environment = Readonly<Record<string, string | undefined>>

/** @throws Error naming an invalid variable and its value */
export function readConfig(env: Environment = process.env): Config {
  const port = integer(env, 'PORT', 4000, 0, 65_535)
  const host = env.HOST || '127.0.0.1'
  const expired = integer(env, 'EXPIRED_TOKEN_STATUS', 403, 401, 403)
  const drainNoticeMs = integer(env, 'DRAIN_NOTICE_MS', 0, 0, 60_000)
  const poolSize = integer(env, 'DATABASE_POOL_SIZE', 16, 2, 200)
  if (expired !== 401 && expired !== 403) throw new Error(`EXPIRED_TOKEN_STATUS must be 401 or 403, not ${expired}`)
  return {
    port,
    host,
    ...databaseConfig(env),
    databaseWaitMs: integer(env, 'DATABASE_WAIT_MS', 10_000, 0, 60_000),
    redisUrl: redisAddress(env, 'REDIS_URL'),
    dataDir: resolve(env.DATA_DIR || '.data'),
    publicUrl: (address(env, 'PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    adminEmail: fitting(env, 'ADMIN_EMAIL', /^[^\s@]+@[^\s@]+$/, 'an email address'),
    adminPassword: fitting(env, 'ADMIN_PASSWORD', /^.{8,200}$/su, 'of 8 to 200 characters'),
    rateLimitPerSecond: integer(env, 'RATE_LIMIT_PER_SECOND', 20, 1, 1_000_000),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    drainNoticeMs,
    drainSpreadMs: integer(env, 'DRAIN_SPREAD_MS', drainNoticeMs > 0 ? 5_000 : 0, 0, 60_000),
    logsRequests: Boolean(env.LOG_LEVEL) || !process.stdout.isTTY,
    expiredTokenStatus: expired,
    allowedOrigins: origins(env, 'ALLOWED_ORIGINS'),
    eventRetentionDays: integer(env, 'EVENT_RETENTION_DAYS', 7, 1, 365),
    routingTraceDays: integer(env, 'ROUTING_TRACE_DAYS', 90, 1, 3_650),
    idleMinutes: integer(env, 'IDLE_MINUTES', 30, 1, 10_080),
    auditDetailDays: integer(env, 'AUDIT_DETAIL_DAYS', 400, 1, 3_650),
    reportRetentionDays: integer(env, 'REPORT_RETENTION_DAYS', 800, 1, 3_650),
    graphiql: flag(env, 'GRAPHIQL', true),
    graphqlPlugins: listOf(env, 'GRAPHQL_PLUGINS'),
    smtpUrl: address(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: env.MAIL_FROM || 'Switchboard <no-reply@localhost>',
    rulesEngine: oneOf(env, 'RULES_ENGINE', 'compiled', ['compiled', 'reference']) as Config['rulesEngine'],
    mailSenders: oneOf(env, 'MAIL_SENDERS', 'verified', ['verified', 'any']) as Config['mailSenders'],
    mailAuthHosts: hostNames(env, 'MAIL_AUTH_HOSTS'),
    mailRelays: networks(env, 'MAIL_RELAYS'),
    dnsServers: nameServers(env, 'DNS_SERVERS'),
    smtpListenPort: env.SMTP_LISTEN_PORT ? integer(env, 'SMTP_LISTEN_PORT', 25, 0, 65_535) : undefined,
    smtpListenHost: env.SMTP_LISTEN_HOST || '0.0.0.0',
    smtpTlsCert: pairOf(env, 'SMTP_TLS_CERT', 'SMTP_TLS_KEY'),
    smtpTlsKey: pairOf(env, 'SMTP_TLS_KEY', 'SMTP_TLS_CERT'),
    serviceCheckMinutes: integer(env, 'SERVICE_CHECK_MINUTES', 15, 0, 1_440),
    mailBytesMax: integer(env, 'MAIL_BYTES_MAX', 25 * 1024 * 1024, 16_384, 104_857_600),
    poolSize,
    readPoolSize: integer(env, 'READ_CONNECTIONS', Math.floor(poolSize / 2), 1, poolSize - 1),
    readTimeoutMs: integer(env, 'READ_TIMEOUT_MS', 5_000, 100, 600_000),
    graphqlCostPerMinute: integer(env, 'GRAPHQL_COST_PER_MINUTE', 1_000_000, 100, 1_000_000_000),
    guestMessagesPerMinute: integer(env, 'GUEST_MESSAGES_PER_MINUTE', 60, 1, 1_000_000),
    organizationGuestMessagesPerMinute: integer(env, 'ORGANIZATION_GUEST_MESSAGES_PER_MINUTE', 6_000, 1, 100_000_000),
    guestUploadBytesPerDay: integer(env, 'GUEST_UPLOAD_BYTES_PER_DAY', 104_857_600, 1_024, 1_099_511_627_776),
    organizationGuestUploadBytesPerDay: integer(
      env,
      'ORGANIZATION_GUEST_UPLOAD_BYTES_PER_DAY',
      10_737_418_240,
      1_024,
      1_125_899_906_842_624,
    ),
    linkOrigins: linkOrigins(env, 'LINK_HOSTS'),
    trustProxy: proxies(env, 'TRUST_PROXY'),
    secretsKeys: keys(env, 'SECRETS_KEY'),
    operatorToken: fitting(env, 'OPERATOR_TOKEN', /^[\x21-\x7e]{32,200}$/, 'of 32 to 200 characters without spaces'),
    metricsToken: fitting(env, 'METRICS_TOKEN', /^[\x21-\x7e]{16,200}$/, 'of 16 to 200 characters without spaces'),
    metricsPort: env.METRICS_PORT ? integer(env, 'METRICS_PORT', 0, 0, 65_535) : undefined,
    webhookAllowPrivate: flag(env, 'WEBHOOK_ALLOW_PRIVATE', false),
    attachmentBytesMax: integer(env, 'ATTACHMENT_BYTES_MAX', 20 * 1024 * 1024, 1_024, 1_073_741_824),
    attachmentLinkDays: integer(env, 'ATTACHMENT_LINK_DAYS', 7, 1, 365),
    s3Url: address(env, 'S3_URL', ['https:', 'http:']),
    traces: tracingConfig(env),
  }
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const raw = env[name]
  if (raw === undefined || raw === '') return fallback
  const value = Number(raw)
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`)
  }
  return value
}

/** Reads one of two variables that must be given together. */
function pairOf(env: Environment, name: string, other: string): string | undefined {
  if (Boolean(env[name]) === Boolean(env[other])) return env[name] || undefined
  throw new Error(`${name} and ${other} must be given together`)
}

function flag(env: Environment, name: string, fallback: boolean): boolean {
  return oneOf(env, name, fallback ? 'true' : 'false', ['true', 'false', '1', '0']).replace('1', 'true') === 'true'
}

function oneOf(env: Environment, name: string, fallback: string, allowed: string[]): string {
  const value = env[name] || fallback
  if (!allowed.includes(value)) throw new Error(`${name} must be one of ${allowed.join(', ')}, not "${value}"`)
  return value
}

/** The value is in no message: addresses contain passwords. */
function address(env: Environment, name: string, protocols: string[]): string | undefined {
  const value = env[name] || undefined
  if (value !== undefined && !protocols.includes(URL.parse(value)?.protocol ?? '')) {
    throw new Error(`${name} must be an address that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`)
  }
  return value
}

/** The value is in no message: addresses contain passwords. */
function redisAddress(env: Environment, name: string): string | undefined {
  const value = env[name] || undefined
  if (value === undefined || isRedisUrl(value)) return value
  throw new Error(`${name} must be redis://host:port, or redis-cluster://host:port,host:port; with rediss by TLS`)
}

function fitting(env: Environment, name: string, pattern: RegExp, what: string): string | undefined {
  const value = env[name] || undefined
  if (value !== undefined && !pattern.test(value)) throw new Error(`${name} must be ${what}`)
  return value
}

function origins(env: Environment, name: string): string[] {
  const values = listOf(env, name)
  const wrong = values.find((value) => value !== '*' && URL.parse(value)?.origin !== value)
  if (wrong !== undefined) throw new Error(`${name}: "${wrong}" is not an origin such as https://example.com`)
  return values
}

/**
 * Parses the number of reverse proxies, or their addresses. `true` means one: addresses written by clients are further
 * to the left and must not count.
 */
function proxies(env: Environment, name: string): Config['trustProxy'] {
  const value = (env[name] ?? '').trim().toLowerCase()
  if (value === '' || value === 'false' || value === '0') return false
  if (value === 'true') return 1
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const given = value.split(',').map((each) => each.trim())
  const wrong = given.find((each) => !isNetwork(each))
  if (wrong === undefined) return given
  throw new Error(`${name} must be a number of proxies, or their addresses such as 10.0.0.0/8, not "${wrong}"`)
}

function networks(env: Environment, name: string): string[] {
  const values = listOf(env, name)
  const wrong = values.find((each) => !isNetwork(each))
  if (wrong === undefined) return values
  throw new Error(`${name} must be addresses or networks such as 10.0.0.0/8, not "${wrong}"`)
}

function hostNames(env: Environment, name: string): string[] {
  const values = listOf(env, name).map((each) => each.toLowerCase())
  const wrong = values.find((each) => !/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(each))
  if (wrong === undefined) return values
  throw new Error(`${name} must be names of mail servers such as mx.example.com, not "${wrong}"`)
}

/** The value is in no message. */
function keys(env: Environment, name: string): Buffer[] {
  const values = listOf(env, name)
  if (values.some((value) => !KEY.test(value)))
    throw new Error(
      `${name} must be a key of 32 bytes in base64, as "openssl rand -base64 32" prints it, or several with commas`,
    )
  return values.map((value) => Buffer.from(value, 'base64'))
}

/** Splits at commas. */
function listOf(env: Environment, name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
}

function nameServers(env: Environment, name: string): string[] {
  const values = listOf(env, name)
  try {
    new Resolver().setServers(values)
    return values
  } catch {
    throw new Error(`${name} must be addresses such as 10.0.0.2 or 10.0.0.2:5353, not "${env[name]}"`)
  }
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
  return version !== 0 && isPrefix && more.length === 0
}

/** Parses hosts, reached by https unless written as an origin. */
function linkOrigins(env: Environment, name: string): string[] {
  const values = listOf(env, name)
  return values.map((value) => {
    const origin = value.includes('://') ? value : `https://${value}`
    if (URL.parse(origin)?.origin === origin && !origin.includes('*')) return origin
    throw new Error(`${name}: "${value}" is not a host such as crm.example.com`)
  })
}

/** Returns the environment that other programs need to run, without our settings. */
export function programEnvironment(env: Environment = process.env): Environment {
  const { PATH = '/usr/bin:/bin', SystemRoot, TEMP } = env
  return { PATH, ...(SystemRoot && { SystemRoot, TEMP }) }
}
