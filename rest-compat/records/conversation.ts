import { embedded, object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { channelRecord } from './channel.js'
import { contactRecord } from './contact.js'
import { formFields } from './form-fields.js'
import { labelRecord } from './label.js'
import { messageRecord } from './message.js'
import { organizationRecord } from './organization.js'
import { serviceProfileRecord } from './service-profile.js'
import { userProfileRecord } from './user.js'

const touchpoint = embedded({
  services: reference(() => serviceProfileRecord, { id: 'serviceIds', object: 'services' }),
  selected: value(),
})

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
    mark: serverMade(),
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
    channels: reference(() => channelRecord, { id: 'channels', object: 'notifiedChannels' }),
    channelsOffline: reference(() => channelRecord, { id: 'channelsOffline', object: 'offlineChannels' }),
    touchpoints: embedded({ web: touchpoint, email: touchpoint, sms: touchpoint, messenger: touchpoint }),
    touchpoint: value(),
    labels: reference(() => labelRecord, { id: 'labelIds', object: 'labels' }),
    closedAt: serverMade({ nulls: true }),
    snoozedUntil: value({ nulls: true }),
    category: value({ nulls: true }),
    categoryIndex: value(),
    language: value(),
    forms: embedded(formFields),
    results: embedded(formFields),
    meta: object(),
    createdBy: reference(() => userProfileRecord, { object: 'createdBy' }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: [
    'organization',
    'contact',
    'contact.organization',
    'channels',
    'channelsOffline',
    'labels',
    'participants.user',
    'messages',
    'messages.user',
    'messages.service',
    'touchpoints.web.services',
    'touchpoints.email.services',
    'touchpoints.sms.services',
    'touchpoints.messenger.services',
    'forms.form',
    'results.form',
    'createdBy',
  ],
}
