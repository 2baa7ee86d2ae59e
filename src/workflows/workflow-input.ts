import { Field, ID, InputType, Int } from 'type-graphql'
import { JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { JsonObject } from '../json.js'

const optional = { nullable: true } as const

@InputType()
export class RuleEventParamsInput {
  @Field(() => String, { nullable: true, description: 'Rule or event name shown in admin UIs.' }) name?: string | null
  @Field(() => [ID], { nullable: true, description: 'Channels to notify.' }) channels?: string[] | null
  @Field(() => [ID], { nullable: true, description: 'Users to notify.' }) users?: string[] | null
  @Field(() => Int, { nullable: true, description: 'Seconds, 0 (default) to 30 days.' }) delay?: number | null
  @Field(() => Boolean, { nullable: true, description: 'False by default.' }) isLastRule?: boolean | null
  @Field(() => [ID], { nullable: true, description: 'Skills that agents must have to be offered it.' }) skills?:
    | string[]
    | null
  @Field(() => Int, { nullable: true, description: 'Seconds after which skills no longer count; never by default.' })
  skillsDropAfter?: number | null
  @Field(() => Int, { nullable: true, description: 'Higher is offered first; -1000 to 1000, 0 by default.' })
  urgency?: number | null
}

@InputType()
export class RuleEventInput {
  @Field(() => String, { description: '`notify`.' }) type!: string
  @Field(() => RuleEventParamsInput) params!: RuleEventParamsInput
}

@InputType({ description: 'A rule (2.7).' })
export class WorkflowRuleInput {
  @Field(() => ID, { nullable: true, description: 'A UUID: of a stored rule that is kept, or a new one.' })
  id?: string | null

  @Field(() => ID, { nullable: true, description: 'Alias of `id`.' })
  _id?: string | null

  @Field(() => JsonObjectScalar, {
    description: 'A tree of `all` and `any` over `{fact, path, operator, value}` (4.6), at most 200 conditions.',
  })
  conditions!: JsonObject

  @Field(() => RuleEventInput) event!: RuleEventInput
  @Field(() => Int, { nullable: true, description: 'Priority, at least 1, which is the default.' }) priority?:
    | number
    | null
}

@InputType({
  description:
    'Changes of a rule. Only the given keys change; a given event replaces the whole event (section 1, PATCH).',
})
export class UpdateWorkflowRuleInput {
  @Field(() => JsonObjectScalar, optional) conditions?: JsonObject | null
  @Field(() => RuleEventInput, optional) event?: RuleEventInput | null
  @Field(() => Int, { nullable: true, description: 'Priority; `null` resets it to 1.' }) priority?: number | null
}

const ORGANIZATIONS = 'Limits the workflow to these organizations.'
const TAGS = 'Limits the workflow to organizations with one of these tags or in one of these organization groups (ids).'

@InputType({ description: 'Changes of a workflow. Only the given keys change; `null` clears.' })
export class UpdateWorkflowInput {
  @Field(() => String, { nullable: true, description: 'At most 200 characters.' }) name?: string | null
  @Field(() => [ID], { nullable: true, description: ORGANIZATIONS }) organizations?: string[] | null
  @Field(() => [String], { nullable: true, description: TAGS }) organizationTags?: string[] | null

  @Field(() => [WorkflowRuleInput], {
    nullable: true,
    description:
      'Replaces all rules. A rule with the id of a stored one keeps the id; at most 200 rules, 2000 conditions.',
  })
  rules?: WorkflowRuleInput[] | null
}

@InputType({ description: 'A new workflow (4.5).' })
export class CreateWorkflowInput extends UpdateWorkflowInput {
  @Field(() => ID, { nullable: true, description: 'A UUID that is not in use; generated if absent.' })
  id?: string | null

  @Field(() => ID, { nullable: true, description: 'Alias of `id` (2.7).' })
  _id?: string | null

  @Field(() => ID, { nullable: true, description: "Owning organization; defaults to the caller's." })
  organization?: string | null
}
