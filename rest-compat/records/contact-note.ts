import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { contactRecord } from './contact.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

export const contactNoteRecord: RecordSpec = {
  type: 'ContactNote',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization', serverMade: true }),
    contact: reference(() => contactRecord, { object: 'contact', serverMade: true }),
    author: reference(() => userProfileRecord, { object: 'author', serverMade: true }),
    authorName: serverMade(),
    text: value(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'contact', 'author'],
}
