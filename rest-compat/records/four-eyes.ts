import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** The areas that need two administrators. */
export const fourEyesRecord: RecordSpec = {
  type: 'FourEyes',
  fields: {
    organization: serverMade({ from: 'organizationId' }),
    erasure: value(),
    hold: value(),
    retention: value(),
    signIn: value(),
    approvers: serverMade(),
    updatedAt: serverMade(),
  },
  populate: [],
}

/** A change that waits for a second administrator, or did. */
export const pendingChangeRecord: RecordSpec = {
  type: 'PendingChange',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization', serverMade: true }),
    orgPath: serverMade(),
    area: serverMade(),
    operation: serverMade(),
    objectType: serverMade(),
    object: serverMade({ from: 'objectId' }),
    objectName: serverMade(),
    input: object({ serverMade: true }),
    status: serverMade(),
    proposedBy: serverMade({ from: 'proposedById' }),
    expiresAt: serverMade(),
    decidedBy: serverMade({ from: 'decidedById' }),
    decidedAt: serverMade(),
    comment: serverMade(),
    token: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
