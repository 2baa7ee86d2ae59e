import { Arg, Authorized, Ctx, Extensions, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { Json } from '../../platform/lists/scalars.js'
import type { JsonValue } from '../../platform/json.js'
import type { ChangeAction, FieldChange, RecordChanges } from './describe-changes.js'
import {
  applyRouting,
  exportRouting,
  planRouting,
  type RoutingCodeOptions,
  type RoutingPlanResult,
} from './plan-routing.js'
import type { Section } from './sections.js'

const RoutingSectionEnum = graphqlEnum('RoutingSection', 'Part of a routing document.', {
  SKILLS: ['skills', 'Skills of agents.'],
  HOLIDAY_CALENDARS: ['holidayCalendars', 'Calendars of holidays.'],
  SCHEDULES: ['schedules', 'Hours.'],
  CHANNELS: ['channels', 'Channels with their assignment, service level and survey; not their members.'],
  SLA_POLICIES: ['slaPolicies', 'SLA policies.'],
  WORKFLOWS: ['workflows', 'Workflows with their rules.'],
}) satisfies Readonly<Record<string, Section>>

const RoutingActionEnum = graphqlEnum('RoutingAction', 'Act of a routing document on a record.', {
  CREATE: ['create', 'The record is created.'],
  UPDATE: ['update', 'The record is changed.'],
  DELETE: ['delete', 'The record is deleted: its section is managed, and the document has it not.'],
}) satisfies Readonly<Record<string, ChangeAction>>

const DIGEST =
  'Stands for the state of what the document describes; `applyRouting` refuses another one, with the names of what changed.'
const DOCUMENT = 'The document, in YAML; at most 1000000 characters.'
const ORGANIZATION = "The organization whose routing it is; by default the caller's."

/** In units of `Cost`: each reads hundreds of records. */
const WHOLE = { cost: 500 }

@ObjectType({ simpleResolvers: true, description: "An organization's own routing as a document." })
export class RoutingDocument {
  @Field(() => String, {
    description: 'The document, in YAML: the same for the same state, with names and no secrets.',
  })
  text!: string

  @Field(() => String, { description: DIGEST })
  digest!: string
}

@ObjectType({ simpleResolvers: true, description: 'A value of a record that a routing document changes.' })
export class RoutingFieldChange implements FieldChange {
  @Field(() => String, { description: 'Path of the value, such as `rules["Boats"].event.params.delay`.' })
  field!: string

  @Field(() => Json, { nullable: true, description: 'Null if there was none.' })
  before!: JsonValue

  @Field(() => Json, { nullable: true, description: 'Null if there is none.' })
  after!: JsonValue
}

@ObjectType({ simpleResolvers: true, description: 'A record that a routing document changes.' })
export class RoutingChange implements RecordChanges {
  @Field(() => RoutingSectionEnum, { description: 'Section of the document.' })
  section!: Section

  @Field(() => RoutingActionEnum, { description: 'Act on the record.' })
  action!: ChangeAction

  @Field(() => String, { description: 'Name before the change; of a workflow without one its `_id`.' })
  name!: string

  @Field(() => ID, { nullable: true, description: 'Id of the record; null while it is not created.' })
  recordId!: string | null

  @Field(() => [RoutingFieldChange], { description: 'Values that differ; none of a record that is deleted.' })
  fields!: RoutingFieldChange[]
}

@ObjectType({ simpleResolvers: true, description: 'Changes that a routing document makes.' })
export class RoutingPlan implements RoutingPlanResult {
  @Field(() => [RoutingChange], { description: 'Records that differ, by section and name; none if nothing is to do.' })
  changes!: RoutingChange[]

  @Field(() => [String], { description: 'Facts to know before, such as drafts of a workflow that become outdated.' })
  notes!: string[]

  @Field(() => String, { description: DIGEST })
  digest!: string
}

@Resolver()
export class RoutingCodeResolver {
  constructor(private readonly options: RoutingCodeOptions) {}

  @Extensions(WHOLE)
  @Authorized('routing.fetch')
  @Query(() => RoutingDocument, {
    description:
      "An organization's own workflows, channels, schedules, calendars, SLA policies and skills as a document.",
  })
  routing(
    @Ctx() ctx: Context,
    @Arg('organization', () => ID, { nullable: true, description: ORGANIZATION }) organization?: string | null,
  ): Promise<RoutingDocument> {
    return exportRouting(ctx, this.options, organization)
  }

  @Extensions(WHOLE)
  @Authorized('routing.plan')
  @Query(() => RoutingPlan, {
    description:
      'The changes that a routing document would make; changes nothing. BAD_USER_INPUT has the line and column of everything wrong in `problems`.',
  })
  planRouting(
    @Ctx() ctx: Context,
    @Arg('document', () => String, { description: DOCUMENT }) document: string,
    @Arg('organization', () => ID, { nullable: true, description: ORGANIZATION }) organization?: string | null,
  ): Promise<RoutingPlan> {
    return planRouting(ctx, this.options, { document, organization })
  }

  @Extensions(WHOLE)
  @Authorized('routing.apply')
  @Mutation(() => RoutingPlan, {
    description:
      'Makes the changes of a routing document, all of them or none. PRECONDITION_FAILED with `records` if something that it describes has changed since the plan.',
  })
  applyRouting(
    @Ctx() ctx: Context,
    @Arg('document', () => String, { description: DOCUMENT }) document: string,
    @Arg('digest', () => String, { description: 'The `digest` of the plan.' }) digest: string,
    @Arg('organization', () => ID, { nullable: true, description: ORGANIZATION }) organization?: string | null,
    @Arg('comment', () => String, {
      nullable: true,
      description: 'Comment for the history of the workflows; at most 1000 characters.',
    })
    comment?: string | null,
  ): Promise<RoutingPlan> {
    return applyRouting(ctx, this.options, { document, digest, organization, comment })
  }
}
