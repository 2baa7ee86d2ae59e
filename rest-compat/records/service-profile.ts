import { serverMade, value, type RecordSpec } from '../record.js'

/** A service as visible to everybody in a conversation. */
export const serviceProfileRecord: RecordSpec = {
  type: 'ServiceProfile',
  fields: { id: serverMade(), name: value(), type: value() },
  populate: [],
}
