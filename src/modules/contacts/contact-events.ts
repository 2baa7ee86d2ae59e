import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { viewFor, type ShownTo } from '../../platform/db/columns.js'
import { CONTACT_COLUMNS } from './contact-columns.js'
import type { Contact } from './contact.js'

/** The public values of a contact. */
type ContactData = Pick<Contact, ShownTo<typeof CONTACT_COLUMNS, 'events'>>
const dataOf = viewFor<ContactData, typeof CONTACT_COLUMNS, 'events'>(CONTACT_COLUMNS, 'events')

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'contact', ContactData> {}
}

/** Emits an event of a contact to the organization's stream: its ids and public values. */
export function emitContact(
  tx: Pick<WriteTx, 'emit'>,
  contact: ContactData & Pick<Contact, 'id' | 'organizationId'>,
  what: RecordChange,
): void {
  tx.emit(organizationStream(contact.organizationId), `contact.${what}`, {
    id: contact.id,
    organization: contact.organizationId,
    ...dataOf(contact),
  })
}
