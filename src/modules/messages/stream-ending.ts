import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const StreamEndingEnum = graphqlEnum(
  'StreamEnding',
  'Ending of a message that was written in front of its readers.',
  {
    DONE: ['done', 'The author has finished it: the message is whole.'],
    STOPPED: [
      'stopped',
      'The consumer, an agent, its author or a pause stopped it, or its author was moved, archived or deleted.',
    ],
    TAKEN_OVER: [
      'takenOver',
      'A person accepted or answered, its author left, or the conversation was queued, handed over, closed or merged.',
    ],
    LOST: ['lost', 'Nothing was added for 15 seconds.'],
    LIMIT: ['limit', 'It had 64 KiB, or took 5 minutes.'],
  },
)
export type StreamEnding = (typeof StreamEndingEnum)[keyof typeof StreamEndingEnum]
