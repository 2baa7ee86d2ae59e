import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** The erasure of a contact: ids and numbers. */
export const contactErasureRecord: RecordSpec = {
  type: 'ContactErasure',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization', serverMade: true }),
    orgPath: serverMade(),
    contact: serverMade({ from: 'contactId' }),
    reason: value(),
    status: serverMade(),
    blockedBy: object({ serverMade: true }),
    conversations: serverMade(),
    messages: serverMade(),
    forwards: serverMade(),
    attachments: serverMade(),
    notes: serverMade(),
    finishedAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
