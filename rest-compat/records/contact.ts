import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { conversationRecord } from './conversation.js'
import { organizationRecord } from './organization.js'

/** 2.11. */
export const contactRecord: RecordSpec = {
  type: 'Contact',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    orgPath: serverMade(),
    profile: object(),
    meta: object(),
    status: value(),
    conversation: reference(() => conversationRecord, { object: 'conversation', serverMade: true }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'conversation'],
}
