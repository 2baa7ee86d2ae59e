import { value, type RecordSpec } from '../record.js'

export const sessionRecord: RecordSpec = {
  type: 'Session',
  fields: {
    id: value(),
    userAgent: value(),
    network: value(),
    createdAt: value(),
    seenAt: value(),
    expiresAt: value(),
    isCurrent: value(),
  },
  populate: [],
}
