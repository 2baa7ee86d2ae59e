import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

export const retentionPolicyRecord: RecordSpec = {
  type: 'RetentionPolicy',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    orgPath: serverMade(),
    subject: value(),
    days: value(),
    startsAt: value(),
    endsAt: serverMade(),
    createdBy: serverMade({ from: 'createdById' }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

export const retentionRunRecord: RecordSpec = {
  type: 'RetentionRun',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization', serverMade: true }),
    orgPath: serverMade(),
    policy: serverMade({ from: 'policyId' }),
    subject: serverMade(),
    days: serverMade(),
    before: serverMade(),
    status: serverMade(),
    erased: serverMade(),
    held: serverMade(),
    failed: serverMade(),
    kept: object({ serverMade: true }),
    finishedAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

/** Numbers of what a policy would erase. */
export const retentionPreviewRecord: RecordSpec = {
  type: 'RetentionPreview',
  fields: {
    due: serverMade(),
    waiting: serverMade(),
    total: serverMade(),
    isMore: serverMade(),
    needsConfirmation: serverMade(),
    sample: object({ serverMade: true }),
  },
  populate: [],
}
