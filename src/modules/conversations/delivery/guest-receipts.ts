import { DELIVERY_COLUMNS } from '../../messages/message-columns.js'
import { selectList } from '../../../platform/db/columns.js'
import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import { NotFound } from '../../../platform/errors.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { applyReport } from './change-delivery.js'

const MARKED_MAX = 500
/** Receipts within this time are applied together: one write per conversation, not per message. */
const GATHER_MS = 250

/** Marks deliveries as read up to a message, whatever touchpoint sent them (4.7). */
export function markReadUpTo(change: ConversationChange, position: number, since: Date | null): Promise<void> {
  return mark(change, { position, since, status: 'read', from: `d.status in ('sent', 'delivered')` })
}

/** Marks the newest deliveries only: a guest who returns after a long time received the older ones long ago. */
async function mark(
  change: ConversationChange,
  { position, since, status, from }: Receipt & { status: 'read' | 'delivered'; from: string },
): Promise<void> {
  const rows = await change.sql.query<Record<string, unknown>>(
    reading(`select ${selectList(DELIVERY_COLUMNS, 'd')} from delivery d join message m on m.id = d.message_id
     where d.conversation_id = $1 and m.position <= $2 and ($3::timestamptz is null or m.created_at >= $3) and ${from} order by m.position desc limit ${MARKED_MAX}`),
    [change.conversation.id, position, since],
    `deliveries-${status}`,
  )
  for (const row of rows.toReversed()) applyReport(change, camelRow<DeliveryRow>(row), { status })
}

interface Receipt {
  position: number
  since: Date | null
}

export interface GuestReceiptsOptions {
  writer: ConversationWriter
  log: Logger
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/**
 * Marks messages as delivered by the web (4.7) when a guest's socket accepts or a guest fetches them. Receipts are
 * buffered in memory: those lost in a crash are recorded when the guest returns.
 */
export class GuestReceipts {
  readonly #positions = new Map<string, Receipt>()
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> = Promise.resolve()

  constructor(private readonly options: GuestReceiptsOptions) {}

  /**
   * @param position position of the last message received
   * @param since when the guest began to receive the conversation; null if the guest received all of it
   */
  note(conversation: string, position: number, since: Date | null): void {
    const noted = this.#positions.get(conversation)
    if (position <= (noted?.position ?? 0)) return
    const isAll = since === null || noted?.since === null
    this.#positions.set(conversation, { position, since: isAll ? null : since })
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#flushing = this.#flush()
    }, GATHER_MS).unref()
  }

  /** Applies all buffered receipts. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    await this.#flushing
    await this.#flush()
  }

  async #flush(): Promise<void> {
    const noted = [...this.#positions]
    this.#positions.clear()
    const { log, systemContext, writer } = this.options
    const marked = noted.map(async ([conversation, receipt]) => {
      const system = systemContext(`receipts:${conversation}`)
      const waits = await system.reads.query(WAITS, [conversation], 'waits-for-guest')
      if (waits.length === 0) return
      await writer.run(system, conversation, (change) =>
        mark(change, { ...receipt, status: 'delivered', from: `d.touchpoint = 'web' and d.status = 'sent'` }),
      )
    })
    for (const { status, reason } of (await Promise.allSettled(marked)) as PromiseRejectedResult[]) {
      // The conversation was deleted, or the database is unavailable: the next receipt covers this one.
      if (status === 'rejected' && !(reason instanceof NotFound))
        log.warn({ err: reason }, 'failed to mark messages as delivered to a guest')
    }
  }
}

const WAITS = `
select 1 from delivery where conversation_id = $1 and touchpoint = 'web' and status = 'sent' limit 1`
