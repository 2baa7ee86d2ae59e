import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

/** Spans that the clocks of a conversation measure. */
export const CLOCK_KINDS = ['queue', 'firstResponse', 'nextResponse', 'resolution'] as const
export type ClockKind = (typeof CLOCK_KINDS)[number]

export const ClockKindEnum = graphqlEnum('ClockKind', 'Measurement of a clock of a conversation.', {
  QUEUE: ['queue', 'From queueing until somebody accepts the conversation.'],
  FIRST_RESPONSE: ['firstResponse', "From the consumer's first message of a case to an agent's answer."],
  NEXT_RESPONSE: ['nextResponse', 'From the first unanswered message later in the case to the answer.'],
  RESOLUTION: ['resolution', 'From the beginning of a case until it is closed, except while it is answered.'],
})
