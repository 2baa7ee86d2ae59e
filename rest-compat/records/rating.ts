import { reference, serverMade, type RecordSpec } from '../record.js'
import { channelRecord } from './channel.js'
import { contactRecord } from './contact.js'
import { conversationRecord } from './conversation.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

export const ratingRecord: RecordSpec = {
  type: 'Rating',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    conversation: reference(() => conversationRecord, { object: 'conversation' }),
    contact: reference(() => contactRecord, { object: 'contact' }),
    channel: reference(() => channelRecord, { object: 'channel' }),
    user: reference(() => userProfileRecord, { object: 'user' }),
    touchpoint: serverMade(),
    scale: serverMade(),
    notAsked: serverMade(),
    askedAt: serverMade(),
    expiresAt: serverMade(),
    score: serverMade(),
    comment: serverMade(),
    ratedAt: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'conversation', 'contact', 'channel', 'user'],
}
