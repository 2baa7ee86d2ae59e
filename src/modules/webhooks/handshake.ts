import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import { camelRow } from '../../platform/lists/rows.js'
import { messageOf } from './deliver-partition.js'
import { fairPlacesSql, heldBy, type PlaceHolder } from './fair-places.js'
import { activateWebhook } from './webhook-listeners.js'
import type { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import { retryDelayMs } from '../../platform/outbound/retries.js'
import { formatOf, type WebhookFormat } from './webhook-format.js'
import { sendTestNotice } from './notices/send-test-notice.js'
import { openParams } from '../services/stored-params.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { WebhookParams } from './webhook-params.js'
import { changeStatus, type StatusChange } from './webhook-status.js'

export interface DueCheck extends PlaceHolder {
  serviceId: string
  /** Params of the service, as they are stored. */
  params: WebhookParams
  sealedParams: string | null
  /** Name of the service. */
  name: string | null
  /** Number of this attempt, from 1. */
  checks: number
}

export const WEBHOOK_AGENT = 'Switchboard-Webhooks/2'

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 4_096
/** Attempts until an administrator must ask again; with growing delays they take about 16 hours. */
const CHECKS_MAX = 25
/** As often as a receiver that does not answer: each further attempt is another test notice for people. */
const NOT_BEGUN = 'the receiver answered, but deliveries could not begin: writes of this server take too long'
/** Lease of a check: if the process dies during it, the check is due again after this time. */
const LEASE_MS = 60_000

/**
 * Leases due handshakes, by fair places.
 * @param free places
 * @param running those of this node that are under way
 */
export async function leaseChecks(
  sql: Sql,
  now: Date,
  free: number,
  running: readonly PlaceHolder[],
): Promise<DueCheck[]> {
  const rows = await sql.query<Record<string, unknown>>(
    LEASE,
    [now, new Date(now.getTime() + LEASE_MS), free, ...heldBy(running)],
    'lease-webhook-checks',
  )
  return rows.map((row) => camelRow<DueCheck>(row))
}

// Of two nodes that choose the same one, the second finds it leased.
const LEASE = `
with due as materialized (
  select w.service_id, s.organization_id, s.org1, row_number() over (order by w.check_at) as turn
  from webhook w join service s on s.id = w.service_id where w.check_at <= $1
), ${fairPlacesSql({ free: '$3', organizations: '$4', centers: '$5' })}
update webhook w set check_at = $2, checks = w.checks + 1 from chosen c join service s on s.id = c.service_id
where w.service_id = c.service_id and w.check_at <= $1
returning w.service_id, s.organization_id, s.org1, s.params, s.sealed_params, s.name, w.checks`

export interface CheckDependencies {
  http: OutboundHttp
  sealer: Sealer
  transact: Transact
  publicUrl: string
}

/**
 * Asks an address whether it accepts events (open points, handshake): GET with `type=subscribe` and a random
 * `challenge`, which must be the answer's body; or, for notices, a test notice, which must be taken. The webhook is active
 * from then on and misses no event.
 */
export async function checkAddress(
  { http, sealer, transact, publicUrl }: CheckDependencies,
  ctx: Context,
  { serviceId: service, checks, name, ...stored }: DueCheck,
): Promise<void> {
  const sql = ctx.database
  const { url } = stored.params
  const checked = { service, url, format: formatOf(stored.params) }
  try {
    const params = openParams(sealer, { id: service, ...stored }) as WebhookParams
    await verify(http, ctx, { params, name, publicUrl })
    if (!(await activateWebhook(sql, service))) throw new Error(NOT_BEGUN)
  } catch (error) {
    const reason = messageOf(error).slice(0, 1_000).replaceAll('\0', '')
    const again = checks < CHECKS_MAX ? new Date(ctx.now().getTime() + retryDelayMs(checks)) : null
    await askAgain(sql, checked, again, reason)
    return
  }
  await changeStatus(ctx, transact, { ...checked, to: 'active', from: ['unverified', 'failing', 'paused', 'active'] })
}

export interface Verified {
  /** Secrets included. */
  params: WebhookParams
  name: string | null
  publicUrl: string
}

/** Does the handshake of the webhook's format. @returns what was found @throws Error that says what is wrong */
export async function verify(
  http: OutboundHttp,
  ctx: Context,
  { params, name, publicUrl }: Verified,
  signal?: AbortSignal,
): Promise<string> {
  const format = formatOf(params)
  const { host } = new URL(params.url)
  const failed = (what: string) => (error: unknown) => {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
  if (format === 'json') {
    await shakeHands(http, params.url, signal).catch(failed('the handshake failed'))
    return `${host} answered the handshake`
  }
  const test = { params, format, name, id: ctx.newId(), sentAt: ctx.now(), publicUrl, signal }
  await sendTestNotice(http, test).catch(failed('the test notice failed'))
  return `${host} took the test notice`
}

/** Unless the address, or its format, has changed in the meantime: the new one has its own handshake. */
async function askAgain(
  sql: Sql,
  { service, url, format }: Pick<StatusChange, 'service' | 'url'> & { format: WebhookFormat },
  at: Date | null,
  error: string,
): Promise<void> {
  await sql.query(
    `update webhook w set check_at = $3, last_error = $4 from service s
     where s.id = w.service_id and w.service_id = $1 and s.params ->> 'url' = $2
       and coalesce(s.params ->> 'format', 'json') = $5 and w.check_at is not null`,
    [service, url, at, error, format],
  )
}

/** @throws Error that says what is wrong */
async function shakeHands(http: OutboundHttp, url: string, signal?: AbortSignal): Promise<void> {
  const challenge = randomBytes(24).toString('base64url')
  const target = new URL(url)
  target.searchParams.set('type', 'subscribe')
  target.searchParams.set('challenge', challenge)
  const { status, body } = await http.request({
    method: 'GET',
    url: target.href,
    timeoutMs: TIMEOUT_MS,
    bytesMax: ANSWER_BYTES_MAX,
    signal,
  })
  if (status < 200 || status >= 300) throw new Error(`answered ${status}`)
  if (body.trim() !== challenge) throw new Error("the answer's body is not the challenge")
}
