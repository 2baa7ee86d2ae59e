/** Reasons of errors of the code UNPROCESSABLE: what was asked for is well-formed, and impossible as things are. */
export const IMPOSSIBLE_REASONS = {
  CONFLICT: ['UNPROCESSABLE', 'The input is valid, but not possible in the current state, which the message names.'],
  ALREADY_RATED: ['UNPROCESSABLE', 'The consumer has rated the case: a rating is given once.'],
  SURVEY_OVER: ['UNPROCESSABLE', 'The time in which the case could be rated is over.'],
  ALREADY_ACCEPTED: ['UNPROCESSABLE', 'Another agent was first: `acceptedBy` has the conversation.'],
  OFFERED_TO_OTHER: ['UNPROCESSABLE', 'The conversation is offered to another agent: wait until the offer ends.'],
  OFFER_ENDED: ['UNPROCESSABLE', 'The offer was accepted, declined or withdrawn, or it expired.'],
  AT_CAPACITY: ['UNPROCESSABLE', 'The agent has no room: `load` of `capacity` are used, `weight` is needed.'],
  AGENT_UNAVAILABLE: [
    'UNPROCESSABLE',
    'The agent takes no conversations now; `evenIfAway` hands it over nevertheless, unless it is a paused bot.',
  ],
  CONVERSATION_STATUS: ['UNPROCESSABLE', 'The status of the conversation does not allow it: fetch it anew.'],
  CONVERSATION_TYPE: ['UNPROCESSABLE', 'Conversations of this type do not have this.'],
  APPROVAL_NEEDED: [
    'UNPROCESSABLE',
    'Another administrator must approve the change, `pendingChange`, until `expiresAt`: nothing was changed yet. Repeating the request changes nothing.',
  ],
  SAME_USER: ['UNPROCESSABLE', 'You have proposed the change yourself: another administrator decides.'],
  NO_APPROVER: [
    'UNPROCESSABLE',
    'The change needs a second administrator, and there is none: make one, or have the operator end this by `npm run owner:unlock`.',
  ],
  CHANGE_DECIDED: ['UNPROCESSABLE', 'The pending change was decided or has ended: `status` says how.'],
  PROPOSER_GONE: ['UNPROCESSABLE', 'Whoever proposed the change may not make it any more: propose it yourself.'],
  CHANGED_MEANWHILE: ['UNPROCESSABLE', 'The record changed meanwhile: fetch it anew, and decide again.'],
  PROPOSAL_ENDED: ['UNPROCESSABLE', 'The proposal was decided or has ended: `status` says how.'],
  PROPOSAL_STALE: [
    'UNPROCESSABLE',
    'Others have written or done something since the bot proposed it: `news` and `mark` say what. It has ended, and nothing was done.',
  ],
  PROPOSAL_KIND: [
    'UNPROCESSABLE',
    'A proposal of this `kind` is taken or approved in another way: an answer or a summary by a message that names it, what is set by `takeProposal`.',
  ],
  NOT_PUBLISHED: ['UNPROCESSABLE', 'The article is not published: consumers get what is ready alone.'],
  NOBODY_LISTENS: ['UNPROCESSABLE', 'Nothing gets `proposal.requested` of the conversation, or its bots are paused.'],
  HASH_DIFFERS: ['UNPROCESSABLE', 'The `hash` is not that of the proposal: read it again.'],
  MOVED_ON: [
    'UNPROCESSABLE',
    'Others have written or done something since the `mark` that you name, and nothing was sent: read `news`, decide again, and name the new `mark`. In `/v2`, 412 if `If-Match` named it.',
  ],
} as const satisfies Readonly<Record<string, readonly ['UNPROCESSABLE', string]>>
