import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { TOUCHPOINT_REMOVE } from '../conversations/delivery/amend.js'
import { deliveryKey } from '../conversations/delivery/deliver.js'
import type { DeliverPayload } from '../conversations/delivery/deliver.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { addJobs, LeaseLost, RetryLater, type LeasedJob } from '../../platform/jobs/job.js'
import type { JobHandler } from '../../platform/jobs/job-type.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { DeliveryRow } from '../messages/delivery.js'
import { RETRY_WINDOW_MS, retryDelayMs } from '../../platform/outbound/retries.js'
import type { Transact } from '../../platform/events/transact.js'
import { hidingSecrets } from '../services/hide-secrets.js'
import { noteProblem } from '../services/service-problem.js'
import { openParams, type StoredParams } from '../services/stored-params.js'
import {
  DeliveryFailed,
  DeliveryRefused,
  DeliveryUnknown,
  ServiceRefused,
  type DeliveryResult,
  type TouchpointAdapter,
  type TouchpointService,
} from './adapter.js'
import type { DeliveryLog } from './delivery-log.js'
import { readOutgoing, type Prepared } from './outgoing-message.js'

export interface DeliverOptions {
  sql: Sql
  clock: Clock
  log: Logger
  deliveries: DeliveryLog
  links: AttachmentLinks
  sealer: Sealer
  adapters: readonly TouchpointAdapter[]
  transact: Transact
  systemContext: (requestId: string) => Context
}

/** Longer than any adapter takes; after that the outcome is unknown. */
const SEND_MS_MAX = 60_000
const SETTLE_MS_MAX = 40_000

/**
 * Handles a `touchpoint.deliver` job. The delivery is committed as `sending` before the provider is called and stays so
 * until its answer is committed: a delivery found as `sending` was interrupted when a process died or lost its lease.
 * It is repeated only if the provider recognizes repeats; otherwise it becomes `maybeSent`, and an agent decides.
 */
export function createDeliverer(options: DeliverOptions): JobHandler<DeliverPayload> {
  const { adapters, clock, deliveries, log, sql, systemContext } = options

  return async (job) => {
    const { delivery: id, since } = job.payload
    const found = await readOutgoing(systemContext(job.id), options, id)
    if (!found) return
    const { delivery, outgoing } = found
    if (delivery.status !== 'queued' && delivery.status !== 'sending') return
    const adapter = outgoing && adapters.find(({ type }) => type === outgoing.service.type)
    if (!outgoing || !adapter) {
      const reason = outgoing ? NO_ADAPTER : 'the service is no longer active, or the contact was deleted'
      await deliveries.report({ delivery: id }, { status: 'failed', reason }, { job })
      return
    }
    if (delivery.status === 'sending' && !adapter.deduplicates) {
      const reason = 'the server stopped while the message was being handed over'
      const found = await settle(options, adapter, { ...outgoing, id })
      const report = found
        ? { status: found.status, providerId: found.providerId }
        : { status: 'maybeSent' as const, reason }
      await deliveries.report({ delivery: id }, report, { job })
      return
    }
    const attempt = delivery.attempts + 1
    // A change of it after the first attempt must not make two mails of one message.
    const signature = attempt > 1 ? outgoing.signature : ((await adapter.signature?.({ ...outgoing, id })) ?? null)
    await claim(sql, { ...delivery, signature }, clock.now(), job)
    const signed = { ...outgoing, signature, id }
    const tried = await send(adapter, { ...signed, attempt })
    const proof = tried.error instanceof DeliveryUnknown ? await settle(options, adapter, signed) : null
    const sent: Sent = proof ? { result: proof } : tried
    if (adapter.provesService !== false) await noteUse(options, job.id, outgoing.service, sent.error)
    if (sent.error) log.warn({ err: sent.error, delivery: id, attempt, job: job.id }, 'failed to confirm a delivery')
    const settled = outcomeOf(sent, { attempt, since: new Date(since), now: clock.now() })
    const isThere = await record(deliveries, id, settled, job)
    const { providerIds } = sent.result ?? {}
    if (!isThere && providerIds && adapter.remove) {
      // The message was deleted while it was sent.
      const { recipient, service } = outgoing
      const payload = { service: service.id, recipient, providerIds: [...providerIds] }
      const key = deliveryKey(delivery.conversationId, delivery.touchpoint)
      await addJobs(sql, [TOUCHPOINT_REMOVE.create(payload, { key, share: service.id })], clock)
    }
    if (settled.retryInMs !== null) throw new RetryLater(settled.report.reason!, settled.retryInMs)
  }
}

/** Notes whether the provider takes the service, which the use of it has told: one that is failing and is taken again is in order. */
export async function noteUse(
  { log, sealer, systemContext, transact }: Pick<DeliverOptions, 'log' | 'sealer' | 'systemContext' | 'transact'>,
  requestId: string,
  { id: service, status, params }: TouchpointService,
  error: unknown,
): Promise<void> {
  const problem = error instanceof ServiceRefused ? error.message : null
  if (problem === null && (error !== undefined || status !== 'failing')) return
  // What its answer says of a token that has been replaced meanwhile is not said of the new one.
  const isCurrent = (stored: StoredParams): boolean => isDeepStrictEqual(openParams(sealer, stored), params)
  try {
    await noteProblem(systemContext(requestId), transact, { service, problem, isCurrent })
  } catch (failure) {
    // The outcome of the delivery must be recorded.
    log.warn({ err: failure, service }, 'failed to note whether a service is failing')
  }
}

/**
 * Gives up a delivery that keeps failing for reasons on our side: agents see it as failed, and later deliveries are
 * made.
 */
export async function giveUpDelivery(
  deliveries: DeliveryLog,
  delivery: string | undefined,
  error: unknown,
): Promise<void> {
  if (delivery === undefined) return
  const reason = `given up: ${error instanceof Error ? error.message : String(error)}`
  await deliveries.giveUp(delivery, reason)
}

const NO_ADAPTER = 'no adapter is installed for this type of service'

type Sent = { result: DeliveryResult; error?: undefined } | { result?: undefined; error: Error }

async function send(adapter: TouchpointAdapter, outgoing: Prepared & { id: string; attempt: number }): Promise<Sent> {
  try {
    const signal = AbortSignal.timeout(SEND_MS_MAX)
    return { result: await hidingSecrets(outgoing.service.params, () => adapter.send({ ...outgoing, signal })) }
  } catch (error) {
    if (error instanceof DeliveryRefused || error instanceof DeliveryFailed) return { error }
    const unknown = error instanceof Error ? error : new Error(String(error))
    if (!adapter.deduplicates) return { error: new DeliveryUnknown(unknown.message, { cause: unknown }) }
    return { error: new DeliveryFailed(unknown.message) }
  }
}

/** Asks the adapter for a proof that the message was handed over. */
async function settle(
  { log }: DeliverOptions,
  adapter: TouchpointAdapter,
  outgoing: Prepared & { id: string },
): Promise<DeliveryResult | null> {
  try {
    const signal = AbortSignal.timeout(SETTLE_MS_MAX)
    const { params } = outgoing.service
    return (await hidingSecrets(params, async () => adapter.settle?.({ ...outgoing, signal }))) ?? null
  } catch (error) {
    log.warn({ err: error, delivery: outgoing.id }, 'failed to find out whether a message was handed over')
    return null
  }
}

/**
 * Records the outcome, and ends the job if nothing is left to do. What the provider said counts even if another runner has taken
 * the job meanwhile, which can only guess; a wish to repeat does not, since the other may be repeating already.
 * @returns false when there is no such delivery any more
 */
async function record(
  deliveries: DeliveryLog,
  delivery: string,
  { report, retryInMs }: Outcome,
  job: LeasedJob,
): Promise<boolean> {
  if (retryInMs !== null) return deliveries.report({ delivery }, report)
  try {
    return await deliveries.report({ delivery }, report, { job })
  } catch (error) {
    if (error instanceof LeaseLost && report.status !== 'maybeSent') await deliveries.report({ delivery }, report)
    throw error
  }
}

/** Marks the delivery as handed over. @throws LeaseLost when another runner has taken it */
async function claim(
  sql: Sql,
  { id, status, attempts, signature }: DeliveryRow & { signature: string | null },
  now: Date,
  job: LeasedJob,
): Promise<void> {
  // Replies of the consumer by this touchpoint go to the conversation that wrote last. Of a copy, it is the contact of the
  // merged conversation to whose address it may go.
  const claimed = await sql.query(
    `with claimed as (
       update delivery set status = 'sending', attempts = attempts + 1, updated_at = $4, signature = $5
       where id = $1 and status = $2 and attempts = $3 returning conversation_id, message_id, touchpoint, service_id
     ), thread as (
       insert into touchpoint_thread (contact_id, touchpoint, conversation_id, service_id)
       select distinct c.contact_id, d.touchpoint, d.conversation_id, s.id from claimed d
       join message m on m.id = d.message_id and not m.is_backchannel
       join conversation c on c.id in (d.conversation_id, m.origin_id)
       left join service s on s.id = d.service_id
       where c.contact_id is not null and not exists (
         select 1 from touchpoint_thread apart where apart.conversation_id = d.conversation_id and apart.is_apart)
       on conflict (contact_id, touchpoint, is_apart) do update
       set conversation_id = excluded.conversation_id, service_id = excluded.service_id
       where (touchpoint_thread.conversation_id, touchpoint_thread.service_id)
         is distinct from (excluded.conversation_id, excluded.service_id)
     )
     select 1 from claimed`,
    [id, status, attempts, now, signature],
    'claim-delivery',
  )
  if (claimed.length === 0) throw new LeaseLost(job)
}

interface Outcome {
  report: Parameters<DeliveryLog['report']>[1]
  /** Null when nothing is left to do. */
  retryInMs: number | null
}

function outcomeOf(
  { result, error }: Sent,
  { attempt, since, now }: { attempt: number; since: Date; now: Date },
): Outcome {
  if (result) {
    const { providerId, status, segments, copies } = result
    const report = { status, providerId, segments: segments ?? null, ...(copies && { copies }) }
    return { report, retryInMs: null }
  }
  const reason = error.message
  if (error instanceof DeliveryRefused) {
    const { code, copies } = error
    return { report: { status: 'failed', reason, code, ...(copies && { copies }) }, retryInMs: null }
  }
  if (!(error instanceof DeliveryFailed)) return { report: { status: 'maybeSent', reason }, retryInMs: null }
  if (now.getTime() - since.getTime() > RETRY_WINDOW_MS) {
    return { report: { status: 'failed', reason: `given up: ${reason}` }, retryInMs: null }
  }
  return { report: { status: 'queued', reason }, retryInMs: error.retryAfterMs ?? retryDelayMs(attempt) }
}
