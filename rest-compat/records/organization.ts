import { embedded, object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { formRecord } from './form.js'

/** 2.4: unspecified fields are omitted. */
export const organizationRecord: RecordSpec = {
  type: 'Organization',
  fields: {
    id: serverMade(),
    name: value(),
    displayName: value(),
    url: value(),
    email: value(),
    industry: value(),
    logo: value(),
    country: value(),
    locale: value(),
    timezone: value(),
    parent: reference(() => organizationRecord, { object: 'parent' }),
    path: serverMade(),
    level: serverMade(),
    status: value(),
    // Bots access both without a check (legacy clients).
    stopwords: value({ lists: true }),
    categories: embedded(
      { name: value(), forms: reference(() => formRecord, { id: 'formIds', object: 'forms' }) },
      { lists: true },
    ),
    commands: value(),
    // With the default labels it would always be present (section 1, optional fields).
    profileFields: object({ from: 'specifiedProfileFields' }),
    tags: value(),
    meta: object(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['parent', 'categories.forms'],
}

/** An organization in a user's list of organizations (2.2). */
export const organizationNameRecord: RecordSpec = {
  type: 'Organization',
  name: 'OrganizationName',
  fields: { id: serverMade(), name: value(), displayName: value({ from: 'shownName' }) },
  populate: [],
}

/** 2.5. */
export const organizationGroupRecord: RecordSpec = {
  type: 'OrganizationGroup',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    orgPath: serverMade(),
    name: value(),
    members: reference(() => organizationRecord, { id: 'memberIds', object: 'members' }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'members'],
}
