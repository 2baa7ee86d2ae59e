import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Extensions, Field, ID, Int, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { NotifyEvent, NotifyParams, RuleDefinition, WorkflowDefinition } from './rule-definition.js'
import type { Conditions } from './conditions.js'
import { OWN_ID } from '../../platform/lists/own-id.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { RuleEventType } from './rule-event-type.js'

@ObjectType({ simpleResolvers: true, description: 'Targets of a rule, its delay and whether it is the last (2.7).' })
export class RuleEventParams implements NotifyParams {
  @Field(() => String, { nullable: true, description: 'Rule or event name shown in admin UIs.' })
  name?: string

  @Field(() => [ID], { nullable: true, description: 'Channels to notify.' })
  channels?: string[]

  @Field(() => [ID], { nullable: true, description: 'Users notified whatever channels they are subscribed to.' })
  users?: string[]

  @Field(() => Int, { nullable: true, description: 'Seconds to wait before notifying; null means 0.' })
  delay?: number

  @Field(() => Boolean, { nullable: true, description: 'Whether no further rules are processed; null means false.' })
  isLastRule?: boolean

  @Field(() => [ID], { nullable: true, description: 'Skills that an agent must have to be offered the conversation.' })
  skills?: string[]

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds from the queueing after which agents without the skills are offered it too; null: never.',
  })
  skillsDropAfter?: number

  @Field(() => Int, {
    nullable: true,
    description: 'Conversations of a higher urgency are offered first, -1000 to 1000; null means 0.',
  })
  urgency?: number
}

@ObjectType({ simpleResolvers: true, description: 'Action of a rule when it fires (2.7).' })
export class RuleEvent implements NotifyEvent {
  @Field(() => RuleEventType, { description: 'Action of the rule when it fires.' })
  type!: RuleEventType

  @Field(() => RuleEventParams, { description: 'Parameters as saved; those not given are null.' })
  params!: NotifyParams
}

@ObjectType({ simpleResolvers: true, description: 'Conditions and the event that fires when they hold (2.7).' })
export class WorkflowRule implements RuleDefinition {
  @Extensions(OWN_ID)
  @Field(() => ID, { description: 'As given on create, else a UUID.' })
  id!: string

  @Field(() => JsonObjectScalar, {
    description: 'A tree of `all` and `any` over `{fact, path, operator, value}` (4.6).',
  })
  conditions!: Conditions

  @Field(() => RuleEvent)
  event!: NotifyEvent

  @Field(() => Int, {
    description: 'Priority, at least 1. Higher runs first, equal ones in parallel; ignored for a delayed rule.',
  })
  priority!: number
}

@Entity({ tableName: 'workflow' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A list of rules that decide which channels and users are notified of a queued conversation (2.7, 3.4).',
})
export class Workflow extends TenantRecord {
  @Field(() => ID, {
    description: 'Owning organization; the workflow runs for it and, unless limited, for its descendants.',
  })
  declare organizationId: string

  @Property({ type: 'text' })
  @Extensions(OWN_ID)
  @Field(() => ID, {
    description:
      'The `_id` of its creation, unique in the contact center; without one, its id. Finds it as the id does.',
  })
  externalId!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true })
  name!: string | null

  @Property({ type: TextArray, nullable: true })
  @Field(() => [ID], { nullable: true, description: limits('Organizations') })
  organizations!: string[] | null

  @Property({ type: TextArray, nullable: true })
  @Field(() => [String], {
    nullable: true,
    description: limits('Tags of organizations and ids of organization groups'),
  })
  organizationTags!: string[] | null

  @Property({ type: 'json' })
  @Field(() => [WorkflowRule], { description: 'Rules as given; they run in the order of delay and priority.' })
  rules!: RuleDefinition[]
}

function limits(what: string): string {
  return `${what} that limit the workflow among the descendants of its organization. Without any limit it runs for all of them.`
}

/** Returns the part of a workflow that is evaluated. */
export function definitionOf(workflow: Workflow): WorkflowDefinition {
  const { id, name, rules } = workflow
  return { id, name: name ?? '', version: versionKey(workflow), rules }
}

/**
 * Identifies one state of a workflow's rules permanently: a client may delete a workflow and create another with the
 * same id, whose version restarts. {@link VERSION_KEY_SQL} is the same in SQL.
 */
export function versionKey({ version, createdAt }: Pick<Workflow, 'version' | 'createdAt'>): string {
  return `${version}@${createdAt.getTime()}`
}

/** {@link versionKey} of the alias `w`. */
export const VERSION_KEY_SQL = "w.version || '@' || (extract(epoch from w.created_at) * 1000)::bigint"
