import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { LockMode } from '@mikro-orm/postgresql'
import type { Transact } from '../../platform/events/transact.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { emitServiceError } from '../services/service-problem.js'
import { emitService } from '../services/service-writes.js'
import { formatOf, type WebhookFormat } from './webhook-format.js'
import { Service } from '../services/service.js'
import { WEBHOOK } from './webhook-params.js'

/** A webhook's status, which is its service's. */
export type WebhookStatus =
  /** The address has not answered the handshake: nothing is delivered. */
  | 'unverified'
  | 'active'
  /** Attempts keep failing: one delivery at a time is tried, at growing intervals. */
  | 'failing'
  /** It has been failing for an hour: one delivery per hour is tried. */
  | 'paused'
  /** Switched off: events are not queued for it. */
  | 'inactive'

/**
 * Updates the webhook's row for a status. An activated webhook starts without failures and delivers all pending events.
 */
export async function settle(sql: Sql, service: string, status: WebhookStatus, now: Date): Promise<void> {
  if (status !== 'active') {
    await sql.query(status === 'unverified' ? ASK : status === 'inactive' ? REST : SLOW_DOWN, [service, status, now])
    return
  }
  await sql.query(BEGIN_ANEW, [service, status])
  await sql.query('update webhook_partition set due_at = $2 where service_id = $1 and due_at > $2', [service, now])
}

const ASK = `update webhook set status = $2, check_at = $3, checks = 0, last_error = null, held_until = null
  where service_id = $1`
const REST = 'update webhook set status = $2, check_at = null, probe_at = $3 where service_id = $1'
const SLOW_DOWN = 'update webhook set status = $2, probe_at = coalesce(probe_at, $3) where service_id = $1'
const BEGIN_ANEW = `update webhook set status = $2, failures = 0, failing_since = null, probe_at = null,
  check_at = null, last_error = null where service_id = $1`

export interface StatusChange {
  service: string
  to: WebhookStatus
  /** Statuses from which the change is allowed. */
  from: readonly WebhookStatus[]
  /** Address, as it is shown, for which the change is made; nothing changes if the webhook has another one by now. */
  url: string
  /** Format in which the address was checked, for which the same holds; absent for any. */
  format?: WebhookFormat
  /** Error to publish as `service.error`. */
  error?: string
}

/**
 * Changes the status because of the receiver's behaviour, and emits an event to the organization's stream.
 * @returns whether the status was changed
 */
export function changeStatus(
  ctx: Context,
  transact: Transact,
  { service: id, to, from, url, format, error }: StatusChange,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const service = await tx.em.findOne(Service, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (service?.type !== WEBHOOK || service.params.url !== url) return false
    if (format !== undefined && formatOf(service.params) !== format) return false
    if (!from.includes(service.status as WebhookStatus)) return false
    service.status = to
    markChanged(service, ctx.now())
    await settle(tx, id, to, ctx.now())
    if (to === 'active') await tx.query('update webhook set verified_url = $2 where service_id = $1', [id, url])
    emitService(tx, service, 'updated')
    if (error !== undefined) emitServiceError(tx, service, error)
    return true
  })
}
