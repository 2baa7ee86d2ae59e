import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'

/** GraphQL names of the values in 2.8 and section 3. */
export const ConversationStatusEnum = graphqlEnum('ConversationStatus', 'Status of a conversation (3.1).', {
  QUEUED: ['queued', 'Waiting for an agent; channels are notified.'],
  ACTIVE: ['active', 'An agent has accepted; no channel is notified.'],
  CLOSED: ['closed', 'Neither waiting for an agent nor active.'],
  ARCHIVED: ['archived', 'Merged into another conversation.'],
})
export type ConversationStatus = (typeof ConversationStatusEnum)[keyof typeof ConversationStatusEnum]

export const ConversationTypeEnum = graphqlEnum('ConversationType', 'Type of a conversation, by its parties (2.8).', {
  CONTACT: ['contact', 'With a consumer.'],
  AGENT: ['agent', 'Between agents.'],
  BOT: ['bot', 'With a bot.'],
  SYSTEM: ['system', 'Created by the server.'],
})
export type ConversationType = (typeof ConversationTypeEnum)[keyof typeof ConversationTypeEnum]
export const CONVERSATION_TYPES = Object.values(ConversationTypeEnum)

export const QueueExitEnum = graphqlEnum('QueueExit', "Reason why a conversation left a channel's queue.", {
  ACCEPTED: ['accepted', 'An agent accepted the conversation.'],
  CLOSED: ['closed', 'The conversation was closed.'],
  ARCHIVED: ['archived', 'The conversation was merged into another one.'],
  REROUTED: ['rerouted', 'The conversation was queued again, and rules chose other channels.'],
  DELETED: ['deleted', 'The conversation was deleted.'],
})

export const InboxReasonEnum = graphqlEnum('InboxReason', 'Reasons for which a conversation is in an inbox.', {
  ASSIGNED: ['assigned', 'A colleague put it there (`/assign`).'],
  HANDED_OVER: ['handedOver', 'A colleague handed it over.'],
  MENTIONED: ['mentioned', 'A colleague mentioned the user in a note.'],
  FOLLOWED: ['followed', 'The consumer wrote in a conversation that the user follows.'],
  TEAM_MESSAGE: ['teamMessage', 'A colleague wrote in a team conversation.'],
  FORWARD_ANSWERED: ['forwardAnswered', 'Somebody outside answered a message that the user had forwarded.'],
  SNOOZE_ENDED: ['snoozeEnded', 'The time for which it was put aside is over, or the consumer wrote before that.'],
})
export type InboxReason = (typeof InboxReasonEnum)[keyof typeof InboxReasonEnum]
