import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const MacroStepKindEnum = graphqlEnum('MacroStepKind', 'Kind of a step of a macro.', {
  REPLY: ['reply', 'Sends `text` to the consumer, as the touchpoint of the conversation has it.'],
  NOTE: ['note', 'Writes `text` as a note for colleagues.'],
  LABELS: ['labels', 'Puts on the labels `add`, and takes off those of `remove`.'],
  CATEGORY: ['category', 'Sets the category.'],
  FORM: ['form', 'Asks the consumer to fill in the form `form`.'],
  SNOOZE: ['snooze', 'Puts the conversation aside, for `minutes` or `until` a time; the last step.'],
  HAND_OVER: ['handOver', 'Hands it over to `user` or to the queue of `channel`, with a `note`; the last step.'],
  CLOSE: ['close', 'Closes it; the last step.'],
})
export type MacroStepKind = (typeof MacroStepKindEnum)[keyof typeof MacroStepKindEnum]

export const SnoozeUntilEnum = graphqlEnum(
  'SnoozeUntil',
  "A time in the zone of whoever runs the macro, else the organization's.",
  {
    AFTERNOON: ['afternoon', 'The next 17:00 that is at least an hour away.'],
    TOMORROW: ['tomorrow', '08:00 of the next day.'],
    NEXT_WEEK: ['nextWeek', '08:00 of the next Monday.'],
  },
)
export type SnoozeUntil = (typeof SnoozeUntilEnum)[keyof typeof SnoozeUntilEnum]

/** A step as it is stored. `name` is that of the form, user or channel then, for the refusal of one that is gone. */
export type Step =
  | { kind: 'reply'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'labels'; add: string[]; remove: string[] }
  | { kind: 'category'; category: string }
  | { kind: 'form'; form: string; name: string }
  | { kind: 'snooze'; minutes: number | null; until: SnoozeUntil | null }
  | { kind: 'handOver'; user: string | null; channel: string | null; note: string | null; name: string }
  | { kind: 'close' }

export type StepOf<Kind extends MacroStepKind> = Extract<Step, { kind: Kind }>

const TEXT =
  'Text of `REPLY` and `NOTE`: not blank, at most 5,000 characters. In a reply, `{{ givenName }}` stands for the given name of the contact (2.3).'
const ADD = 'Ids of labels that `LABELS` puts on, at most 20.'
const REMOVE = 'Ids of labels that `LABELS` takes off, at most 20.'
const CATEGORY = "Name of the category that `CATEGORY` sets, one of the organization's."
const FORM = 'Id of the form that `FORM` asks with.'
const MINUTES = 'Minutes for which `SNOOZE` puts it aside, 1 to 525600; either this or `until`.'
const UNTIL = 'Time of the day until which `SNOOZE` puts it aside; either this or `minutes`.'
const USER = 'Id of the colleague to whom `HAND_OVER` gives it; either this or `channel`.'
const CHANNEL = 'Id of the channel to whose queue `HAND_OVER` gives it; either this or `user`.'
const NOTE = 'Note of `HAND_OVER` for the next agent, at most 5,000 characters.'

@InputType({ description: 'A step of a macro. Fields of other kinds would have no effect, and are refused.' })
export class MacroStepInput {
  @Field(() => MacroStepKindEnum, { description: 'Kind of the step: the act that it does.' })
  kind!: MacroStepKind
  @Field(() => String, { nullable: true, description: TEXT }) text?: string | null
  @Field(() => [ID], { nullable: true, description: ADD }) add?: string[] | null
  @Field(() => [ID], { nullable: true, description: REMOVE }) remove?: string[] | null
  @Field(() => String, { nullable: true, description: CATEGORY }) category?: string | null
  @Field(() => ID, { nullable: true, description: FORM }) form?: string | null
  @Field(() => Int, { nullable: true, description: MINUTES }) minutes?: number | null
  @Field(() => SnoozeUntilEnum, { nullable: true, description: UNTIL }) until?: SnoozeUntil | null
  @Field(() => ID, { nullable: true, description: USER }) user?: string | null
  @Field(() => ID, { nullable: true, description: CHANNEL }) channel?: string | null
  @Field(() => String, { nullable: true, description: NOTE }) note?: string | null
}

@ObjectType({ simpleResolvers: true, description: 'A step of a macro: its kind, and the fields of that kind.' })
export class MacroStep {
  @Field(() => MacroStepKindEnum, { description: 'Kind of the step: the act that it does.' })
  kind!: MacroStepKind
  @Field(() => String, { nullable: true, description: TEXT }) text?: string | null
  @Field(() => [ID], { nullable: true, description: ADD }) add?: string[] | null
  @Field(() => [ID], { nullable: true, description: REMOVE }) remove?: string[] | null
  @Field(() => String, { nullable: true, description: CATEGORY }) category?: string | null
  @Field(() => ID, { nullable: true, description: FORM }) form?: string | null
  @Field(() => Int, { nullable: true, description: MINUTES }) minutes?: number | null
  @Field(() => SnoozeUntilEnum, { nullable: true, description: UNTIL }) until?: SnoozeUntil | null
  @Field(() => ID, { nullable: true, description: USER }) user?: string | null
  @Field(() => ID, { nullable: true, description: CHANNEL }) channel?: string | null
  @Field(() => String, { nullable: true, description: NOTE }) note?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Name of the form, the colleague or the channel, as it was when the macro was saved.',
  })
  name?: string | null
}
