import { embedded, value, type RecordSpec } from '../record.js'

const token = { id: value(), createdAt: value(), endsAt: value(), usedAt: value() }

/** The way in which a provider keeps users and groups here. */
export const provisioningRecord: RecordSpec = {
  type: 'Provisioning',
  fields: { url: value(), tokens: embedded(token) },
  populate: [],
}

/** A provider's token, with itself in the answer that makes it. */
export const scimTokenRecord: RecordSpec = {
  type: 'ScimToken',
  fields: { ...token, token: value() },
  populate: [],
}
