import { connectionType, OrderDirection } from '../../../platform/lists/connection.js'
import type { FilterFields } from '../../../platform/lists/filters.js'
import type { ListDefinition } from '../../../platform/lists/list-page.js'
import { ContactNote } from './contact-note.js'

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
}

/** The notes of a contact, newest first: by the index of these. */
export const contactNoteList: ListDefinition = {
  table: 'contact_note',
  fields,
  defaultOrder: [{ field: 'createdAt', direction: OrderDirection.DESC }],
}

/** A condition on the notes at `t`: those of these contacts. */
export const ofContacts =
  (contacts: readonly string[]) =>
  (values: unknown[]): string =>
    `t.contact_id = any($${values.push(contacts)}::uuid[])`

export const ContactNoteConnection = connectionType('ContactNote', () => ContactNote)
