import { TOUCHPOINT_EDIT, TOUCHPOINT_REMOVE } from '../conversations/delivery/amend.js'
import { RetryLater } from '../../platform/jobs/job.js'
import type { JobKind } from '../../platform/jobs/job-type.js'
import { retryDelayMs } from '../../platform/outbound/retries.js'
import type { DeliveryStatus } from '../messages/delivery.js'
import { hidingSecrets } from '../services/hide-secrets.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, type TouchpointService } from './adapter.js'
import type { DeliverOptions } from './deliver-job.js'
import { readOutgoing } from './outgoing-message.js'
import { readOpenedService } from './touchpoint-service.js'

type Payload<Type> = Type extends { create(payload: infer P, ...more: never[]): unknown } ? P : never

const TRIES_MAX = 8
const SHOWN: ReadonlySet<DeliveryStatus> = new Set(['sent', 'delivered', 'read'])
const SEND_MS_MAX = 60_000

/**
 * Handles `touchpoint.edit`. Where the provider does not take it, the delivery says that the consumer still sees what the message
 * was before.
 */
export function editJob(options: DeliverOptions): JobKind<Payload<typeof TOUCHPOINT_EDIT>> {
  const { adapters, deliveries, systemContext } = options
  return {
    isOutbound: true,
    async handler({ id: job, payload, attempts }) {
      const { delivery: id, message } = payload
      const found = await readOutgoing(systemContext(job), options, id, message)
      const adapter = adapters.find(({ type }) => type === found?.outgoing?.service.type)
      // Jobs of one key come in order, but a merge is between that of the delivery and this one.
      if (found?.delivery.status === 'sending' && attempts < TRIES_MAX)
        throw new RetryLater('the message is being sent', retryDelayMs(attempts))
      // Of what failed or is in doubt, nobody knows what the consumer sees.
      if (!found?.outgoing || !adapter?.edit || !SHOWN.has(found.delivery.status)) return
      const { outgoing } = found
      const problem = await amend(attempts, outgoing.service, (signal) => adapter.edit!({ ...outgoing, id, signal }))
      await deliveries.noteEdit(id, problem && `the consumer still sees it as it was before: ${problem}`)
    },
  }
}

/** Handles `touchpoint.remove`. What the provider does not remove is told by the log: the message is gone here. */
export function removeJob(options: DeliverOptions): JobKind<Payload<typeof TOUCHPOINT_REMOVE>> {
  const { adapters, log, sealer, sql } = options
  return {
    isOutbound: true,
    async handler({ payload: { service: id, recipient, providerIds }, attempts }) {
      const [{ type } = { type: '' }] = await sql.query<{ type: string }>('select type from service where id = $1', [
        id,
      ])
      const adapter = adapters.find((each) => each.type === type)
      const service = adapter?.remove && (await readOpenedService({ sql, sealer }, type, id))
      if (!service) return
      const problem = await amend(attempts, service, (signal) =>
        adapter.remove!({ service, recipient, providerIds, signal }),
      )
      if (problem !== null) log.warn({ service: id, problem }, 'a deleted message stays at the provider')
    },
  }
}

/** @returns why the provider does not do it, null if it did. @throws RetryLater: it may be repeated, also when its outcome is unknown */
async function amend(
  attempts: number,
  { params }: TouchpointService,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<string | null> {
  try {
    await hidingSecrets(params, () => work(AbortSignal.timeout(SEND_MS_MAX)))
    return null
  } catch (error) {
    if (error instanceof DeliveryRefused) return error.message
    if (!(error instanceof DeliveryFailed) && !(error instanceof DeliveryUnknown)) throw error
    if (attempts >= TRIES_MAX) return error.message
    const laterMs = error instanceof DeliveryFailed ? error.retryAfterMs : null
    throw new RetryLater(error.message, laterMs ?? retryDelayMs(attempts))
  }
}
