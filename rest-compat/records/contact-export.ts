import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** The export of a contact: ids, numbers, and the address of its file. */
export const contactExportRecord: RecordSpec = {
  type: 'ContactExport',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization', serverMade: true }),
    orgPath: serverMade(),
    contact: serverMade({ from: 'contactId' }),
    requestedBy: serverMade({ from: 'requestedById' }),
    notes: value(),
    status: serverMade(),
    conversations: serverMade(),
    messages: serverMade(),
    files: serverMade(),
    size: serverMade(),
    sha256: serverMade(),
    url: serverMade(),
    expiresAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
