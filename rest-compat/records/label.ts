import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

export const labelRecord: RecordSpec = {
  type: 'Label',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    hue: value(),
    archivedAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
