import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../../platform/events/event.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { TenantRecord } from '../../../platform/lists/tenant-record.js'
import type { RuleDefinition } from '../rule-definition.js'
import { WorkflowRule } from '../workflow.js'

export const PublicationRefusalReasonEnum = graphqlEnum(
  'PublicationRefusalReason',
  'Reasons for which a draft was not published at its time.',
  {
    CHANGED: ['changed', 'Somebody changed the rules of the workflow since the draft was begun.'],
    TARGETS_GONE: ['targetsGone', 'Rules name channels, users or skills that are gone.'],
    NOT_ALLOWED: ['notAllowed', 'The author is no administrator of the workflow any more.'],
    REFUSED: ['refused', 'The rules exceed a limit.'],
  },
)
export type PublicationRefusalReason = (typeof PublicationRefusalReasonEnum)[keyof typeof PublicationRefusalReasonEnum]

@ObjectType({ simpleResolvers: true, description: 'A planned publication that did not take place.' })
export class PublicationRefusal {
  @Field(() => DateTime) at!: string
  @Field(() => PublicationRefusalReasonEnum, { description: 'Reason for which the draft was not published.' })
  reason!: PublicationRefusalReason
  @Field(() => String, { description: 'The reason in words, in English.' }) message!: string
}

@Entity({ tableName: 'workflow_draft' })
@ObjectType({
  simpleResolvers: true,
  description: 'Rules of a workflow that one administrator prepares: each has a draft of their own, and none runs.',
})
export class WorkflowDraft extends TenantRecord {
  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The workflow whose rules it would replace.' })
  workflowId!: string

  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The administrator whose draft it is.' })
  userId!: string

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'The `version` of the workflow with which it began.' })
  baseVersion!: number

  /** {@link hashOfRules} of the workflow then. */
  @Property({ type: 'text' })
  baseHash!: string

  @Property({ type: 'json' })
  @Field(() => [WorkflowRule], { description: 'The rules as they would become.' })
  rules!: RuleDefinition[]

  /** Names of the channels and skills that its rules name, for when these are gone. */
  @Property({ type: 'json' })
  names!: Record<string, string>

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which it will be published; null if that is not planned.',
  })
  publishAt!: Date | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Comment of the planned publication.' })
  comment!: string | null

  @Property({ type: 'json', nullable: true })
  @Field(() => PublicationRefusal, {
    nullable: true,
    description: 'The planned publication that did not take place, until the draft is saved or planned again.',
  })
  refusal!: PublicationRefusal | null
}

/** Without the rules. */
interface DraftData {
  workflow: string
  user: string
  publishAt: string | null
}

declare module '../../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'workflowDraft', DraftData> {
    /** A planned publication did not take place. */
    'workflowDraft.refused': {
      id: string
      organization: string
      workflow: string
      user: string
      reason: PublicationRefusalReason
      message: string
    }
  }
}

export function emitDraft(tx: WriteTx, draft: WorkflowDraft, what: RecordChange): void {
  const { id, organizationId: organization, workflowId: workflow, userId: user, publishAt } = draft
  const data = { id, organization, workflow, user, publishAt: publishAt?.toISOString() ?? null }
  tx.emit(organizationStream(organization), `workflowDraft.${what}`, data)
}
