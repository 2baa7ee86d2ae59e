import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

export const scheduleRecord: RecordSpec = {
  type: 'Schedule',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    version: serverMade(),
    timezone: value(),
    spans: value(),
    exceptions: value(),
    text: value(),
    isOpen: serverMade(),
    changesAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
