import type { Sql } from '../../platform/db/database.js'
import type { WebhookStatus } from './webhook-status.js'

/** Number of attempts kept per delivery, the newest. */
const ATTEMPTS_KEPT = 50

/** Outcome of one delivery attempt. */
export interface AttemptOutcome {
  at: Date
  durationMs: number
  /** Null without an answer. */
  statusCode: number | null
  /** Null on success. */
  error: string | null
  /** Beginning of the answer. */
  response: string | null
}

/** Outcome of the messages in a receiver's answer. */
export interface AnswerOutcome {
  text: string
  /** True if something in the answer was ignored or refused. */
  isIgnored: boolean
}

export interface AttemptedDelivery {
  id: string
  serviceId: string
  attempts: number
  /** Time at which it had been asked for when the attempt began: asked for again meanwhile, it is made again. */
  pendingSince: Date
  /** Number of redactions when the attempt began: after another one, the receiver's words are not stored. */
  redactions: number
}

/** Records a successful attempt, and ends the endpoint's failures. A delivery that was asked for again meanwhile goes on. */
export async function recordDelivered(
  sql: Sql,
  delivery: AttemptedDelivery,
  outcome: AttemptOutcome,
  reply: AnswerOutcome | null,
): Promise<void> {
  await sql.query(
    `with healthy as (
       update webhook set failures = 0, failing_since = null where service_id = $9 and failures > 0
     ), ignored as (
       update webhook set ignored_at = $3, ignored_delivery = $1 where service_id = $9 and $11
     ), recorded as (
       update webhook_delivery set attempts = greatest(attempts, $2), attempted_at = $3,
         status = case when pending_since = $12 then 'delivered' else status end,
         finished_at = case when pending_since = $12 then $3 else finished_at end,
         status_code = $5, error = null, reply = case when redactions = $8 then coalesce($10, reply) end
       where id = $1 returning id, redactions)
     ${INSERT_ATTEMPT}`,
    [
      ...attemptValues(delivery, outcome),
      delivery.serviceId,
      reply?.text ?? null,
      reply?.isIgnored ?? false,
      delivery.pendingSince,
    ],
    'record-webhook-delivered',
  )
}

export interface EndpointHealth {
  status: WebhookStatus
  failures: number
  failingSince: Date
}

/** SQL: one that was asked for again meanwhile goes on. */
const IS_LAST = '$10 and pending_since = $11'

/**
 * Records a failed attempt, and counts it against the endpoint. A runner that was paused may have lost the delivery to
 * another one: what that recorded stays, and this attempt is not counted.
 * @param options.isOver whether it will not be tried again
 * @param options.heldUntil until when the receiver asked to be sent nothing: it is there, and busy, which is no failure of it
 * @returns null for an attempt that was not counted
 */
export async function recordFailed(
  sql: Sql,
  delivery: AttemptedDelivery,
  outcome: AttemptOutcome,
  options: { isOver: boolean; heldUntil: Date | null },
): Promise<EndpointHealth | null> {
  const rows = await sql.query<{ status: WebhookStatus; failures: number; failing_since: Date }>(
    `with recorded as (
       update webhook_delivery set status = case when ${IS_LAST} then 'failed' else status end, attempts = $2,
         attempted_at = $3, tried_since = coalesce(tried_since, $3),
         finished_at = case when ${IS_LAST} then $3::timestamptz end, status_code = $5,
         error = case when redactions = $8 then $6 end
       where id = $1 and status = 'pending' and attempts < $2 returning id, redactions
     ), attempt as (${INSERT_ATTEMPT})
     update webhook set last_error = case when $12::timestamptz is null then $6 else last_error end, held_until = coalesce(greatest(held_until, $12), held_until),
       failures = failures + ($12::timestamptz is null)::int,
       failing_since = case when $12 is null then coalesce(failing_since, $3) else failing_since end
     where service_id = $9 and exists (select 1 from recorded) returning status, failures, failing_since`,
    [...attemptValues(delivery, outcome), delivery.serviceId, options.isOver, delivery.pendingSince, options.heldUntil],
    'record-webhook-failed',
  )
  // Only deliveries that are repeatedly sent again by hand have that many.
  if (delivery.attempts >= ATTEMPTS_KEPT) await dropOldAttempts(sql, delivery)
  const [row] = rows
  return row && !options.heldUntil
    ? { status: row.status, failures: row.failures, failingSince: row.failing_since }
    : null
}

/** Gives up a delivery that cannot be made. */
export async function recordGivenUp(sql: Sql, delivery: string, error: string, now: Date): Promise<void> {
  await sql.query(`update webhook_delivery set status = 'failed', error = $2, finished_at = $3 where id = $1`, [
    delivery,
    error,
    now,
  ])
}

/**
 * Inserts the attempt of the `recorded` delivery, of which an update returns the newest version: either the redaction
 * comes first and is seen here, or it waits for this transaction and finds the attempt (`redactDeliveries`).
 */
const INSERT_ATTEMPT = `
  insert into webhook_attempt (delivery_id, number, at, duration_ms, status_code, error, response)
  select id, $2, $3::timestamptz, $4::int, $5::int, case when redactions = $8 then $6::text end,
    case when redactions = $8 then $7::text end from recorded
  on conflict do nothing`

function attemptValues({ id, attempts, redactions }: AttemptedDelivery, outcome: AttemptOutcome): unknown[] {
  const { at, durationMs, statusCode, error, response } = outcome
  return [id, attempts + 1, at, durationMs, statusCode, error, response, redactions]
}

async function dropOldAttempts(sql: Sql, { id, attempts }: AttemptedDelivery): Promise<void> {
  await sql.query('delete from webhook_attempt where delivery_id = $1 and number <= $2', [
    id,
    attempts + 1 - ATTEMPTS_KEPT,
  ])
}
