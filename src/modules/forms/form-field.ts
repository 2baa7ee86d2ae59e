import { Extensions, Field, Float, ID, InputType, ObjectType } from 'type-graphql'
import type { JsonValue } from '../../platform/json.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { Json } from '../../platform/lists/scalars.js'

const FormFieldTypeEnum = graphqlEnum('FormFieldType', 'Type of a form field.', {
  TEXT: ['text', 'A single line of text.'],
  TEXTAREA: ['textarea', 'Several lines.'],
  EMAIL: ['email', 'An email address; stored in lower case.'],
  TELEPHONE: [
    'telephone',
    "A telephone number; stored in E.164, national ones interpreted in the organization's country.",
  ],
  NUMBER: ['number', 'A number, whole or with decimals.'],
  DATE: ['date', 'A calendar day, `2026-12-31`.'],
  BOOLEAN: ['boolean', 'True or false.'],
  SELECT: ['select', 'A choice of one option.'],
  MULTISELECT: ['multiselect', 'A choice of several options.'],
  URL: ['url', 'An http or https address.'],
})
export type FormFieldType = (typeof FormFieldTypeEnum)[keyof typeof FormFieldTypeEnum]
export const FORM_FIELD_TYPES = Object.values(FormFieldTypeEnum)

const KEY = 'Key of the value: unique in the form; letters, digits, `_`, `-` and `.`.'
const PATTERN =
  'A regular expression that the whole value must match. Evaluated in linear time: no lookaround, no backreferences.'
const MIN = 'Minimum value of a number, length of a text or number of choices of a multiselect.'
const MAX = 'Maximum value of a number, length of a text or number of choices of a multiselect.'
const PROFILE_FIELD =
  'Profile field of the contact that the value fills, such as `email` or `address.postalCode` (2.12).'

@Extensions(PART_OF_RECORD)
@ObjectType({ simpleResolvers: true, description: 'A field of a form (2.12).' })
export class FormField {
  @Field(() => ID, { description: 'Unique in the form.' })
  id!: string

  @Field(() => String, { description: KEY })
  key!: string

  @Field(() => String, { description: 'Label shown when filling in the form.' })
  label!: string

  @Field(() => FormFieldTypeEnum, { description: 'Type of the field.' })
  type!: FormFieldType

  @Field(() => Boolean, { description: 'Whether the form is only complete with a value of this field.' })
  required!: boolean

  @Field(() => [String], { description: 'The choices of a select or multiselect; empty for other types.' })
  options!: string[]

  @Field(() => String, { nullable: true, description: 'Placeholder shown in the empty field.' })
  placeholder!: string | null

  @Field(() => Json, { nullable: true, description: 'Initial value.' })
  default!: JsonValue

  @Field(() => String, { nullable: true, description: PATTERN })
  pattern!: string | null

  @Field(() => Float, { nullable: true, description: MIN })
  min!: number | null

  @Field(() => Float, { nullable: true, description: MAX })
  max!: number | null

  @Field(() => String, { nullable: true, description: PROFILE_FIELD })
  profileField!: string | null
}

@InputType({ description: 'A field of a form.' })
export class FormFieldInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Defaults to the id of the stored field with this key, or a new one. Letters, digits, `_` and `-`.',
  })
  id?: string | null

  @Field(() => String, { nullable: true, description: `${KEY} Derived from the label when absent.` })
  key?: string | null

  @Field(() => String, { nullable: true, description: 'Label; defaults to the key.' })
  label?: string | null

  @Field(() => String, { nullable: true, description: 'Alias of `label` for the legacy interface.' })
  name?: string | null

  @Field(() => FormFieldTypeEnum, { nullable: true, description: '`TEXT` when absent.' })
  type?: FormFieldType | null

  @Field(() => Boolean, { nullable: true, description: 'Defaults to false.' })
  required?: boolean | null

  @Field(() => [String], {
    nullable: true,
    description: 'Choices of a select or multiselect, which need at least one.',
  })
  options?: string[] | null

  @Field(() => String, { nullable: true, description: 'Placeholder shown in the empty field.' })
  placeholder?: string | null

  @Field(() => Json, { nullable: true, description: 'Initial value; must be valid for the field.' })
  default?: JsonValue

  @Field(() => String, { nullable: true, description: `${PATTERN} For text, textarea, email, telephone and url.` })
  pattern?: string | null

  @Field(() => Float, { nullable: true, description: MIN })
  min?: number | null

  @Field(() => Float, { nullable: true, description: MAX })
  max?: number | null

  @Field(() => String, { nullable: true, description: PROFILE_FIELD })
  profileField?: string | null
}
