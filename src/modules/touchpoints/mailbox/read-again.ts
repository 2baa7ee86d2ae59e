import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { NotFound, Unprocessable } from '../../../platform/errors.js'
import type { Transact } from '../../../platform/events/transact.js'
import { fetchRecord, recordNotFound } from '../../../platform/lists/fetch-record.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { serviceInactive } from '../../services/service-inactive.js'
import { Service } from '../../services/service.js'
import { ENTRY_COLUMNS, READ_AGAIN, type MailboxEntry } from './mailbox-entry.js'

interface Locked {
  serviceId: string
  state: MailboxEntry['state']
  isOfNow: boolean
  isMessageDeleted: boolean
}

const LOCK = `
select e.service_id, e.state, p.ended_at is null as is_of_now,
  e.message_id is not null and not exists (
    select from message m where m.id = e.message_id or m.original_id = e.message_id) as is_message_deleted
from mailbox_entry e join mailbox_epoch p on p.id = e.epoch_id where e.id = $1 for update of e`

/**
 * Has a mail read again, soon: one that could not be read or was too large, one that was left out as automatic or blocked, or one
 * whose reading failed, which is then not waited for. One that is about to be read stays so.
 * @throws NotFound; Unprocessable for a mail of another state, of a folder that is numbered anew, whose message was deleted
 *   since, or of a service that is inactive
 */
export async function readAgain(ctx: Context, transact: Transact, id: string): Promise<MailboxEntry> {
  return transact(ctx, async (tx) => {
    const rows = isId(id) ? await tx.query<Record<string, unknown>>(LOCK, [id]) : []
    if (!rows[0]) throw recordNotFound('MailboxEntry', id)
    const entry = camelRow<Locked>(rows[0])
    const service = await fetchRecord(ctx, Service, entry.serviceId, { em: tx.em }).catch((error: unknown) => {
      throw error instanceof NotFound ? recordNotFound('MailboxEntry', id) : error
    })
    requireReadable(entry)
    if (service.status === 'inactive') throw serviceInactive(service)
    // What failed is not another mail than before: only its turn comes sooner.
    const update =
      entry.state === 'listed'
        ? 'update mailbox_entry t set retry_at = null, reason = null, tries = 0 where t.id = $1'
        : `update mailbox_entry t set asked_of = t.state, state = 'listed', asked_at = $2, retry_at = null, reason = null,
             tries = 0, settled_at = null, missing_since = null where t.id = $1`
    const values = entry.state === 'listed' ? [id] : [id, ctx.now()]
    const [read] = await tx.query<Record<string, unknown>>(`${update} returning ${ENTRY_COLUMNS}`, values)
    return camelRow<MailboxEntry>(read!)
  })
}

function requireReadable({ state, isOfNow, isMessageDeleted }: Locked): void {
  const refuse = (why: string): Unprocessable =>
    new Unprocessable(why, { reason: 'NOT_READ_AGAIN', field: 'id', state })
  if (!isOfNow) throw refuse('the folder of the mail is not read any more, or was numbered anew')
  if (state === 'listed') return
  if (!READ_AGAIN.includes(state)) {
    throw refuse(`a mail that is ${state} is not read again; these are: ${READ_AGAIN.join(', ')}, and what failed`)
  }
  // What an erasure removed must not come back.
  if (isMessageDeleted) throw refuse('the message that was made of the mail is deleted')
}
