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
  description: 'What became of a rule (3.4).',
  valuesConfig: {
    FIRED: { description: 'Its conditions hold, and it notified its channels and users.' },
    DEFERRED: { description: 'Its conditions hold; it waits for its delay, as a channel was notified before.' },
    NOT_MATCHED: { description: 'Its conditions do not hold.' },
    SKIPPED: { description: 'A rule with `isLastRule` ended the processing before it.' },
  },
})

@ObjectType({ simpleResolvers: true, description: 'A workflow as it was called then.' })
export class RoutingTraceWorkflow implements WorkflowName {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
}

@ObjectType({ simpleResolvers: true, description: 'A rule as it was called then.' })
export class RoutingTraceRule implements RuleName {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'What one rule did in a queueing, and why (3.4).' })
export class RoutingTraceEntry implements Entry {
  @Field(() => RoutingTraceWorkflow, { nullable: true, description: 'Null when no workflow decided.' })
  workflow!: WorkflowName | null

  @Field(() => RoutingTraceRule, { nullable: true, description: 'Null when no workflow decided.' })
  rule!: RuleName | null

  @Field(() => RuleOutcome)
  outcome!: Entry['outcome']

  @Field(() => String, { description: 'For people to read.' })
  reason!: string

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "The rule's tree of conditions with `factValue` and `result` at each; null where none was evaluated.",
  })
  conditions!: ConditionTrace | null

  @Field(() => [ID], { description: 'Channels with active subscribers.' })
  channelsNotified!: string[]

  @Field(() => [ID], { description: 'Channels without active subscribers when the rule fired.' })
  channelsOffline!: string[]

  @Field(() => [ID], { description: 'Users notified directly.' })
  users!: string[]

  @Field(() => Int, { nullable: true, description: 'Seconds; only of a delayed rule.' })
  delaySeconds?: number
}
