import { embedded, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

export const skillRecord: RecordSpec = {
  type: 'Skill',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

export const reasonCodeRecord: RecordSpec = {
  type: 'ReasonCode',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    availabilities: value(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

export const agentStateRecord: RecordSpec = {
  type: 'AgentState',
  fields: {
    user: reference(() => userProfileRecord, { object: 'user' }),
    availability: value(),
    reason: value(),
    reasonCode: embedded({ id: serverMade(), name: serverMade() }, { serverMade: true }),
    since: serverMade(),
    capacity: value(),
    load: serverMade(),
    skills: embedded({ id: serverMade(), name: serverMade() }, { serverMade: true }),
  },
  populate: ['user'],
}
