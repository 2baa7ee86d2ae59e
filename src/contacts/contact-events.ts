import { organizationStream, type RecordChange, type ResourceEvents } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import type { Contact } from './contact.js'

/** The public values of a contact. */
type ContactData = Pick<Contact, 'profile' | 'meta' | 'status'>

declare module '../events/event.js' {
  interface EventTypes extends ResourceEvents<'contact', ContactData> {}
}

/** Emits an event of a contact to the organization's stream: its ids and public values. */
export function emitContact(
  tx: Pick<WriteTx, 'emit'>,
  contact: Pick<Contact, 'id' | 'organizationId' | 'profile' | 'meta' | 'status'>,
  what: RecordChange,
): void {
  tx.emit(organizationStream(contact.organizationId), `contact.${what}`, {
    id: contact.id,
    organization: contact.organizationId,
    profile: contact.profile,
    meta: contact.meta,
    status: contact.status,
  })
}
