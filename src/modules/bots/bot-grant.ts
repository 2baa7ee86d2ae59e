import { Extensions, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { JsonObject } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { Conditions } from '../workflows/conditions.js'

export const BotAction = graphqlEnum('BotAction', 'Kinds of acts of a governed bot in a conversation.', {
  NOTE: ['note', 'Writes to the team: notes, mentions, and messages that the consumer does not see.'],
  REPLY: ['reply', 'Speaks to the consumer: answers, forms that ask, and messages whose text grows.'],
  SET: ['set', 'Sets category, labels, fields, name, language, touchpoint or metadata.'],
  HAND_OVER: ['handOver', 'Gives the conversation to others: hand-over, `/enqueue`, `/notify`, `/assign`.'],
  ACCEPT: ['accept', 'Takes part: accepts, joins, follows or unfollows. An answer that is granted accepts by itself.'],
  CLOSE: ['close', 'Closes it, undoes that, or leaves it so that it is closed.'],
  READ_CONTACT: [
    'readContact',
    'Reads contacts: their profiles, notes and timelines, wherever; and changes them. The only action that a governed bot may do without a line: ' +
      'one with the mode `NONE` takes it away. Of the bot’s own organization, without conditions.',
  ],
  OTHER: [
    'other',
    'All else that changes a conversation: creating, merging, blocking, speaking as the consumer, edits, snoozing, sending again.',
  ],
})
export type BotAction = (typeof BotAction)[keyof typeof BotAction]

export const BotMode = graphqlEnum('BotMode', 'Steps by which a bot may go further with an action.', {
  NONE: ['none', 'Not at all.'],
  SUGGEST: ['suggest', 'It may suggest it to people, who do it themselves.'],
  APPROVE: ['approve', 'It may propose it: a person approves, and it is done.'],
  ACT: ['act', 'It does it.'],
})
export type BotMode = (typeof BotMode)[keyof typeof BotMode]

const CONDITIONS =
  'A tree of `all` and `any` over `{fact, path, operator, value}` as in rules (4.6); `{"all": []}` holds always.'

/** A line of the list by which a bot is governed in the conversations of an organization and of those below it. */
export interface GrantLine {
  action: BotAction
  mode: BotMode
  conditions: Conditions
}

@InputType({ description: 'A line of what a bot may do.' })
export class BotGrantInput {
  @Field(() => BotAction, { description: 'The kind of acts.' })
  action!: BotAction

  @Field(() => BotMode, { description: 'The step up to which the bot may go.' })
  mode!: BotMode

  @Field(() => JsonObjectScalar, { nullable: true, description: `${CONDITIONS} The default.` })
  conditions?: JsonObject | null
}

@ObjectType({ simpleResolvers: true, description: 'A line of what a bot may do.' })
export class BotGrant implements GrantLine {
  @Field(() => BotAction, { description: 'The kind of acts.' })
  action!: BotAction

  @Field(() => BotMode, { description: 'The step up to which the bot may go.' })
  mode!: BotMode

  @Field(() => JsonObjectScalar, { description: CONDITIONS })
  conditions!: Conditions

  @Field(() => ID, {
    description: 'The organization whose conversations, and those of organizations below, it is for.',
  })
  organizationId!: string
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Rights of a governed bot in conversations. Of the lines about an action, those of the conversation’s own organization come first, in ' +
    'their order, then those of each organization above: the first whose conditions hold decides. Without one, the bot may not.',
})
export class BotGovernance {
  @Field(() => Int, { description: 'Counts its changes, from 1.' })
  version!: number

  @Field(() => DateTime, { description: 'Time of the last change.' })
  updatedAt!: Date

  @Extensions({ listLength: 20 })
  @Field(() => [BotGrant], { description: 'By organization, in order. At most 1,000.' })
  grants!: BotGrant[]
}
