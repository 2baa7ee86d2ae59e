import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { sharedSql } from '../../platform/db/tenancy.js'
import { TextArray } from '../../platform/db/text-array.js'
import type { JsonObject } from '../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { isShared, sharedLoader, type SharedResource } from '../sharing/shared-records.js'
import { FormField, FormFieldInput } from './form-field.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

const IS_STATIC =
  'Whether the form is always available; other forms are attached to categories as topics. Rules find their values in different ' +
  'places (4.6, `forms`).'
const EMAIL = 'Addresses that receive the results when the form is submitted (4.8, `/send`).'
const TAGS = 'Shares the form with organizations that have one of them; set by administrators (4.3).'

@Entity({ tableName: 'form' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A form to collect data from a consumer in a conversation (2.11, 4.6).',
})
export class Form extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: 'Name, unique in the organization: rules refer to the form by it (4.6).' })
  name!: string

  @Property({ type: 'boolean' })
  @Field(() => Boolean, { description: IS_STATIC })
  isStatic!: boolean

  @Property({ type: 'json' })
  @Field(() => [FormField], { description: 'Fields in display order.' })
  fields!: FormField[]

  @Property({ type: TextArray })
  @Field(() => [String], {
    description: `${EMAIL} Empty for a template, and where another record such as a category refers to the form.`,
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
    description: 'Whether another organization shares it with the caller by a tag; it can then only be read (4.3).',
  })
  isTemplate!: boolean
}

@InputType()
export abstract class FormFieldsInput {
  @Field(() => String, {
    nullable: true,
    description: 'Not blank, at most 200 characters, unique in the organization.',
  })
  name?: string | null

  @Field(() => Boolean, { nullable: true, description: `${IS_STATIC} Defaults to false.` })
  isStatic?: boolean | null

  @Field(() => [FormFieldInput], {
    nullable: true,
    description: 'Replaces all fields; a field with a known key keeps its id.',
  })
  fields?: FormFieldInput[] | null

  @Field(() => [String], { nullable: true, description: EMAIL })
  email?: string[] | null

  @Field(() => [String], { nullable: true, description: TAGS })
  tags?: string[] | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Replaces all except the system's keys (2.12)." })
  meta?: JsonObject | null
}

@InputType({ description: 'Changes of a form. Only the given keys change; `null` clears.' })
export class UpdateFormInput extends FormFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new form.' })
export class CreateFormInput extends FormFieldsInput {
  @Field(() => String, { description: 'Not blank, at most 200 characters, unique in the organization.' })
  declare name: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

export const sharedForms: SharedResource<Form> = { entity: Form, table: 'form', visible: sharedSql('form') }

/**
 * Returns the form as the caller may see it: without mail addresses if it is another organization's. A copy, so that
 * the change is never stored.
 */
export function shownForm(ctx: Context, form: Form): Form {
  const {
    id,
    organizationId,
    org1,
    org2,
    org3,
    name,
    isStatic,
    fields,
    email,
    tags,
    meta,
    createdAt,
    updatedAt,
    version,
  } = form
  const isTemplate = isShared(ctx, form)
  const columns = {
    id,
    organizationId,
    org1,
    org2,
    org3,
    name,
    isStatic,
    fields,
    tags,
    meta,
    createdAt,
    updatedAt,
    version,
  }
  return { ...columns, isTemplate, email: isTemplate ? [] : email }
}

const rows = sharedLoader(sharedForms)

/**
 * Loads forms for references such as a category's. Agents fill in forms; the mail addresses are only for callers that
 * may fetch forms.
 */
export const formLoader: LoaderDefinition<Form> = {
  async load(ctx, ids) {
    const found = await rows.load(ctx, ids)
    return new Map(found.values().map((form) => [form.id, { ...shownForm(ctx, form), email: [] }]))
  },
}
