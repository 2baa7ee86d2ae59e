import { embedded, reference, serverMade, value, type RecordSpec } from '../record.js'
import { contactRecord } from './contact.js'
import { formFields } from './form-fields.js'
import { messageRecord } from './message.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

const touchpoint = embedded({ services: value({ from: 'serviceIds' }), selected: value() })

/** 2.8. */
export const conversationRecord: RecordSpec = {
  type: 'Conversation',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    orgPath: serverMade(),
    type: value(),
    name: value(),
    slug: serverMade(),
    url: serverMade(),
    status: value(),
    contact: reference(() => contactRecord, { object: 'contact' }),
    participants: embedded({
      user: reference(() => userProfileRecord, { object: 'user' }),
      organization: serverMade({ from: 'organizationId' }),
      name: value(),
      avatar: value(),
      role: value(),
      unreadCount: value(),
      inbox: value(),
      accepted: value(),
      active: value(),
      follow: value(),
      createdAt: value(),
      updatedAt: value(),
    }),
    // The newest 100, in order; the complete list has its own endpoint.
    messages: reference(() => messageRecord, { id: 'messageIds', object: 'messages(last: 100)', connection: true }),
    channels: value(),
    channelsOffline: value(),
    touchpoints: embedded({ web: touchpoint, email: touchpoint, sms: touchpoint, messenger: touchpoint }),
    touchpoint: value(),
    category: value({ nulls: true }),
    categoryIndex: value(),
    language: value(),
    forms: embedded(formFields),
    results: embedded(formFields),
    meta: value(),
    createdBy: reference(() => userProfileRecord, { object: 'createdBy' }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: [
    'organization',
    'contact',
    'contact.organization',
    'participants.user',
    'messages',
    'messages.user',
    'createdBy',
  ],
}
