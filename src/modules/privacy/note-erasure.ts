import type { Contact } from '../contacts/contact.js'
import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { ContactErasure } from './contact-erasure.js'
import { lineOf } from './erasure-lines.js'

declare module '../../platform/events/event.js' {
  interface EventTypes {
    /** The erasure of a contact began. `line` is to be kept elsewhere: a restore of an older backup needs it. */
    'contact.erased': { id: string; organization: string; erasure: string; reason: string; line: string }
  }
}

/**
 * Records the erasure of a locked contact, and tells of it when it begins. One that has begun, that a hold blocks or that a
 * restore asks for, goes on in its record: of each contact there is one at a time.
 */
export async function noteErasure(
  ctx: Context,
  tx: WriteTx,
  { id: contactId, organizationId, org1, org2, org3, erasingAt }: Contact,
  { reason, status, known }: Pick<ContactErasure, 'reason' | 'status' | 'known'>,
): Promise<ContactErasure> {
  const begun = await tx.em.findOne(ContactErasure, {
    contactId,
    status: { $in: ['requested', 'blocked', 'withdrawing'] },
  })
  if (begun?.status === status) return begun
  const erasure =
    begun ??
    tx.em.create(ContactErasure, {
      id: ctx.newId(),
      organizationId,
      org1,
      org2,
      org3,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
      version: 1,
      contactId,
      reason,
      status,
      conversations: 0,
      messages: 0,
      forwards: 0,
      attachments: 0,
      notes: 0,
      finishedAt: null,
      known,
      pending: [],
    })
  // Of one that was blocked on its way, the contact is emptied: what it was known by is not known any more.
  const isOnItsWay = begun !== null && erasingAt !== null
  Object.assign(erasure, { status, ...(!isOnItsWay && { known }), updatedAt: ctx.now() })
  tx.em.persist(erasure)
  await tx.em.flush()
  if (status === 'blocked' || isOnItsWay) return erasure
  tx.emit(organizationStream(organizationId), 'contact.erased', {
    id: contactId,
    organization: organizationId,
    erasure: erasure.id,
    reason: erasure.reason,
    line: lineOf(erasure),
  })
  return erasure
}

/** SQL: counts the conversations `$2`, which are about to go by the erasure `$1`, with their messages. */
export const COUNT_CONVERSATIONS = `
update erasure e set conversations = e.conversations + cardinality($2::uuid[]), messages = e.messages + gone.messages,
  forwards = e.forwards + gone.forwards
from (
  select count(*)::int as messages, count(*) filter (where meta ? '_forward' and not meta ? '_target')::int as forwards
  from message where conversation_id = any($2::uuid[])) gone
where e.id = $1`
