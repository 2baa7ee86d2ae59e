import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'
import { userRecord } from './user.js'

export const viewRecord: RecordSpec = {
  type: 'View',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    owner: reference(() => userRecord, { object: 'owner', serverMade: true }),
    name: value(),
    filter: value(),
    orderBy: value(),
    gaps: object({ serverMade: true }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'owner'],
}
