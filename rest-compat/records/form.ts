import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** 2.11, 4.6. */
export const formRecord: RecordSpec = {
  type: 'Form',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    isStatic: value(),
    fields: object(),
    email: value(),
    tags: value(),
    meta: object(),
    isTemplate: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
