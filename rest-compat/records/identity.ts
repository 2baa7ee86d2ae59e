import { serverMade, type RecordSpec } from '../record.js'

/** A user's identity at a provider. */
export const identityRecord: RecordSpec = {
  type: 'Identity',
  fields: {
    id: serverMade(),
    service: serverMade({ from: 'serviceId' }),
    issuer: serverMade(),
    subject: serverMade(),
    email: serverMade(),
    createdAt: serverMade(),
    usedAt: serverMade(),
  },
  populate: [],
}
