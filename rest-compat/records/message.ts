import { embedded, reference, serverMade, value, type RecordSpec } from '../record.js'
import { conversationRecord } from './conversation.js'
import { ownFormFields } from './form-fields.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

/** 2.9. */
export const messageRecord: RecordSpec = {
  type: 'Message',
  fields: {
    id: serverMade(),
    slug: serverMade(),
    url: serverMade(),
    path: serverMade(),
    level: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    orgPath: serverMade({ from: 'path' }),
    conversation: reference(() => conversationRecord, { object: 'conversation' }),
    type: value(),
    role: value(),
    isBackchannel: value(),
    user: reference(() => userProfileRecord, { object: 'user' }),
    contentType: value(),
    text: value(),
    service: value({ from: 'serviceId' }),
    touchpoint: value(),
    actions: value(),
    items: value(),
    meta: value(),
    likes: value(),
    comments: value(),
    results: embedded(
      { name: value(), values: value() },
      { on: { FormResult: ownFormFields, ReportedResult: { custom: value() } } },
    ),
    deliveries: serverMade(),
    version: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'conversation', 'conversation.contact', 'user'],
}
