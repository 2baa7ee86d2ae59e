import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import type { ReadSql } from '../../../platform/db/sql.js'
import { tenantColumns, pathOf } from '../../../platform/db/tenancy.js'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../../platform/events/event.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { parseText, refuseCleared } from '../../../platform/input.js'
import { fetchRecord, recordNotFound } from '../../../platform/lists/fetch-record.js'
import { markChanged, requireVersion } from '../../../platform/lists/record-version.js'
import { CONTACT_NOTE_DELETED } from '../contact-jobs.js'
import { Contact } from '../contact.js'
import { linkedContacts } from '../linked-contacts.js'
import { ContactNote, NOTE_CHARS_MAX, type UpdateContactNoteInput } from './contact-note.js'

/** Agents read all of them. */
const NOTES_MAX = 1_000

/** Identifies a note; with a contact, it must be one of it, or of one that is the same person. */
interface Named {
  id: string
  contact?: string | null
}

/**
 * Adds a note to a contact. The contact's row is locked: of an erasure and a note, one is first, and none is left behind.
 * @throws NotFound; Unprocessable at the limit; BadUserInput
 */
export function addContactNote(
  ctx: Context,
  transact: Transact,
  { contact: id, text: given }: { contact: string; text: string },
): Promise<ContactNote> {
  const text = parseNote(given)
  return transact(ctx, async (tx) => {
    const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, field: 'contact' })
    // After a lock that was waited for, the contact may be gone. Conversations of it can be created meanwhile.
    const locked = await tx.query('select 1 from contact where id = $1 for no key update', [contact.id])
    if (locked.length === 0) throw recordNotFound('Contact', id, 'contact')
    await checkNumber(tx, contact.id)
    const { user, displayName } = ctx.userCaller
    const now = ctx.now()
    const note = tx.em.create(ContactNote, {
      id: ctx.newId(),
      ...tenantColumns(pathOf(contact)),
      ...{ contactId: contact.id, authorId: user, authorName: displayName, text },
      ...{ createdAt: now, updatedAt: now, version: 1 },
    })
    await tx.em.persist(note).flush()
    emitNote(tx, note, 'created')
    return note
  })
}

/** @throws NotFound; Forbidden for another's note; ChangedMeanwhile; BadUserInput */
export function updateContactNote(
  ctx: Context,
  transact: Transact,
  { patch, ...named }: Named & { patch: UpdateContactNoteInput },
): Promise<ContactNote> {
  refuseCleared(patch, 'text')
  const text = patch.text == null ? undefined : parseNote(patch.text)
  return transact(ctx, async (tx) => {
    const note = await fetchOwn(ctx, tx, named, 'contactNote.update')
    requireVersion('ContactNote', note, patch.ifVersion)
    if (text === undefined || text === note.text) return note
    note.text = text
    markChanged(note, ctx.now())
    await tx.em.flush()
    emitNote(tx, note, 'updated')
    return note
  })
}

/**
 * Deletes a note, and the answer to its creation, which holds its text; a job erases what webhooks keep of it.
 * @throws NotFound; Forbidden for another's note
 */
export function deleteContactNote(ctx: Context, transact: Transact, named: Named): Promise<string> {
  return transact(ctx, async (tx) => {
    const note = await fetchOwn(ctx, tx, named, 'contactNote.delete')
    emitNote(tx, note, 'deleted')
    tx.em.remove(note)
    await tx.query('update idempotency_key set response = null where about = $1 and response is not null', [note.id])
    // Later nothing leads to it: an erasure of the contact knows the notes that are left.
    tx.addJob(CONTACT_NOTE_DELETED.create({ deleted: note.id }, { key: `erase:${note.id}` }))
    return note.id
  })
}

/** Reads and locks a note that the caller may change: its own; for administrators, anybody's, which the audit log tells. */
async function fetchOwn(
  ctx: Context,
  tx: WriteTx,
  { id, contact }: Named,
  permission: 'contactNote.update' | 'contactNote.delete',
): Promise<ContactNote> {
  const note = await fetchRecord(ctx, ContactNote, id, { em: tx.em, lock: true })
  await requireOf(tx, note, contact)
  ctx.require(note.authorId === ctx.userCaller.user ? permission : 'contactNote.ofOthers')
  return note
}

/** Checks that a note is one of the contact, or of one that is the same person. @throws NotFound */
export async function requireOf(
  sql: ReadSql,
  { id, contactId }: Pick<ContactNote, 'id' | 'contactId'>,
  contact: string | null | undefined,
): Promise<void> {
  if (contact == null || contact.toLowerCase() === contactId) return
  const isOf = isId(contact) && (await linkedContacts(sql, contact)).includes(contactId)
  if (!isOf) throw recordNotFound('ContactNote', id)
}

function parseNote(value: unknown): string {
  const text = parseText(value, 'text', { max: NOTE_CHARS_MAX }).trim()
  if (text === '') throw new BadUserInput('text', 'text must not be blank', 'MISSING_VALUE')
  return text
}

/** @throws Unprocessable at the maximum, under the contact's lock */
async function checkNumber(tx: WriteTx, contact: string): Promise<void> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from contact_note where contact_id = $1',
    [contact],
  )
  if (row!.count < NOTES_MAX) return
  throw new Unprocessable(`contact ${contact} has ${NOTES_MAX} notes already: delete some`, { reason: 'TOO_MANY' })
}

/** Ids alone: what a note says stands in its row, so that nothing else has to be erased with it. */
type NoteData = { contact: string; author: string }

declare module '../../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'contactNote', NoteData> {}
}

function emitNote(tx: WriteTx, note: ContactNote, what: RecordChange): void {
  const { id, organizationId, contactId: contact, authorId: author } = note
  tx.emit(organizationStream(organizationId), `contactNote.${what}`, {
    ...{ id, organization: organizationId, contact, author },
  })
}
