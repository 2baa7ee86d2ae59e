import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { attachmentRecord } from './attachment.js'
import { organizationRecord } from './organization.js'

/** 2.11. */
export const fileRecord: RecordSpec = {
  type: 'File',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization' }),
    name: value(),
    url: value(),
    attachment: reference(() => attachmentRecord, { object: 'attachment' }),
    fileType: value(),
    size: value(),
    downloadUrl: serverMade(),
    tags: value(),
    isShared: serverMade(),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'attachment'],
}
