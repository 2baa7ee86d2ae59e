import { embedded, object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationNameRecord, organizationRecord } from './organization.js'

/** 2.2. The password is never shown, the API token of a bot only once. */
export const userRecord: RecordSpec = {
  type: 'User',
  fields: {
    id: serverMade(),
    familyName: value(),
    givenName: value(),
    additionalName: value(),
    displayName: value(),
    name: serverMade(),
    email: value(),
    phone: value(),
    avatar: value(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    organizations: embedded(
      {
        orgPath: value(),
        organization: reference(() => organizationNameRecord, { object: 'organization' }),
        selected: value(),
        role: value(),
        level: value(),
      },
      { serverMade: true },
    ),
    role: value(),
    settings: object(),
    meta: object(),
    disclosure: object(),
    mask: value(),
    status: value(),
    apiToken: serverMade(),
    provider: serverMade(),
    lastLogin: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'organizations.organization'],
}

/** A user as visible to everybody in a conversation. */
export const userProfileRecord: RecordSpec = {
  type: 'User',
  name: 'UserProfile',
  fields: { id: serverMade(), displayName: value(), name: value(), avatar: value(), role: value() },
  populate: [],
}
