import type { Touchpoint } from '../touchpoint-traits.js'
import type { Context } from '../../platform/context.js'
import type { Database } from '../../platform/db/database.js'
import { NotFound } from '../../platform/errors.js'
import { changeDelivery, findDelivery, type DeliveryReport } from '../conversations/delivery/change-delivery.js'
import type { ConversationChange } from '../conversations/state/conversation-change.js'
import { inMergedConversation, isOfMerged, requireUnmerged } from '../conversations/state/merged-conversation.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { LeasedJob } from '../../platform/jobs/job.js'
import { storableText } from '../../platform/json.js'
import type { DeliveryStatus } from '../messages/delivery.js'
import { blockAddress, unblockSentAddress } from './block-address.js'

export interface DeliveryLogOptions {
  database: Database
  writer: ConversationWriter
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/** Identifies a delivery by its own id, or by the id that the provider of a service gave it. */
export type DeliveryName = { delivery: string } | { service: string; providerId: string }

const PROVIDER_ID_CHARS_MAX = 1_000
const REASON_CHARS_MAX = 500

/** Removes characters that PostgreSQL refuses from a provider's text, so that the reported outcome can be stored. */
function storable(report: DeliveryReport): DeliveryReport {
  const { reason, providerId } = report
  return {
    ...report,
    ...(typeof reason === 'string' && { reason: storableText(reason, REASON_CHARS_MAX) }),
    ...(typeof providerId === 'string' && { providerId: storableText(providerId, PROVIDER_ID_CHARS_MAX) }),
  }
}

/** Maximum number of deliveries that one watermark updates. */
const UP_TO_MAX = 500

/**
 * Records the outcomes of deliveries: from sending, status callbacks, bounces and read receipts. Reports may be
 * repeated, late or out of order.
 */
export class DeliveryLog {
  constructor(private readonly options: DeliveryLogOptions) {}

  /** @returns false when there is no such delivery */
  async report(name: DeliveryName, report: DeliveryReport, options: { job?: LeasedJob } = {}): Promise<boolean> {
    const [found] = await this.#find(name)
    if (!found) return false
    const { database, systemContext } = this.options
    // First: a report that is interrupted comes again.
    if (report.code === 'blocked') await blockAddress(database, found.id, systemContext(found.id).now())
    await this.#note(found.conversation_id, [found.id], storable(report), options.job)
    if (report.status === 'sent' && found.touchpoint === 'email') await unblockSentAddress(database, found.id)
    return true
  }

  /** Stops a delivery: it becomes `maybeSent` if it had been handed over, else `failed`. */
  async giveUp(delivery: string, reason: string): Promise<void> {
    const [found] = await this.options.database.query<{ status: DeliveryStatus }>(
      'select status from delivery where id = $1',
      [delivery],
      'delivery-status',
    )
    const status = found?.status === 'sending' ? 'maybeSent' : 'failed'
    if (found?.status === 'sending' || found?.status === 'queued') await this.report({ delivery }, { status, reason })
  }

  /** Notes on a delivery that was made why the consumer does not see an edit of its message; null when it does. */
  async noteEdit(delivery: string, reason: string | null): Promise<void> {
    const { database, systemContext, writer } = this.options
    const [found] = await database.query<{ conversation: string; reason: string | null }>(
      'select conversation_id as conversation, reason from delivery where id = $1',
      [delivery],
      'delivery-reason',
    )
    const said = reason === null ? null : storableText(reason, REASON_CHARS_MAX)
    if (!found || found.reason === said) return
    const note = async (change: ConversationChange): Promise<void> => {
      const known = await findDelivery(change, delivery)
      if (known) change.changeDelivery({ ...known, reason: said })
      else requireUnmerged(change.conversation)
    }
    const system = systemContext(`deliveries:${delivery}`)
    await ignoreGone(inMergedConversation(database, found.conversation, (id) => writer.run(system, id, note)))
  }

  /**
   * Applies a watermark: everything sent to the recipient by the service until `at` has at least this status.
   * @param settles false where the watermark is no proof that what may have been sent was
   */
  async reportUpTo(
    { service, recipient, at, settles = true }: { service: string; recipient: string; at: Date; settles?: boolean },
    status: Extract<DeliveryStatus, 'delivered' | 'read'>,
  ): Promise<number> {
    const earlier = ['sent', ...(status === 'read' ? ['delivered'] : []), ...(settles ? ['maybeSent'] : [])]
    const rows = await this.options.database.query<{ id: string; conversation_id: string }>(
      `with recursive line as (
         select t.conversation_id as id from touchpoint_thread t
         join contact_handle h on h.contact_id = t.contact_id and h.service_id = $1 and h.address = $2
         union select m.target_id from line l join conversation_merge m on m.origin_id = l.id)
       select d.id, d.conversation_id from line l
       join delivery d on d.conversation_id = l.id and d.service_id = $1 and d.recipient = $2
       where d.status = any($3::text[]) and d.updated_at <= $4 order by d.id limit ${UP_TO_MAX}`,
      [service, recipient, earlier, at],
      'deliveries-up-to',
    )
    for (const [conversation, found] of Map.groupBy(rows, (row) => row.conversation_id)) {
      await this.#note(
        conversation,
        found.map(({ id }) => id),
        { status },
      )
    }
    return rows.length
  }

  #find(name: DeliveryName): Promise<{ id: string; conversation_id: string; touchpoint: Touchpoint }[]> {
    const { database } = this.options
    if ('delivery' in name) {
      return database.query(
        'select id, conversation_id, touchpoint from delivery where id = $1',
        [name.delivery],
        'delivery-by-id',
      )
    }
    return database.query(
      'select id, conversation_id, touchpoint from delivery where service_id = $1 and provider_id = $2 order by id limit 1',
      [name.service, name.providerId],
      'delivery-by-provider',
    )
  }

  async #note(conversation: string, ids: readonly string[], report: DeliveryReport, job?: LeasedJob): Promise<void> {
    const { database, systemContext, writer } = this.options
    const note = async (change: ConversationChange): Promise<void> => {
      let isFound = false
      for (const id of ids) if (await changeDelivery(change, id, report)) isFound = true
      // Deliveries go with a merge: they are no longer where they were found.
      if (!isFound) requireUnmerged(change.conversation)
    }
    const system = systemContext(`deliveries:${ids[0]}`)
    await ignoreGone(inMergedConversation(database, conversation, (id) => writer.run(system, id, note, { job })))
  }
}

/** The conversation was deleted in the meantime, together with its deliveries; or the one into which it was merged. */
async function ignoreGone(written: Promise<unknown>): Promise<void> {
  await written.catch((error: unknown) => {
    if (!isOfMerged(error) && !(error instanceof NotFound)) throw error
  })
}
