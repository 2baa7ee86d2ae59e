import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import type { Context } from '../context.js'
import type { JsonObject } from '../json.js'
import { camelRow } from '../lists/rows.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { RoutingTraceEntry } from '../workflows/routing-decision.js'

const RoutingOutcomeEnum = { FIRED: 'fired', DEFERRED: 'deferred', NOT_MATCHED: 'notMatched', SKIPPED: 'skipped' } as const
registerEnumType(RoutingOutcomeEnum, {
  name: 'RoutingOutcome',
  description: 'What became of a rule (3.4).',
  valuesConfig: {
    FIRED: { description: 'Its conditions were met, and it notified.' },
    DEFERRED: { description: 'It waits for its delay.' },
    NOT_MATCHED: { description: 'Its conditions were not met.' },
    SKIPPED: { description: 'A last rule ended the processing before it.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'A workflow or rule by id and name.' })
export class RoutingName {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'What one rule saw and did.' })
export class RoutingStep {
  @Field(() => RoutingName, { nullable: true, description: 'Null when no workflow decided.' }) workflow!: RoutingName | null
  @Field(() => RoutingName, { nullable: true }) rule!: RoutingName | null
  @Field(() => RoutingOutcomeEnum) outcome!: string
  @Field(() => String, { description: 'Why, in words.' }) reason!: string
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'The tree of conditions; each leaf with the value it saw and its truth.',
  })
  conditions!: JsonObject | null
  @Field(() => [ID]) channelsNotified!: string[]
  @Field(() => [ID]) channelsOffline!: string[]
  @Field(() => [ID]) users!: string[]
  @Field(() => Int, { nullable: true, description: 'Of a delayed rule.' }) delaySeconds?: number
}

@ObjectType({ simpleResolvers: true, description: 'What one queueing decided and why (3.4).' })
export class RoutingTrace {
  @Field(() => ID) id!: string
  @Field(() => Int, { description: 'Counts the queueings of the conversation, from 1.' }) queueing!: number
  @Field(() => String, { description: 'What queued it.' }) trigger!: string
  @Field(() => [RoutingStep], { description: 'The rules in order of processing.' }) entries!: RoutingTraceEntry[]
  @Field(() => DateTime) createdAt!: Date
}

const TRACES_MAX = 50

/** The queueings of a conversation, newest first. */
export async function readRoutingTrace(ctx: Context, conversation: string, first = 10): Promise<RoutingTrace[]> {
  const rows = await ctx.database.query<Record<string, unknown>>(
    `select id, queueing, trigger, entries, created_at from routing_decision
     where conversation_id = $1 order by id desc limit $2`,
    [conversation, Math.min(Math.max(first, 1), TRACES_MAX)],
  )
  return rows.map((row) => camelRow<RoutingTrace>(row))
}
