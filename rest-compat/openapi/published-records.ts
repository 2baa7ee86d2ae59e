import type { RecordSpec } from '../record.js'
import { articleRecord } from '../records/article.js'
import { attachmentRecord } from '../records/attachment.js'
import { channelRecord } from '../records/channel.js'
import { contactRecord } from '../records/contact.js'
import { contactNoteRecord } from '../records/contact-note.js'
import { conversationRecord } from '../records/conversation.js'
import { fileRecord } from '../records/file.js'
import { formRecord } from '../records/form.js'
import { labelRecord } from '../records/label.js'
import { locationRecord } from '../records/location.js'
import { macroRecord } from '../records/macro.js'
import { messageRecord } from '../records/message.js'
import { organizationGroupRecord, organizationRecord } from '../records/organization.js'
import { ratingRecord } from '../records/rating.js'
import { serviceRecord } from '../records/service.js'
import { holidayCalendarRecord, scheduleRecord, slaPolicyRecord } from '../records/schedule.js'
import { reasonCodeRecord, skillRecord } from '../records/staffing.js'
import { userRecord } from '../records/user.js'
import { workflowRecord } from '../records/workflow.js'

/** Records by their name in an event and in `data`. */
export const PUBLISHED_RECORDS: Readonly<Record<string, RecordSpec>> = {
  article: articleRecord,
  attachment: attachmentRecord,
  channel: channelRecord,
  contact: contactRecord,
  contactNote: contactNoteRecord,
  conversation: conversationRecord,
  file: fileRecord,
  form: formRecord,
  location: locationRecord,
  message: messageRecord,
  organization: organizationRecord,
  organizationGroup: organizationGroupRecord,
  service: serviceRecord,
  holidayCalendar: holidayCalendarRecord,
  schedule: scheduleRecord,
  reasonCode: reasonCodeRecord,
  skill: skillRecord,
  label: labelRecord,
  macro: macroRecord,
  rating: ratingRecord,
  slaPolicy: slaPolicyRecord,
  user: userRecord,
  workflow: workflowRecord,
}
/** Records that accompany events of conversations. */
const SURROUNDINGS = ['conversation', 'contact', 'user', 'organization']
const ABOUT_CONVERSATIONS = ['message', 'conversation', 'channel', 'proposal']

export const isAboutConversation = (resource: string): boolean => ABOUT_CONVERSATIONS.includes(resource)

/** Tells whether what is left of the record is all that the event can tell. */
export const isDeletion = (event: string): boolean => event.endsWith('.delete') || event === 'contact.erased'

/** Returns the names of the records in the `data` of an event: its subject, then those around it. */
export function publishedIn(event: string): string[] {
  const [resource] = event.split('.') as [string]
  return [...new Set([resource, ...(isAboutConversation(resource) ? SURROUNDINGS : ['user'])])]
}
