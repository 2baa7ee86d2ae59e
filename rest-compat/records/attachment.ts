import { reference, serverMade, value, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'
import { userProfileRecord } from './user.js'

/** 2.11, 2.12 (file message). The answer to an upload has the same fields. */
export const attachmentRecord: RecordSpec = {
  type: 'Attachment',
  fields: {
    id: serverMade(),
    organization: reference(() => organizationRecord, { object: 'organization', serverMade: true }),
    fileName: value(),
    fileType: serverMade(),
    size: serverMade(),
    sha256: serverMade(),
    url: serverMade(),
    tags: value(),
    user: reference(() => userProfileRecord, { object: 'user', serverMade: true }),
    createdAt: serverMade(),
    updatedAt: serverMade(),
  },
  populate: ['organization', 'user'],
}
