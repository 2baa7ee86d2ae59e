import { emitContact } from '../contacts/contact-events.js'
import { Contact } from '../contacts/contact.js'
import type { Context } from '../../platform/context.js'
import { releaseClosings } from '../conversations/sending/close-conversation.js'
import { ConversationChange } from '../conversations/state/conversation-change.js'
import { SharedReads } from '../conversations/state/shared-reads.js'
import { lockAggregates } from '../conversations/writer/lock-aggregates.js'
import { insertMilestones } from '../conversations/state/milestone.js'
import { Unavailable, Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { holdsOnContact, refuseHeld } from '../holds/held.js'
import { addErasure } from './erasure-job.js'
import { deleteExports } from './export/end-exports.js'
import { COUNT_CONVERSATIONS, noteErasure } from './note-erasure.js'

/** Each begins anew because a conversation began meanwhile. */
const TRIES_MAX = 10

/** A conversation of the contact began after the others were read: the deletion begins anew, with all. */
class ConversationBegunError extends Unavailable {}

/**
 * Deletes a contact with all its conversations and uploads, as a consumer may demand. Refused while a conversation is
 * queued or active, because agents are working on it. Other places with its data (events, copies, waiting webhooks) are
 * erased by jobs.
 * @throws Unprocessable naming one such conversation; OnHold; Unavailable when its conversations begin faster than they are read
 */
export async function deleteContact(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact(ctx, (tx) => deleteOnce(ctx, tx, id))
    } catch (error) {
      if (!(error instanceof ConversationBegunError) || tries >= TRIES_MAX) throw error
    }
  }
}

async function deleteOnce(ctx: Context, tx: WriteTx, id: string): Promise<boolean> {
  // Checked first, so that nobody can lock the conversations of a contact of another tenant.
  await fetchRecord(ctx, Contact, id, { em: tx.em })
  const conversations = await withdrawAll(ctx, tx, id)
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
  refuseHeld(await holdsOnContact(tx, contact), `contact ${contact.id}`)
  await requireAll(tx, id, conversations)
  const erasure = await noteErasure(ctx, tx, contact, { reason: 'other', status: 'withdrawing', known: {} })
  await tx.query(COUNT_CONVERSATIONS, [erasure.id, conversations])
  await removeContact(ctx, tx, { contact, conversations, erasure: erasure.id })
  return true
}

/** Deletes a locked contact without open conversations, and adds the jobs that erase what it leaves. */
export async function removeContact(
  ctx: Context,
  tx: WriteTx,
  { contact, conversations, erasure }: { contact: Contact; conversations: readonly string[]; erasure: string },
): Promise<void> {
  await addErasure(ctx, tx, { contact, conversations, erasure })
  await deleteExports(tx, contact.id)
  await tx.query('delete from contact where id = $1', [contact.id])
  emitContact(tx, { ...contact, profile: {}, meta: null } as Contact, 'deleted')
}

/**
 * Checks that no conversation began while the others were locked. Under the contact's lock, which each that begins waits
 * for: locked later than the contact, it could not be without a deadlock.
 */
async function requireAll(tx: WriteTx, contact: string, withdrawn: readonly string[]): Promise<void> {
  const begun = await tx.query(
    'select 1 from conversation where contact_id = $1 and not id = any($2::uuid[]) limit 1',
    [contact, withdrawn],
  )
  if (begun.length === 0) return
  throw new ConversationBegunError(`conversations of contact ${contact} begin while it is deleted: try again`)
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
  const changes = aggregates.map((aggregate) => new ConversationChange(tx, ctx.clock, aggregate, new SharedReads(tx)))
  const { text, values } = await releaseClosings({ sql: tx, now: ctx.now() }, changes)
  for (const change of changes) {
    change.remove()
    const { events, milestones } = change.finish()
    tx.addEvents(events)
    await insertMilestones(tx, milestones)
  }
  await tx.query(text, values)
  return aggregates.map(({ conversation }) => conversation.id)
}
