import { embedded, object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { conversationRecord } from './conversation.js'
import { ownFormFields } from './form-fields.js'
import { organizationRecord } from './organization.js'
import { serviceProfileRecord } from './service-profile.js'
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
    audience: serverMade(),
    user: reference(() => userProfileRecord, { object: 'user' }),
    contentType: value(),
    text: value(),
    service: reference(() => serviceProfileRecord, { object: 'service' }),
    touchpoint: value(),
    actions: object(),
    items: object(),
    meta: object(),
    likes: reference(() => userProfileRecord, { id: 'likes', object: 'likedBy' }),
    comments: embedded({
      user: reference(() => userProfileRecord, { object: 'user' }),
      message: value({ from: 'messageId' }),
      text: value(),
    }),
    results: embedded(
      { name: value(), values: object() },
      { on: { FormResult: ownFormFields, ReportedResult: { custom: value() } } },
    ),
    deliveries: object({ serverMade: true }),
    ending: serverMade(),
    crossedAnswer: serverMade(),
    isAutomated: serverMade(),
    depth: serverMade(),
    provenance: object(),
    disclosure: serverMade(),
    version: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: [
    'organization',
    'conversation',
    'conversation.contact',
    'user',
    'service',
    'likes',
    'comments.user',
    'results.form',
  ],
}
