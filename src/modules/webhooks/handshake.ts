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
import { openParams } from '../services/stored-params.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { WebhookParams } from './webhook-params.js'
import { changeStatus } from './webhook-status.js'

export interface DueCheck extends PlaceHolder {
  serviceId: string
  /** Params of the service, as they are stored. */
  params: WebhookParams
  sealedParams: string | null
  /** Number of this attempt, from 1. */
  checks: number
}

export const WEBHOOK_AGENT = 'Switchboard-Webhooks/2'

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 4_096
/** Attempts until an administrator must ask again; with growing delays they take about 16 hours. */
const CHECKS_MAX = 25
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
returning w.service_id, s.organization_id, s.org1, s.params, s.sealed_params, w.checks`

/**
 * Asks an address whether it accepts events (open points, handshake): GET with `type=subscribe` and a random
 * `challenge`, which must be the answer's body. The webhook is active from then on and misses no event.
 */
export async function checkAddress(
  { http, sealer, transact }: { http: OutboundHttp; sealer: Sealer; transact: Transact },
  ctx: Context,
  { serviceId: service, checks, ...stored }: DueCheck,
): Promise<void> {
  const sql = ctx.database
  const { url } = stored.params
  try {
    const opened = openParams(sealer, { id: service, ...stored }) as WebhookParams
    await shakeHands(http, opened.url)
  } catch (error) {
    const reason = `the handshake failed: ${messageOf(error)}`.slice(0, 1_000).replaceAll('\0', '')
    const again = checks < CHECKS_MAX ? new Date(ctx.now().getTime() + retryDelayMs(checks)) : null
    await askAgain(sql, service, url, again, reason)
    return
  }
  if (!(await activateWebhook(sql, service))) {
    await askAgain(sql, service, url, new Date(ctx.now().getTime() + retryDelayMs(1)), null)
    return
  }
  await changeStatus(ctx, transact, { service, url, to: 'active', from: ['unverified', 'failing', 'paused', 'active'] })
}

/** Unless the address has changed in the meantime: the new one has its own handshake. */
async function askAgain(sql: Sql, service: string, url: string, at: Date | null, error: string | null): Promise<void> {
  await sql.query(
    `update webhook w set check_at = $3, last_error = $4 from service s
     where s.id = w.service_id and w.service_id = $1 and s.params ->> 'url' = $2 and w.check_at is not null`,
    [service, url, at, error],
  )
}

/** @throws Error that says what is wrong */
export async function shakeHands(http: OutboundHttp, url: string, signal?: AbortSignal): Promise<void> {
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
