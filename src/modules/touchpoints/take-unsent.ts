import { inboundNamedSql } from '../../platform/db/erased-name.js'
import { LockMode } from '@mikro-orm/core'
import { NotFound } from '../../platform/errors.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import { removeAttachment } from '../attachments/attachment-writes.js'
import { Attachment } from '../attachments/attachment.js'
import { readUse } from '../conversations/messages/attachment-uses.js'
import { deleteMessage } from '../conversations/messages/edit-message.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { holdsOnAttachment } from '../holds/held.js'
import { noteUnnamed } from '../services/service-check.js'
import type { TouchpointService } from './adapter.js'
import { isKnown } from './inbound-content.js'
import type { InboundMessageReceiver } from './inbound-message-receiver.js'

export interface TakeUnsentOptions {
  sql: Sql
  clock: Clock
  inbox: InboundMessageReceiver
  writer: ConversationWriter
  transact: Transact
  systemContext: (requestId: string) => Context
}

/** The reason for which a message that arrives after it was taken back is ignored. */
const TAKEN_BACK = 'its sender took it back before it arrived'
/** The name of an unsend of a message that the provider's id does not lead to any more. */
const NOT_HERE = 'an unsend of a message that is not here'

interface Made {
  id: string
  fileId: string | null
}

/**
 * Deletes what was made of a message that its sender took back, with its copies in merged conversations and its files, unless
 * these are needed elsewhere. What is held is kept where holds keep it. A message that arrives later is ignored. May be repeated.
 */
export async function takeUnsent(
  options: TakeUnsentOptions,
  service: TouchpointService,
  providerId: string,
): Promise<void> {
  const { clock, inbox, sql, systemContext, writer } = options
  if (!(await isKnown(sql, service.id, providerId))) {
    const ignored = await inbox.ignore(service, providerId, TAKEN_BACK)
    if (!ignored.isRepeat) await noteUnnamed(sql, service.id, [NOT_HERE], clock.now())
    return
  }
  const system = systemContext(`unsent:${providerId}`)
  // A merge that goes on meanwhile makes further copies, which are found then.
  for (;;) {
    const made = await sql.query<Made>(MADE, [service.id, providerId], 'made-of-unsent')
    if (made.length === 0) return
    // Before the messages, by which a repeat finds them.
    const files = new Set(made.flatMap(({ fileId }) => fileId ?? []))
    for (const file of files) await removeFile(options, system, { file, messages: made.map(({ id }) => id) })
    for (const { id } of made) await deleteMessage(writer, system, id).catch(ignoreGone)
  }
}

/** Removes a file of a consumer, unless another message, one that is to come, a file of the organization or a hold keeps it. */
async function removeFile(
  { transact }: TakeUnsentOptions,
  system: Context,
  { file: id, messages }: { file: string; messages: string[] },
): Promise<void> {
  await transact(system, async (tx) => {
    const attachment = await tx.em.findOne(Attachment, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!attachment || attachment.contactId === null) return
    const isNeeded = (await readUse(tx, id, system.now(), messages)) !== null
    if (isNeeded || (await holdsOnAttachment(tx, attachment)).length > 0) return
    await removeAttachment(tx, attachment)
  })
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof NotFound)) throw error
}

/** Latest copies first, since the deletion of one also deletes those before it. */
const MADE = `
select m.id, m.meta ->> 'fileId' as "fileId" from ${inboundNamedSql('$1', '$2')} i
cross join unnest(array_prepend(i.message_id, i.further_ids)) as n(id)
join message m on (m.id = n.id or m.original_id = n.id) and m.role = 'contact'
order by m.version desc`
