import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { ConditionTrace } from './condition-trace.js'
import type { RoutingTraceEntry as Entry, RuleName, WorkflowName } from './routing-decision.js'

export const RuleOutcome = {
  FIRED: 'fired',
  DEFERRED: 'deferred',
  NOT_MATCHED: 'notMatched',
  SKIPPED: 'skipped',
} as const satisfies Readonly<Record<string, Entry['outcome']>>
registerEnumType(RuleOutcome, {
  name: 'RuleOutcome',
  description: 'Outcome of a rule (3.4).',
  valuesConfig: {
    FIRED: { description: 'Its conditions hold, and it notified its channels and users.' },
    DEFERRED: { description: 'Its conditions hold; it waits for its delay because a channel was notified before.' },
    NOT_MATCHED: { description: 'Its conditions do not hold.' },
    SKIPPED: { description: 'A rule with `isLastRule` ended the processing before it.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'A workflow, with its name at that time.' })
export class RoutingTraceWorkflow implements WorkflowName {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
}

@ObjectType({ simpleResolvers: true, description: 'A rule, with its name at that time.' })
export class RoutingTraceRule implements RuleName {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'Outcome of one rule in a queueing, and the reason (3.4).' })
export class RoutingTraceEntry implements Entry {
  @Field(() => RoutingTraceWorkflow, { nullable: true, description: 'Null if no workflow decided.' })
  workflow!: WorkflowName | null

  @Field(() => RoutingTraceRule, { nullable: true, description: 'Null if no workflow decided.' })
  rule!: RuleName | null

  @Field(() => RuleOutcome)
  outcome!: Entry['outcome']

  @Field(() => String, { description: 'Human-readable reason.' })
  reason!: string

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "The rule's tree of conditions, each with `factValue` and `result`; null if none was evaluated.",
  })
  conditions!: ConditionTrace | null

  @Field(() => [ID], { description: 'Notified channels, which had active subscribers.' })
  channelsNotified!: string[]

  @Field(() => [ID], { description: 'Channels that had no active subscribers when the rule fired.' })
  channelsOffline!: string[]

  @Field(() => [ID], { description: 'Users notified directly.' })
  users!: string[]

  @Field(() => Int, { nullable: true, description: 'Delay in seconds, for a delayed rule.' })
  delaySeconds?: number
}
