import { object, reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** 2.11, section 5 (knowledge item). */
export const articleRecord: RecordSpec = {
  type: 'Article',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    title: value(),
    summary: value(),
    body: value(),
    content: value({ from: 'body' }),
    language: value(),
    category: value(),
    status: value(),
    tags: value(),
    meta: object(),
    isShared: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}
