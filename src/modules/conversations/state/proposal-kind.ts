import type { BotAction } from '../../bots/bot-grant.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'

export const ProposalKind = graphqlEnum('ProposalKind', 'Kinds of what bots propose.', {
  REPLY: ['reply', 'An answer to the consumer.'],
  CATEGORY: ['category', 'A category of the conversation.'],
  FIELDS: ['fields', "Keys of the conversation's metadata."],
  MERGE: ['merge', 'Another conversation to merge into this one.'],
  ARTICLE: ['article', 'An article to send to the consumer.'],
  SUMMARY: ['summary', 'A summary of the conversation, for the team.'],
  ACT: ['act', 'All else that the bot would do once a person approves it: a note, or another command.'],
})
export type ProposalKind = (typeof ProposalKind)[keyof typeof ProposalKind]

/** Kinds of which a bot has an input of its own, and what a governed one needs `SUGGEST` for. */
export const SUGGESTED = {
  reply: 'reply',
  category: 'set',
  fields: 'set',
  merge: 'other',
  article: 'reply',
  summary: 'note',
} as const satisfies Partial<Record<ProposalKind, BotAction>>
