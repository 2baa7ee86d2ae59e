import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { Node } from '../../platform/lists/node.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { MacroStep, MacroStepInput, type Step } from './macro-step.js'

const NAME =
  'Not blank, at most 80 characters; unique among the macros in use of its owner, or of those that are shared, ignoring case.'
const SHORTCUT =
  'Word that agents type to find it: letters, digits, `-` and `_`, at most 40; as unique as the name. Null: none.'
const CHANNELS = 'Ids of channels for whose conversations it is, at most 50; none: for all.'
const STEPS =
  'Steps in their order, 1 to 10: `SNOOZE`, `HAND_OVER` and `CLOSE` can only be the last one, and accept a ' +
  'conversation that waits first.'

@Entity({ tableName: 'macro' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Steps that an agent does at once with a conversation: all of them, or none.',
})
export class Macro extends TenantRecord {
  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, {
    nullable: true,
    description: 'The user whose own it is; null: all agents of the organization have it.',
  })
  ownerId!: string | null

  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: SHORTCUT })
  shortcut!: string | null

  /** Ids. */
  @Property({ type: TextArray })
  channels!: string[]

  @Property({ type: 'json' })
  @Field(() => [MacroStep], { description: STEPS })
  steps!: Step[]

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time at which it was archived; null: in use.' })
  archivedAt!: Date | null
}

@InputType({ description: 'A new macro.' })
export class CreateMacroInput {
  @Field(() => String, { description: NAME })
  name!: string

  @Field(() => String, { nullable: true, description: SHORTCUT })
  shortcut?: string | null

  @Field(() => [ID], { nullable: true, description: CHANNELS })
  channels?: string[] | null

  @Field(() => [MacroStepInput], { description: STEPS })
  steps!: MacroStepInput[]

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether all agents of the organization have it, which needs the scope admin or the supervision of a channel of it. By default it is the caller's own.",
  })
  isShared?: boolean | null

  @Field(() => ID, {
    nullable: true,
    description: "Organization that shares it; the caller's by default.",
  })
  organization?: string | null
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateMacroInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => String, { nullable: true, description: SHORTCUT })
  shortcut?: string | null

  @Field(() => [ID], { nullable: true, description: `Replaces all. ${CHANNELS}` })
  channels?: string[] | null

  @Field(() => [MacroStepInput], { nullable: true, description: `Replaces all. ${STEPS}` })
  steps?: MacroStepInput[] | null
}
