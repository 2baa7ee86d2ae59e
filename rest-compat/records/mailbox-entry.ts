import { serverMade, type RecordSpec } from '../record.js'

/** A mail of a mailbox, and what became of it. */
export const mailboxEntryRecord: RecordSpec = {
  type: 'MailboxEntry',
  fields: {
    id: serverMade(),
    folder: serverMade(),
    uid: serverMade(),
    state: serverMade(),
    reason: serverMade(),
    subject: serverMade(),
    conversation: serverMade({ from: 'conversationId' }),
    listedAt: serverMade(),
    settledAt: serverMade(),
    retryAt: serverMade(),
    tries: serverMade(),
    isReadable: serverMade(),
  },
  populate: [],
}
