import { Field, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { RuleDefinition } from '../rule-definition.js'

export const WorkflowChangeKindEnum = graphqlEnum('WorkflowChangeKind', 'Ways in which a workflow is changed.', {
  CREATED: ['created', 'The workflow was created.'],
  UPDATED: ['updated', 'Name, limits or rules were changed at once.'],
  PUBLISHED: ['published', 'A draft was published.'],
  RESTORED: ['restored', 'An earlier state was restored.'],
})
export type WorkflowChangeKind = (typeof WorkflowChangeKindEnum)[keyof typeof WorkflowChangeKindEnum]

/** The part of a workflow that its history keeps. */
export interface WorkflowState {
  name: string | null
  organizations: string[] | null
  organizationTags: string[] | null
  rules: readonly RuleDefinition[]
}

@ObjectType({
  simpleResolvers: true,
  description: 'A change of a workflow, with the state that it led to. Kept as long as the workflow, the last 500.',
})
export class WorkflowChange {
  workflowId!: string
  /** Names, as they were, of the channels and skills of the workflow's organization and below that its rules name. */
  names!: Record<string, string>

  @Field(() => Int, { description: "The workflow's `version` after it." }) number!: number
  @Field(() => DateTime) at!: Date
  @Field(() => ID, { nullable: true, description: 'Author of the change; null for the system.' })
  userId!: string | null
  @Field(() => WorkflowChangeKindEnum, {
    nullable: true,
    description: 'Null for a state that was found when a later change was stored.',
  })
  kind!: WorkflowChangeKind | null
  @Field(() => String, { nullable: true, description: 'Comment of its author.' }) comment!: string | null
  @Field(() => Int, { nullable: true, description: 'Number of the change whose state was restored.' })
  restoredFrom!: number | null
  @Field(() => String, { nullable: true, description: 'Name of the workflow after it.' }) name!: string | null
  @Field(() => [ID], { nullable: true, description: 'Organizations that limited the workflow after it.' })
  organizations!: string[] | null
  @Field(() => [String], { nullable: true, description: 'Tags and groups that limited the workflow after it.' })
  organizationTags!: string[] | null
  @Field(() => Int, { description: 'Number of rules after it.' }) ruleCount!: number
}
