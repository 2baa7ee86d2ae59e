import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

export const holdRecord: RecordSpec = {
  type: 'Hold',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    orgPath: serverMade(),
    name: value(),
    reason: value(),
    contacts: value(),
    conversations: value(),
    users: value(),
    from: value(),
    to: value(),
    createdBy: serverMade({ from: 'createdById' }),
    releasedAt: serverMade(),
    releasedBy: serverMade({ from: 'releasedById' }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

/** A message as it was before it was edited or deleted. */
export const heldMessageRecord: RecordSpec = {
  type: 'HeldMessage',
  fields: {
    id: serverMade(),
    conversation: serverMade({ from: 'conversationId' }),
    message: serverMade({ from: 'messageId' }),
    holds: serverMade(),
    deed: serverMade(),
    changedBy: serverMade({ from: 'changedById' }),
    createdAt: serverMade(),
    type: serverMade(),
    role: serverMade(),
    user: serverMade({ from: 'userId' }),
    sentAt: serverMade(),
    text: serverMade(),
    actions: object({ serverMade: true }),
    items: object({ serverMade: true }),
    meta: serverMade(),
  },
  populate: [],
}
