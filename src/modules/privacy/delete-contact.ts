import { emitContact } from '../contacts/contact-events.js'
import { CONTACT_DELETED } from '../contacts/contact-jobs.js'
import { Contact } from '../contacts/contact.js'
import type { Context } from '../../platform/context.js'
import { ConversationChange } from '../conversations/state/conversation-change.js'
import { SharedReads } from '../conversations/state/shared-reads.js'
import { lockAggregates } from '../conversations/writer/lock-aggregates.js'
import { insertMilestones } from '../conversations/state/milestone.js'
import { Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { addErasure } from './erasure-job.js'

/**
 * Deletes a contact with all its conversations and uploads, as a consumer may demand. Refused while a conversation is
 * queued or active, because agents are working on it. Other places with its data (events, copies, waiting webhooks) are
 * erased by jobs.
 * @throws Unprocessable naming one such conversation
 */
export function deleteContact(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    // Checked first, so that nobody can lock the conversations of a contact of another tenant.
    await fetchRecord(ctx, Contact, id, { em: tx.em })
    const conversations = await withdrawAll(ctx, tx, id)
    const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
    await addErasure(ctx, tx, { contact, conversations })
    await tx.query('delete from contact where id = $1', [id])
    tx.addJob(CONTACT_DELETED.create({ contact: contact.id }))
    emitContact(tx, { ...contact, profile: {}, meta: null } as Contact, 'deleted')
    return true
  })
}

/**
 * Removes the contact's conversations from the inboxes that show them, and publishes their deletion. Conversations are
 * locked before their contact, in the order of sends.
 */
async function withdrawAll(ctx: Context, tx: WriteTx, contact: string): Promise<string[]> {
  const found = await tx.query<{ id: string }>('select id from conversation where contact_id = $1 order by id', [
    contact,
  ])
  const aggregates = [
    ...(
      await lockAggregates(
        tx,
        found.map(({ id }) => id),
      )
    ).values(),
  ]
  const open = aggregates.find(({ conversation: { status } }) => status === 'queued' || status === 'active')
  if (open) {
    const { id, status } = open.conversation
    throw new Unprocessable(`contact ${contact} has the ${status} conversation ${id}: close it first`, {
      reason: 'CONVERSATION_STATUS',
      conversation: id,
    })
  }
  for (const aggregate of aggregates) {
    const change = new ConversationChange(tx, ctx.clock, aggregate, new SharedReads(tx))
    change.remove()
    const { events, milestones } = change.finish()
    tx.addEvents(events)
    await insertMilestones(tx, milestones)
  }
  return aggregates.map(({ conversation }) => conversation.id)
}
