import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { JsonObject } from '../../platform/json.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { SlaAct, SlaActInput } from './sla-act.js'
import type { Conditions } from '../workflows/conditions.js'
import { ClockKindEnum, type ClockKind } from './clock-kind.js'

const NAME = 'Not blank, at most 200 characters.'
const CONDITIONS =
  'A tree of `all` and `any` over `{fact, path, operator, value}` as in rules (4.6); `{"all": []}` holds always.'
const POSITION = 'Policies are tried in the order of their positions; the first whose conditions hold applies.'
const SCHEDULE = 'Id of the schedule whose open time counts; all time counts without one.'
const TARGETS = 'Longest times of clocks; at least one, at most one for each.'
const SECONDS = 'Open seconds, 1 to 31536000.'
const ACTS = 'Acts that follow when it warns and when it is missed; none by default.'
const WARN_SECONDS = 'Warns when so many open seconds are left; fewer than the target. Never by default.'

@InputType({
  description:
    'Longest time that a clock may take, in `seconds` or in `minutes`. Whoever gives both, as clients do that send back what ' +
    'they read, must mean the same time.',
})
export class SlaTargetInput {
  @Field(() => ClockKindEnum, { description: 'The clock that it limits.' })
  clock!: ClockKind

  @Field(() => Int, { nullable: true, description: SECONDS })
  seconds?: number | null

  @Field(() => Int, { nullable: true, description: 'The same time in whole minutes; one of the two is enough.' })
  minutes?: number | null

  @Field(() => Int, { nullable: true, description: WARN_SECONDS })
  warnSeconds?: number | null

  @Field(() => Int, { nullable: true, description: 'The same time in whole minutes; one of the two is enough.' })
  warnMinutes?: number | null

  @Field(() => [SlaActInput], { nullable: true, description: ACTS })
  acts?: SlaActInput[] | null
}

@ObjectType({ simpleResolvers: true, description: 'Longest time that a clock may take.' })
export class SlaTarget {
  @Field(() => ClockKindEnum, { description: 'The clock that it limits.' })
  clock!: ClockKind

  @Field(() => Int, { description: SECONDS })
  seconds!: number

  @Field(() => Int, { nullable: true, description: '`seconds` as minutes; null if they are no whole minutes.' })
  minutes!: number | null

  @Field(() => Int, { nullable: true, description: WARN_SECONDS })
  warnSeconds!: number | null

  @Field(() => Int, { nullable: true, description: '`warnSeconds` as minutes; null if they are no whole minutes.' })
  warnMinutes!: number | null

  @Field(() => [SlaAct], { description: ACTS })
  acts!: SlaAct[]
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

  @Field(() => Int, {
    simple: true,
    description: 'Counts its changes, from 1; running clocks keep the targets of theirs.',
  })
  declare version: number

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

@InputType()
export abstract class SlaPolicyFieldsInput {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => Int, { nullable: true, description: `${POSITION} 0 to 1000000.` })
  position?: number | null

  @Field(() => JsonObjectScalar, { nullable: true, description: `${CONDITIONS} At most 200 conditions.` })
  conditions?: JsonObject | null

  @Field(() => ID, { nullable: true, description: SCHEDULE })
  schedule?: string | null

  @Field(() => [SlaTargetInput], { nullable: true, description: `Replaces all. ${TARGETS}` })
  targets?: SlaTargetInput[] | null
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateSlaPolicyInput extends SlaPolicyFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new SLA policy.' })
export class CreateSlaPolicyInput extends SlaPolicyFieldsInput {
  @Field(() => String, { description: NAME })
  declare name: string

  @Field(() => [SlaTargetInput], { description: TARGETS })
  declare targets: SlaTargetInput[]

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}
