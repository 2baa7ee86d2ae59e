import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** 2.11. */
export const serviceRecord: RecordSpec = {
  type: 'Service',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    type: value(),
    params: object(),
    meta: object(),
    status: value(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
