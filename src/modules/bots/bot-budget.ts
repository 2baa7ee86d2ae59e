import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime } from '../../platform/lists/scalars.js'

export const BotBudgetKind = graphqlEnum('BotBudgetKind', 'The budgets of a bot.', {
  PER_CONVERSATION: ['perConversation', 'Messages in a case of a conversation.'],
  PER_DAY: ['perDay', 'Messages a day.'],
  TOOL_CALLS_PER_DAY: ['toolCallsPerDay', 'Calls of tools of `/mcp` a day.'],
})
export type BotBudgetKind = (typeof BotBudgetKind)[keyof typeof BotBudgetKind]
/** Those that are drawn from a day, see {@link DayDraws}. */
export type DayBudget = Exclude<BotBudgetKind, 'perConversation'>

/** Limits of what a bot may do; null: as much as it likes. */
export type Limits = Readonly<Record<BotBudgetKind, number | null>>

const PER_CONVERSATION =
  'Messages that the bot sends in a case of a conversation: from the consumer’s first message until it is closed.'
const PER_DAY = 'Messages that the bot sends in a day.'
const TOOL_CALLS_PER_DAY = 'Calls of tools of `/mcp` by the bot in a day, also of those that are refused.'

@InputType({ description: 'Limits of a bot. What is absent or null is not limited.' })
export class BotBudgetInput {
  @Field(() => Int, { nullable: true, description: `${PER_CONVERSATION} At most 1,000,000.` })
  perConversation?: number | null

  @Field(() => Int, { nullable: true, description: `${PER_DAY} At most 1,000,000,000.` })
  perDay?: number | null

  @Field(() => Int, { nullable: true, description: `${TOOL_CALLS_PER_DAY} At most 1,000,000,000.` })
  toolCallsPerDay?: number | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Amounts that a bot has spent of the budgets of a day. Nodes draw from a day’s budget in advance, at most 50 each, and give back what they have not ' +
    'used for five seconds: until then it counts as spent.',
})
export class BotBudgetUsed {
  @Field(() => Int, { nullable: true, description: 'Messages since `perDay` was set today; null without it.' })
  messages!: number | null

  @Field(() => Int, { nullable: true, description: 'Calls since `toolCallsPerDay` was set today; null without it.' })
  toolCalls!: number | null

  @Field(() => DateTime, { nullable: true, description: 'Time at which `perDay` was first spent today.' })
  messagesSpentAt!: Date | null

  @Field(() => DateTime, { nullable: true, description: 'Time at which `toolCallsPerDay` was first spent today.' })
  toolCallsSpentAt!: Date | null

  @Field(() => DateTime, { description: 'Begin of the next day: midnight UTC, whatever the time zone of the bot.' })
  resetsAt!: Date
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Limits of a bot. Once one of them is spent it is refused (429, `BUDGET_SPENT`), and the conversation is queued for agents unless ' +
    'others have it.',
})
export class BotBudget implements Limits {
  @Field(() => Int, { description: 'Counts its changes, from 1.' })
  version!: number

  @Field(() => DateTime, { description: 'Time of the last change.' })
  updatedAt!: Date

  @Field(() => Int, { nullable: true, description: PER_CONVERSATION })
  perConversation!: number | null

  @Field(() => Int, { nullable: true, description: PER_DAY })
  perDay!: number | null

  @Field(() => Int, { nullable: true, description: TOOL_CALLS_PER_DAY })
  toolCallsPerDay!: number | null

  @Field(() => BotBudgetUsed, { description: 'Amounts spent today.' })
  used!: BotBudgetUsed
}
