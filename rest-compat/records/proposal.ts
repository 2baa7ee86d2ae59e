import { object, reference, serverMade, type RecordSpec } from '../record.js'
import { userProfileRecord } from './user.js'

/** An act that a bot proposes, or suggests to people. */
export const proposalRecord: RecordSpec = {
  type: 'Proposal',
  fields: {
    id: serverMade(),
    conversation: serverMade({ from: 'conversationId' }),
    bot: reference(() => userProfileRecord, { object: 'bot' }),
    kind: serverMade(),
    action: serverMade(),
    input: object({ serverMade: true }),
    text: serverMade(),
    category: serverMade(),
    fields: object({ serverMade: true }),
    merge: serverMade({ from: 'mergeId' }),
    article: serverMade({ from: 'articleId' }),
    hash: serverMade(),
    status: serverMade(),
    message: serverMade({ from: 'messageId' }),
    outcome: serverMade(),
    changedShare: serverMade(),
    createdAt: serverMade(),
    expiresAt: serverMade(),
    decidedAt: serverMade(),
    decidedBy: serverMade({ from: 'decidedById' }),
  },
  populate: ['bot'],
}

/** A request to bots to propose something. */
export const proposalRequestRecord: RecordSpec = {
  type: 'ProposalRequest',
  fields: {
    id: serverMade(),
    conversation: serverMade({ from: 'conversationId' }),
    kind: serverMade(),
    until: serverMade(),
  },
  populate: [],
}
