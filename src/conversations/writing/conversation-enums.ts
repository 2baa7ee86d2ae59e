import { registerEnumType } from 'type-graphql'

/** GraphQL names of the values in 2.8 and section 3. */
export const ConversationStatusEnum = {
  QUEUED: 'queued',
  ACTIVE: 'active',
  CLOSED: 'closed',
  ARCHIVED: 'archived',
} as const
registerEnumType(ConversationStatusEnum, {
  name: 'ConversationStatus',
  description: 'Status of a conversation (3.1).',
  valuesConfig: {
    QUEUED: { description: 'Waits for an agent; channels are notified.' },
    ACTIVE: { description: 'An agent has accepted; no channel is notified.' },
    CLOSED: { description: 'Neither waiting for an agent nor active.' },
    ARCHIVED: { description: 'Merged into another conversation.' },
  },
})

export const ConversationTypeEnum = { CONTACT: 'contact', AGENT: 'agent', BOT: 'bot', SYSTEM: 'system' } as const
registerEnumType(ConversationTypeEnum, {
  name: 'ConversationType',
  description: 'Type of a conversation, by its parties (2.8).',
  valuesConfig: {
    CONTACT: { description: 'With a consumer.' },
    AGENT: { description: 'Among agents.' },
    BOT: { description: 'With a bot.' },
    SYSTEM: { description: 'Created by the service.' },
  },
})

export const QueueExitEnum = {
  ACCEPTED: 'accepted',
  CLOSED: 'closed',
  ARCHIVED: 'archived',
  REROUTED: 'rerouted',
} as const
registerEnumType(QueueExitEnum, {
  name: 'QueueExit',
  description: "Reason why a conversation left a channel's queue.",
  valuesConfig: {
    ACCEPTED: { description: 'An agent accepted it.' },
    CLOSED: { description: 'It was closed.' },
    ARCHIVED: { description: 'It was merged into another.' },
    REROUTED: { description: 'It was queued again, and rules chose other channels.' },
  },
})
