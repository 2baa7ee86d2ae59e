import type { JsonObject } from '../json.js'
import { organizationStream } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import type { Contact } from './contact.js'

/** Tells the organization's stream of a contact: its ids and public values. */
export function emitContact(
  tx: Pick<WriteTx, 'emit'>,
  contact: Pick<Contact, 'id' | 'organizationId' | 'profile' | 'meta' | 'status'>,
  what: 'created' | 'updated' | 'deleted',
): void {
  tx.emit(organizationStream(contact.organizationId), `contact.${what}`, {
    id: contact.id,
    organization: contact.organizationId,
    profile: contact.profile as JsonObject,
    meta: contact.meta,
    status: contact.status,
  })
}
