import { serverMade, type RecordSpec } from '../record.js'

/** A text that a provider has approved, or may approve. */
export const messageTemplateRecord: RecordSpec = {
  type: 'MessageTemplate',
  fields: {
    id: serverMade(),
    service: serverMade({ from: 'serviceId' }),
    name: serverMade(),
    language: serverMade(),
    category: serverMade(),
    status: serverMade(),
    quality: serverMade(),
    header: serverMade(),
    headerText: serverMade(),
    body: serverMade(),
    footer: serverMade(),
    buttons: serverMade(),
    variables: serverMade(),
    isSendable: serverMade(),
    reason: serverMade(),
    syncedAt: serverMade(),
  },
  populate: [],
}
