import { embedded, object, reference, serverMade, value, type FieldSpecs, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

const memberFields: FieldSpecs = { user: reference(() => userProfileRecord, { object: 'user' }) }

/** 2.6. */
export const channelRecord: RecordSpec = {
  type: 'Channel',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    status: value(),
    members: embedded(memberFields),
    assignment: object(),
    serviceLevel: object(),
    survey: object(),
    signature: value(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'members.user'],
}

export const channelMemberRecord: RecordSpec = { type: 'ChannelMember', fields: memberFields, populate: ['user'] }
