import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { JsonObject } from '../json.js'
import { Node } from '../lists/node.js'
import { TenantRecord } from '../lists/tenant-record.js'
import { JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import type { Conditions } from '../workflows/conditions.js'
import { ClockKindEnum, type ClockKind } from './clock-kind.js'

const NAME = 'Not blank, at most 200 characters.'
const CONDITIONS =
  'A tree of `all` and `any` over `{fact, path, operator, value}` as in rules (4.6); `{"all": []}` holds always.'
const POSITION = 'Policies are tried in the order of their positions; the first whose conditions hold applies.'
const SCHEDULE = 'Id of the schedule whose open time counts; all time counts without one.'
const TARGETS = 'Longest times of clocks; at least one, at most one for each.'
const MINUTES = 'Open minutes, 1 to 525600.'
const WARN = 'Warns when so many open minutes are left; fewer than `minutes`. Never by default.'

@InputType('SlaTargetInput', { description: 'Longest time that a clock may take.' })
@ObjectType({ simpleResolvers: true, description: 'Longest time that a clock may take.' })
export class SlaTarget {
  @Field(() => ClockKindEnum, { description: 'The clock that it limits.' })
  clock!: ClockKind

  @Field(() => Int, { description: MINUTES })
  minutes!: number

  @Field(() => Int, { nullable: true, description: WARN })
  warnMinutes!: number | null
}

@Entity({ tableName: 'sla_policy' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Targets of how soon consumers are served, and for which conversations they apply.',
})
export class SlaPolicy extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: 'integer' })
  @Field(() => Int, { description: 'Number of the version of its targets, from 1; running clocks keep theirs.' })
  version!: number

  @Property({ type: 'integer' })
  @Field(() => Int, { description: POSITION })
  position!: number

  @Property({ type: 'json' })
  @Field(() => JsonObjectScalar, { description: CONDITIONS })
  conditions!: Conditions

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: SCHEDULE })
  scheduleId!: string | null

  @Property({ type: 'json' })
  @Field(() => [SlaTarget], { description: TARGETS })
  targets!: SlaTarget[]
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateSlaPolicyInput {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => Int, { nullable: true, description: `${POSITION} 0 to 1000000.` })
  position?: number | null

  @Field(() => JsonObjectScalar, { nullable: true, description: `${CONDITIONS} At most 200 conditions.` })
  conditions?: JsonObject | null

  @Field(() => ID, { nullable: true, description: SCHEDULE })
  schedule?: string | null

  @Field(() => [SlaTarget], { nullable: true, description: `Replaces all. ${TARGETS}` })
  targets?: SlaTarget[] | null
}

@InputType({ description: 'A new SLA policy.' })
export class CreateSlaPolicyInput extends UpdateSlaPolicyInput {
  @Field(() => String, { description: NAME })
  declare name: string

  @Field(() => [SlaTarget], { description: TARGETS })
  declare targets: SlaTarget[]

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}
