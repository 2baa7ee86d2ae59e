import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** A domain of emails, with the record that proves it. */
export const domainRecord: RecordSpec = {
  type: 'Domain',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    status: serverMade(),
    record: object({ serverMade: true }),
    verifiedAt: serverMade(),
    checkedAt: serverMade(),
    missingSince: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
