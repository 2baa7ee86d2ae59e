import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { ConditionTrace } from './condition-trace.js'
import type { RoutingTraceEntry as Entry, RuleName, WorkflowName } from './routing-decision.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const RuleOutcome = graphqlEnum('RuleOutcome', 'Outcome of a rule (3.4).', {
  FIRED: ['fired', 'The conditions hold, and the rule notified its channels and users.'],
  DEFERRED: ['deferred', 'The conditions hold; the rule waits for its delay because a channel was notified before.'],
  NOT_MATCHED: ['notMatched', 'The conditions do not hold.'],
  SKIPPED: ['skipped', 'A rule with `isLastRule` ended the processing before it.'],
}) satisfies Readonly<Record<string, Entry['outcome']>>

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

  /** Resolved as a list. */
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
