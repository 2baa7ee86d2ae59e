import { Masker } from '../../platform/masking/masker.js'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { storableText } from '../../platform/json.js'
import { mayHaveMessages, withoutToken, type AnswerMessages } from './answers.js'
import {
  recordDelivered,
  recordFailed,
  recordGivenUp,
  type AttemptOutcome,
  type EndpointHealth,
} from './attempt-store.js'
import {
  readPartitionHead,
  RedactedMeanwhile,
  releasePartition,
  removePartition,
  setAside,
  type DueDelivery,
  type PartitionHead,
  type PartitionLease,
} from './delivery-store.js'
import { redactSecrets } from '../services/redact-secrets.js'
import { deliveryBody, type BodyDependencies } from './delivery-body.js'
import type { OutboundAnswer, OutboundHttp } from '../../platform/outbound/outbound-http.js'
import { probeDelayMs, retryAfterMs, retryDelayMs, RETRY_WINDOW_MS } from '../../platform/outbound/retries.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { signatureHeaders } from './signing.js'
import { formatOf } from './webhook-format.js'
import { withSecretsNamed } from './webhook-params.js'
import { changeStatus } from './webhook-status.js'
import { tracing } from '../../platform/tracing/tracing.js'

export interface DeliveryDependencies extends BodyDependencies {
  http: OutboundHttp
  transact: Transact
  answerMessages: AnswerMessages
  sealer: Sealer
}

/** Consecutive deliveries of one partition before others get their turn. */
const TURNS_MAX = 20
const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 262_144
const RESPONSE_CHARS_KEPT = 1_000
/** Maximum of an answer that is no messages: about what comes at once. */
const OTHER_BYTES_MAX = 65_536
/** Refusals of one event, over about 3 s, until later ones of its partition no longer wait for it. */
const SET_ASIDE_AFTER = 3
/** A receiver that is there and is sent too much: what it asks to wait for is no failure of its own, and no matter of this event. */
const TOO_MANY = 429
/** Consecutive failed attempts until an endpoint counts as failing … */
const FAILING_AFTER = 10
/** … and how long until it counts as paused. */
const PAUSED_AFTER_MS = 3_600_000

export interface HeldPartition extends PartitionLease {
  runner: number
  /** False once another runner may have leased the partition, and while this one stops. */
  isHeld(): boolean
  /** Runs what only waits for the receiver, and is measured. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>
}

/**
 * Makes the deliveries of a leased partition in order: a failed one blocks those after it until it is delivered or,
 * after 24 hours, given up. One that is answered, but refused, three times is moved to a partition of its own, so that
 * a receiver that fails at one event still gets the others. Finally removes or releases the partition. Records are
 * committed asynchronously: a delivery whose record is lost is repeated with the same id and bytes.
 */
export async function deliverPartition(
  dependencies: DeliveryDependencies,
  ctx: Context,
  lease: HeldPartition,
): Promise<void> {
  const { runner } = lease
  const sql = ctx.database.asyncCommit
  for (let turn = 0; turn < TURNS_MAX && lease.isHeld(); turn++) {
    const head = await readPartitionHead(sql, dependencies.sealer, lease, runner)
    if (!head) return
    if (!head.delivery) {
      if (await removePartition(sql, lease, runner, head.version)) return
      continue
    }
    if (head.status === 'unverified' || head.status === 'inactive') break
    // Another partition was told to wait meanwhile.
    if (head.heldUntil && head.heldUntil > ctx.now()) return releasePartition(sql, lease, runner, head.heldUntil)
    const delivering = { ...head, delivery: head.delivery }
    const { attempts, traceparent } = head.delivery
    const attributes = { 'switchboard.service': lease.serviceId, 'switchboard.attempt': attempts + 1 }
    const retryAt = await tracing()
      .root('webhook attempt', attributes, traceparent, () => deliver(dependencies, ctx, lease, delivering))
      .catch(readAgain)
    if (retryAt) return releasePartition(sql, lease, runner, retryAt)
  }
  await releasePartition(sql, lease, runner, ctx.now())
}

/** Has content that was redacted after it was read read again, before it is sent. */
function readAgain(error: unknown): null {
  if (error instanceof RedactedMeanwhile) return null
  throw error
}

type Delivering = PartitionHead & { delivery: DueDelivery }

/** @returns when to try again; null when this delivery is over */
async function deliver(
  dependencies: DeliveryDependencies,
  ctx: Context,
  lease: HeldPartition,
  head: Delivering,
): Promise<Date | null> {
  const { delivery } = head
  const { serviceId } = lease
  const whole = await deliveryBody(dependencies, ctx, delivery, head)
  if (whole === null) {
    await recordGivenUp(ctx.database.asyncCommit, delivery.id, 'the event is no longer in the log', ctx.now())
    return null
  }
  const body = head.mask ? JSON.stringify(await new Masker(head.mask).data(JSON.parse(whole))) : whole
  const attempt = await lease.whileWaiting(() => post(dependencies.http, ctx, head, body))
  const { id, attempts, pendingSince, redactions } = delivery
  const attempted = { id, serviceId, attempts, pendingSince, redactions }
  if (attempt.outcome.error === null) {
    // Before the delivery is recorded: if the process dies here, it is repeated with the same id.
    const reply = await dependencies.answerMessages(ctx, { serviceId, head, answer: attempt.answer! })
    await recordDelivered(ctx.database.asyncCommit, attempted, attempt.outcome, reply)
    await revive(dependencies, ctx, serviceId, head)
    return null
  }
  // Aborted because this server stops: not the receiver's failure.
  if (attempt.answer === null && !lease.isHeld()) return ctx.now()
  tracing().failed(attempt.outcome.statusCode === null ? 'no_answer' : String(attempt.outcome.statusCode))
  return afterFailure(dependencies, ctx, { serviceId, head, attempted, ...attempt })
}

interface Attempt {
  outcome: AttemptOutcome
  answer: OutboundAnswer | null
}

async function post(http: OutboundHttp, ctx: Context, head: Delivering, body: string): Promise<Attempt> {
  const { params, previousSecret, previousUntil, delivery } = head
  const at = ctx.now()
  const startedAt = performance.now()
  const isOverlapping = previousSecret !== null && previousUntil !== null && previousUntil > at
  const secrets = isOverlapping ? [params.secret, previousSecret] : [params.secret]
  const signatures = signatureHeaders({ id: delivery.eventId, sentAt: at, body, secrets })
  const headers = { 'content-type': 'application/json', ...signatures }
  // A receiver may repeat what it was sent.
  const kept = (text: string, isCut = false): string =>
    storableText(redactSecrets(text, { ...withSecretsNamed(params), previousSecret }, isCut), RESPONSE_CHARS_KEPT)
  const took = (): number => Math.round(performance.now() - startedAt)
  try {
    const answer = await http.request({
      method: 'POST',
      url: params.url,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      // What a receiver sends without an end costs memory.
      bytesMax: (status, beginning) =>
        isTakenStatus(status) && mayHaveMessages(beginning.toString('latin1', 0, 1_024))
          ? ANSWER_BYTES_MAX
          : OTHER_BYTES_MAX,
    })
    const { status } = answer
    const isTaken = isTakenStatus(status)
    const isRedirect = status >= 300 && status < 400
    const error = isTaken ? null : `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`
    const response = kept(withoutToken(answer.body), answer.isCut)
    return { answer, outcome: { at, durationMs: took(), statusCode: status, error, response } }
  } catch (error) {
    const outcome = {
      at,
      durationMs: took(),
      statusCode: null,
      error: kept(messageOf(error)),
      response: null,
    }
    return { answer: null, outcome }
  }
}

const isTakenStatus = (status: number): boolean => status >= 200 && status < 300

export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function afterFailure(
  dependencies: DeliveryDependencies,
  ctx: Context,
  failure: Attempt & { serviceId: string; head: Delivering; attempted: Parameters<typeof recordFailed>[1] },
): Promise<Date | null> {
  const { outcome, answer, serviceId, head, attempted } = failure
  const now = ctx.now()
  const { triedSince } = head.delivery
  const isOver = triedSince !== null && now.getTime() - triedSince.getTime() >= RETRY_WINDOW_MS
  const requestedMs = retryAfterMs(answer?.headers['retry-after'], now)
  const delay = Math.max(requestedMs ?? 0, retryDelayMs(isOver ? 1 : attempted.attempts + 1))
  const retryAt = new Date(now.getTime() + delay)
  const isOfNotices = formatOf(head.params) !== 'json'
  const isBusy = outcome.statusCode === TOO_MANY && (requestedMs !== null || isOfNotices)
  const heldUntil = isBusy ? retryAt : null
  const health = await recordFailed(ctx.database.asyncCommit, attempted, outcome, { isOver, heldUntil })
  if (health) await slowDown(dependencies, ctx, { serviceId, head, health, error: outcome.error! })
  // The receiver answers but refuses this event: later ones are delivered without it. Who takes notices counts all of them alike.
  if (isOver || answer === null || attempted.attempts + 1 < SET_ASIDE_AFTER || (isBusy && isOfNotices)) return retryAt
  await setAside(ctx.database, { delivery: attempted.id, serviceId, retryAt })
  return null
}

/**
 * Marks an endpoint that keeps failing: it gets one delivery at a time, at growing intervals, and an event is emitted.
 */
async function slowDown(
  { transact }: DeliveryDependencies,
  ctx: Context,
  failure: { serviceId: string; head: Delivering; health: EndpointHealth; error: string },
): Promise<void> {
  const { serviceId: service, head, error } = failure
  const { status, failures, failingSince } = failure.health
  if (failures < FAILING_AFTER) return
  const { shownUrl: url } = head
  const now = ctx.now().getTime()
  const failingForMs = now - failingSince.getTime()
  const probeAt = new Date(now + probeDelayMs(failingForMs))
  await ctx.database.asyncCommit.query('update webhook set probe_at = $2 where service_id = $1', [service, probeAt])
  if (status === 'active') {
    await changeStatus(ctx, transact, { service, from: ['active'], to: 'failing', url, error })
  } else if (status === 'failing' && failingForMs >= PAUSED_AFTER_MS) {
    await changeStatus(ctx, transact, { service, from: ['failing'], to: 'paused', url, error })
  }
}

async function revive(
  { transact }: DeliveryDependencies,
  ctx: Context,
  service: string,
  head: Delivering,
): Promise<void> {
  if (head.status !== 'failing' && head.status !== 'paused') return
  await changeStatus(ctx, transact, { service, from: ['failing', 'paused'], to: 'active', url: head.shownUrl })
}
