import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import type { Database } from '../../platform/db/database.js'
import { LockMode } from '@mikro-orm/core'
import { NIL } from 'uuid'
import { pathOf } from '../../platform/db/tenancy.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { ifThere } from '../../platform/if-there.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Contact } from '../contacts/contact.js'
import { OnHold, holdsOnContact } from '../holds/held.js'
import { removeConversation } from '../conversations/sending/remove-conversation.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { ContactErasure, type ErasureReason } from './contact-erasure.js'
import { removeContact } from './delete-contact.js'
import { findKnownNames } from './erasure-job.js'
import { deleteExports } from './export/end-exports.js'
import { COUNT_CONVERSATIONS, noteErasure } from './note-erasure.js'

/** Removes the conversations of a contact that is being erased, and then the contact. */
export const CONTACT_ERASE = defineJob<{ contact: string; erasure: string; path: readonly (string | undefined)[] }>(
  'contact.erase',
  { contact: 'string', erasure: 'string', path: 'array' },
)

export interface EraseContactDependencies {
  database: Database
  transact: Transact
  writer: ConversationWriter
  accessChanges: AccessChanges
}

/**
 * Begins the erasure of a contact, whatever the status of its conversations. From here on it is nobody's: it is emptied, its sign-ins
 * end, and what its addresses send is a new contact's. A job does the rest. Repeating it returns the same erasure. If a hold keeps the
 * contact or one of its conversations, nothing of that happens yet: the erasure is blocked.
 * @throws NotFound
 */
export async function eraseContact(
  ctx: Context,
  { transact, accessChanges }: Pick<EraseContactDependencies, 'transact' | 'accessChanges'>,
  id: string,
  reason: ErasureReason,
): Promise<ContactErasure> {
  const erasure = await transact(ctx, async (tx) => {
    const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
    return beginErasure(ctx, tx, contact, reason)
  })
  accessChanges.userChanged(erasure.contactId)
  return erasure
}

/** Begins the erasure of a locked contact, or has a blocked one go on; blocks it if a hold keeps the contact. */
export async function beginErasure(
  ctx: Context,
  tx: WriteTx,
  contact: Contact,
  reason: ErasureReason,
): Promise<ContactErasure> {
  const holds = await holdsOnContact(tx, contact)
  if (holds.length > 0) return noteErasure(ctx, tx, contact, { reason, status: 'blocked', known: {} })
  return startErasure(ctx, tx, contact, reason)
}

/** Begins the erasure of a locked contact that no hold keeps, or has a blocked one go on. */
export async function startErasure(
  ctx: Context,
  tx: WriteTx,
  contact: Contact,
  reason: ErasureReason,
): Promise<ContactErasure> {
  if (contact.erasingAt) return goOn(ctx, tx, contact, reason)
  const conversations = await tx.query<{ id: string }>(
    `select id from conversation where contact_id = $1
     union all select id from deleted_conversation where contact_id = $1`,
    [contact.id],
  )
  const known = await findKnownNames(
    tx,
    contact,
    conversations.map(({ id }) => id),
  )
  const erasure = await noteErasure(ctx, tx, contact, { reason, status: 'withdrawing', known })
  await tx.query(EMPTY, [contact.id, ctx.now()])
  await deleteExports(tx, contact.id)
  addWithdrawal(tx, contact, erasure)
  return erasure
}

/** Has an erasure that was blocked on its way go on; one that is under way has its job. */
async function goOn(ctx: Context, tx: WriteTx, contact: Contact, reason: ErasureReason): Promise<ContactErasure> {
  const isBlocked = (await tx.em.count(ContactErasure, { contactId: contact.id, status: 'blocked' })) > 0
  const erasure = await noteErasure(ctx, tx, contact, { reason, status: 'withdrawing', known: {} })
  if (isBlocked) addWithdrawal(tx, contact, erasure)
  return erasure
}

function addWithdrawal(tx: WriteTx, contact: Contact, erasure: ContactErasure): void {
  const payload = { contact: contact.id, erasure: erasure.id, path: pathOf(contact) }
  tx.addJob(CONTACT_ERASE.create(payload, { key: `erase:${contact.id}` }))
}

/** Takes from the contact what it is known by, and ends its sign-ins. Can be repeated. */
const EMPTY = `
with handles as (delete from contact_handle where contact_id = $1),
  threads as (delete from touchpoint_thread where contact_id = $1),
  sessions as (update token_family set revoked_at = $2 where contact_id = $1 and revoked_at is null)
update contact set profile = '{}', email = null, telephone = null, meta = null, address = null,
  erasing_at = coalesce(erasing_at, $2), updated_at = $2, version = version + 1
where id = $1`

/** Conversations that are read at once. */
const PAGE = 100

/**
 * Removes the conversations of a contact whose erasure has begun, each in a transaction of its own, and then the contact. Can be
 * stopped anywhere and repeated, also by two nodes at once. A hold that is made meanwhile blocks what is left.
 * @throws the error of the first conversation that could not be removed, once all have been tried
 */
export async function withdrawContact(
  { database, transact, writer }: Omit<EraseContactDependencies, 'accessChanges'>,
  system: Context,
  { contact, erasure }: { contact: string; erasure: string },
): Promise<void> {
  // What was received while the erasure began may have given it an address again, and begun a conversation that the next look finds.
  for (let isGone = false; !isGone;) {
    if (!(await transact(system, (tx) => emptyAgain(system, tx, { contact, erasure })))) return
    await removeConversations({ database, writer }, system, { contact, erasure })
    isGone = await transact(system, (tx) => removeEmptied(system, tx, { contact, erasure }))
  }
}

/** Empties the contact once more, unless a hold blocks the erasure. @returns false if one does */
async function emptyAgain(
  system: Context,
  tx: WriteTx,
  { contact: id, erasure }: { contact: string; erasure: string },
): Promise<boolean> {
  const contact = await tx.em.findOne(Contact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!contact) return true
  if ((await holdsOnContact(tx, contact)).length === 0) {
    await tx.query(EMPTY, [id, system.now()])
    return true
  }
  await tx.query(`update erasure set status = 'blocked', updated_at = $2, version = version + 1 where id = $1`, [
    erasure,
    system.now(),
  ])
  return false
}

/** Tries all, but for those that a hold keeps: the next look at the contact finds it. */
async function removeConversations(
  { database, writer }: Pick<EraseContactDependencies, 'database' | 'writer'>,
  system: Context,
  { contact, erasure }: { contact: string; erasure: string },
): Promise<void> {
  const failures: unknown[] = []
  for (let after: string = NIL; ;) {
    const page = await database.query<{ id: string }>(
      'select id from conversation where contact_id = $1 and id > $2 order by id limit $3',
      [contact, after, PAGE],
    )
    for (const { id } of page) {
      const remove = async (change: WritingChange): Promise<void> => {
        change.afterWrites(COUNT_CONVERSATIONS, [erasure, [id]])
        await removeConversation(change, { isErased: true })
      }
      await ifThere(writer.runExclusive(system, id, remove)).catch((error: unknown) => {
        if (!(error instanceof OnHold)) failures.push(error)
      })
    }
    if (page.length < PAGE) break
    after = page.at(-1)!.id
  }
  if (failures.length > 0) throw failures[0]
}

/** Deletes the contact once it has no conversations. @returns false when it has some again, or is on hold */
async function removeEmptied(
  system: Context,
  tx: WriteTx,
  { contact: id, erasure }: { contact: string; erasure: string },
): Promise<boolean> {
  const contact = await tx.em.findOne(Contact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!contact) return true
  const left = await tx.query('select 1 from conversation where contact_id = $1 limit 1', [id])
  if (left.length > 0 || (await holdsOnContact(tx, contact)).length > 0) return false
  await removeContact(system, tx, { contact, conversations: [], erasure })
  return true
}

/** Begins and carries out the erasures that a restore asks for. */
export async function eraseRequested(dependencies: EraseContactDependencies, system: Context): Promise<void> {
  const { accessChanges, database, transact } = dependencies
  for (;;) {
    const [next] = await database.query<{ id: string; contact: string }>(
      `select id, contact_id as contact from erasure where status = 'requested' order by id limit 1`,
    )
    if (!next) return
    const { contact: id, id: erasure } = next
    const begun = await transact(system, async (tx) => {
      const contact = await tx.em.findOne(Contact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      const erasing = contact && (await beginErasure(system, tx, contact, 'other'))
      // The contact is gone, or has an older demand that goes on or is blocked: this one is the same.
      if (erasing?.id !== erasure)
        await tx.query(`update erasure set status = 'done', finished_at = $2, updated_at = $2 where id = $1`, [
          erasure,
          system.now(),
        ])
      return erasing
    })
    if (begun?.status !== 'withdrawing') continue
    accessChanges.userChanged(id)
    await withdrawContact(dependencies, system, { contact: id, erasure: begun.id }).catch((error: unknown) => {
      system.log.warn({ err: error, erasure }, 'an erasure that the restore asks for is not done: its job tries again')
    })
  }
}
