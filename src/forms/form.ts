import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../context.js'
import { sharedSql, TenantEntity } from '../db/tenancy.js'
import { TextArray } from '../db/text-array.js'
import type { JsonObject } from '../json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import { isShared, sharedLoader, type SharedResource } from '../sharing/shared-records.js'
import { FormField, FormFieldInput } from './form-field.js'

const IS_STATIC =
  'A static form is always there; others are attached to categories as topics. Rules find their values in different ' +
  'places (4.6, `forms`).'
const EMAIL = 'Addresses that get the results when the form is sent (4.8, `/send`).'
const TAGS = 'Shares the form with organizations that have one of them; set by administrators (4.3).'

@Entity({ tableName: 'form' })
@ObjectType({ simpleResolvers: true, description: 'What is asked of a consumer in a conversation (2.11, 4.6).' })
export class Form extends TenantEntity {
  @Field(() => ID)
  declare id: string

  @Field(() => ID, { description: 'Owning organization.' })
  declare organizationId: string

  @Property({ type: 'text' })
  @Field(() => String, { description: 'Unique in the organization: rules know the form by it (4.6).' })
  name!: string

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: IS_STATIC })
  isStatic!: boolean

  @Property({ type: 'json' })
  @Field(() => [FormField], { description: 'In the order in which they are asked.' })
  fields!: FormField[]

  @Property({ type: TextArray })
  @Field(() => [String], {
    description: `${EMAIL} Empty where the form is only referred to, as by a category, and for a template.`,
  })
  email!: string[]

  @Property({ type: TextArray })
  @Field(() => [String], { description: TAGS })
  tags!: string[]

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Passed on to backend automations (2.12).' })
  meta!: JsonObject | null

  /** See {@link shownForm}. */
  @Property({ type: 'boolean', persist: false })
  @Field(() => Boolean, {
    description: 'Another organization shares it with the viewer by a tag: it can only be read (4.3).',
  })
  isTemplate!: boolean

  @Field(() => DateTime)
  declare createdAt: Date

  @Field(() => DateTime)
  declare updatedAt: Date
}

@InputType({ description: 'Only the given keys change; `null` clears.' })
export class UpdateFormInput {
  @Field(() => String, {
    nullable: true,
    description: 'Not blank, at most 200 characters, unique in the organization.',
  })
  name?: string | null

  @Field(() => Boolean, { nullable: true, description: `${IS_STATIC} False when absent.` })
  isStatic?: boolean | null

  @Field(() => [FormFieldInput], {
    nullable: true,
    description: 'Replaces all fields; one with a known key keeps its id.',
  })
  fields?: FormFieldInput[] | null

  @Field(() => [String], { nullable: true, description: EMAIL })
  email?: string[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Replaces all but the system's keys (2.12)." })
  meta?: JsonObject | null
}

@InputType({ description: 'A new form.' })
export class CreateFormInput extends UpdateFormInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters, unique in the organization.' })
  declare name: string

  @Field(() => ID, { nullable: true, description: "The caller's organization when absent." })
  organization?: string | null
}

export const sharedForms: SharedResource<Form> = { entity: Form, table: 'form', visible: sharedSql('form') }

/**
 * A form as its viewer sees it: of another organization's, not whom it mails. A copy, so that this never finds its way
 * into the database.
 */
export function shownForm(ctx: Context, form: Form): Form {
  const { id, organizationId, org1, org2, org3, name, isStatic, fields, email, tags, meta, createdAt, updatedAt } = form
  const isTemplate = isShared(ctx, form)
  const shown = { id, organizationId, org1, org2, org3, name, isStatic, fields, tags, meta, createdAt, updatedAt }
  return { ...shown, isTemplate, email: isTemplate ? [] : email }
}

const rows = sharedLoader(sharedForms)

/** For references such as a category's forms. Agents fill forms; whom these mail is for those who may fetch them. */
export const formLoader: LoaderDefinition<Form> = {
  async load(ctx, ids) {
    const found = await rows.load(ctx, ids)
    return new Map(found.values().map((form) => [form.id, { ...shownForm(ctx, form), email: [] }]))
  },
}
