import type { BotAction } from '../../bots/bot-grant.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import type { ProposalKind } from './proposal-kind.js'

export const ProposalStatus = graphqlEnum('ProposalStatus', 'States of a proposal.', {
  PENDING: ['pending', 'A person may take, approve or reject it.'],
  APPROVED: ['approved', 'A person approved it, and the bot did it.'],
  TAKEN: ['taken', 'A person did it, as it was or changed.'],
  REJECTED: ['rejected', 'A person rejected it.'],
  REPLACED: ['replaced', 'The bot proposed something else in its place.'],
  STALE: ['stale', 'Others have written or done something since that the bot had not seen.'],
  ENDED: ['ended', 'Nobody decided within 24 hours, the conversation was closed, or the bot was paused.'],
})
export type ProposalStatus = (typeof ProposalStatus)[keyof typeof ProposalStatus]

export const ProposalOutcome = graphqlEnum('ProposalOutcome', 'Outcomes of proposals.', {
  ACCEPTED: ['accepted', 'A person approved it, or took it unchanged.'],
  EDITED: ['edited', 'A person changed it, and took it.'],
  REJECTED: ['rejected', 'A person rejected it.'],
  IGNORED: ['ignored', 'Nobody decided before it ended.'],
})
export type ProposalOutcome = (typeof ProposalOutcome)[keyof typeof ProposalOutcome]

/** A proposal on which nobody has decided, as its conversation knows it. */
export interface PendingProposal {
  id: string
  bot: string
  kind: ProposalKind
  action: BotAction
  /** Time at which the bot proposed it, in milliseconds since 1970. */
  at: number
}

/** The end of a proposal. */
export interface ProposalEnding {
  status: Exclude<ProposalStatus, 'pending'>
  /** The person who decided. */
  by?: string | null
  /** The message that it became. */
  messageId?: string | null
  /** The share of its words that the person changed, from 0 to 1; null where nothing is to compare. */
  changedShare?: number | null
  isUnchanged?: boolean
}

/** A proposal that an operation ended, as its row is written. */
export interface EndedProposal {
  id: string
  status: ProposalStatus
  outcome: ProposalOutcome
  decidedAt: Date
  decidedById: string | null
  messageId: string | null
  changedShare: number | null
}

/**
 * Forgets what they said: it is in a message, or nobody can do it any more. The mark stays, by which the news is found,
 * and the file, which goes with the conversation.
 */
export const END_PROPOSALS = `update proposal p set status = x.status, outcome = x.outcome, decided_at = x."decidedAt",
  decided_by_id = x."decidedById", message_id = x."messageId", changed_share = x."changedShare",
  new_message = jsonb_strip_nulls(jsonb_build_object('mark', p.new_message -> 'mark',
    'fileId', p.new_message #> '{meta,fileId}')), suggestion = '{}', sender = '{}'
  from jsonb_to_recordset($1::jsonb) as x(id uuid, status text, outcome text, "decidedAt" timestamptz, "decidedById" uuid,
    "messageId" uuid, "changedShare" real) where p.id = x.id`

/** @param isUnchanged of one that a person took */
export function outcomeOf({ status, isUnchanged = true }: ProposalEnding): ProposalOutcome {
  if (status === 'approved') return 'accepted'
  if (status === 'taken') return isUnchanged ? 'accepted' : 'edited'
  return status === 'rejected' ? 'rejected' : 'ignored'
}
