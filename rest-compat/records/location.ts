import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** 2.11. */
export const locationRecord: RecordSpec = {
  type: 'Location',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    address: object(),
    latitude: value(),
    longitude: value(),
    telephone: value(),
    email: value(),
    url: value(),
    timezone: value(),
    openingHours: object(),
    tags: value(),
    isShared: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
