import { serverMade, type RecordSpec } from '../record.js'

export const transcriptRecord: RecordSpec = {
  type: 'Transcript',
  fields: { to: serverMade(), messageCount: serverMade(), isShortened: serverMade() },
  populate: [],
}
