import { embedded, reference, serverMade, type RecordSpec } from '../record.js'
import { channelRecord } from './channel.js'
import { contactNoteRecord } from './contact-note.js'
import { contactRecord } from './contact.js'
import { conversationRecord } from './conversation.js'
import { formFields } from './form-fields.js'
import { ratingRecord } from './rating.js'
import { userProfileRecord } from './user.js'

/** Something that happened with a contact. */
export const timelineEntryRecord: RecordSpec = {
  type: 'TimelineEntry',
  fields: {
    key: serverMade(),
    kind: serverMade(),
    at: serverMade(),
    contact: reference(() => contactRecord, { object: 'contact', serverMade: true }),
    conversation: reference(() => conversationRecord, { object: 'conversation', serverMade: true }),
    into: reference(() => conversationRecord, { object: 'into', serverMade: true }),
    touchpoint: serverMade(),
    channels: reference(() => channelRecord, { id: 'channelIds', object: 'channels', serverMade: true }),
    users: reference(() => userProfileRecord, { id: 'userIds', object: 'users', serverMade: true }),
    isByContact: serverMade(),
    note: reference(() => contactNoteRecord, { object: 'note', serverMade: true }),
    form: embedded(formFields, { serverMade: true }),
    rating: reference(() => ratingRecord, { object: 'rating', serverMade: true }),
    fields: serverMade(),
  },
  populate: ['contact', 'conversation', 'into', 'channels', 'users', 'note', 'rating'],
}
