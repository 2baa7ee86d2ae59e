import { Extensions, Field, ID, InputType, Int } from 'type-graphql'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { isAbsent, parseText } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { OWN_ID } from '../../platform/lists/own-id.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { RuleEventType } from './rule-event-type.js'

const COMMENT_CHARS_MAX = 1_000

/** Reads the comment of a change; null if there is none. @throws BadUserInput */
export function readComment(comment: unknown): string | null {
  if (isAbsent(comment)) return null
  const text = parseText(comment, 'comment', { max: COMMENT_CHARS_MAX }).trim()
  return text === '' ? null : text
}

const optional = { nullable: true } as const

@InputType()
export class RuleEventParamsInput {
  @Field(() => String, { nullable: true, description: 'Rule or event name shown in admin UIs.' }) name?: string | null
  @Field(() => [ID], { nullable: true, description: 'Channels to notify.' }) channels?: string[] | null
  @Field(() => [ID], { nullable: true, description: 'Users to notify.' }) users?: string[] | null
  @Field(() => Int, { nullable: true, description: 'Seconds, 0 (default) to 30 days.' }) delay?: number | null
  @Field(() => Boolean, { nullable: true, description: 'Whether no further rules are processed; false by default.' })
  isLastRule?: boolean | null
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
  @Field(() => RuleEventType, { description: 'Action of the rule when it fires.' }) type!: RuleEventType
  @Field(() => RuleEventParamsInput) params!: RuleEventParamsInput
}

@InputType({ description: 'A rule (2.7).' })
export class WorkflowRuleInput {
  @Extensions(OWN_ID)
  @Field(() => ID, {
    nullable: true,
    description: 'Id of a stored rule that is kept, or a new one: 1 to 64 letters, digits, `-` and `_`.',
  })
  id?: string | null

  @Extensions(OWN_ID)
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
  @IfVersion() ifVersion?: number | null

  @Field(() => JsonObjectScalar, optional) conditions?: JsonObject | null
  @Field(() => RuleEventInput, optional) event?: RuleEventInput | null
  @Field(() => Int, { nullable: true, description: 'Priority; `null` resets it to 1.' }) priority?: number | null
}

const ORGANIZATIONS = 'Limits the workflow to these organizations.'
const TAGS = 'Limits the workflow to organizations with one of these tags or in one of these organization groups (ids).'

@InputType()
export abstract class WorkflowFieldsInput {
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

@InputType({ description: 'Changes of a workflow. Only the given keys change; `null` clears.' })
export class UpdateWorkflowInput extends WorkflowFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new workflow (4.5).' })
export class CreateWorkflowInput extends WorkflowFieldsInput {
  @Field(() => ID, { nullable: true, description: 'A UUID that is not in use; generated if absent.' })
  id?: string | null

  @Extensions(OWN_ID)
  @Field(() => ID, {
    nullable: true,
    description:
      'Id in an export, 1 to 64 letters, digits, `-` and `_`: becomes `externalId`; a UUID becomes the id (2.7).',
  })
  _id?: string | null

  @Field(() => ID, { nullable: true, description: "Owning organization; defaults to the caller's." })
  organization?: string | null
}
