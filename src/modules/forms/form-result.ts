import { Ctx, Extensions, Field, FieldResolver, ID, Int, InterfaceType, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { JsonObject } from '../../platform/json.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { ActiveForm, FormResult } from './active-form.js'
import { Form, formLoader } from './form.js'

const FORM = 'Id of the form whose values these are.'
const WHOLE_FORM =
  'The form, with its questions. Null for a guest, and when it has been deleted or is no longer shared.'
const CATEGORY = 'Category to which the form belongs; null for a static form.'
const CATEGORY_INDEX = "Zero-based index of that category in the organization's categories."

@Extensions(PART_OF_RECORD)
@InterfaceType({ description: 'Values under a name: a form that was filled in, or what a bot reports.' })
export abstract class Result {
  @Field(() => String, { simple: true, description: 'Name of the form, or of what is reported.' })
  name!: string

  @Field(() => JsonObjectScalar, { simple: true, description: "Values; a form's by the keys of its fields." })
  values!: JsonObject
}

@Extensions(PART_OF_RECORD)
@ObjectType('ActiveForm', {
  simpleResolvers: true,
  description: 'A form in a conversation, with its values so far (2.8).',
})
export class ActiveFormObject implements Omit<ActiveForm, 'form'> {
  @Field(() => String, { description: 'Name of the form.' }) name!: string
  @Field(() => String, { nullable: true, description: CATEGORY }) category!: string | null
  @Field(() => Int, { nullable: true, description: CATEGORY_INDEX }) categoryIndex!: number | null
  @Field(() => JsonObjectScalar, { description: 'Values by the keys of the fields.' }) values!: ActiveForm['values']
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which it was last filled in completely; null while a required field has no value.',
  })
  completedAt!: string | null
}

@Extensions(PART_OF_RECORD)
@ObjectType('FormResult', {
  implements: Result,
  simpleResolvers: true,
  description: 'A completed form that was submitted (2.8; 4.8, `/send`).',
})
export class FormResultObject extends Result {
  @Field(() => String, { nullable: true, description: CATEGORY }) category!: string | null
  @Field(() => Int, { nullable: true, description: CATEGORY_INDEX }) categoryIndex!: number | null
  @Field(() => DateTime, { description: 'Time at which it was filled in completely.' }) completedAt!: string
}

@Resolver(() => ActiveFormObject)
export class ActiveFormsResolver {
  @FieldResolver(() => ID, { description: FORM })
  formId(@Root() { form }: ActiveForm): string {
    return form
  }

  @FieldResolver(() => Form, { nullable: true, description: WHOLE_FORM })
  form(@Root() { form }: ActiveForm, @Ctx() ctx: Context): Promise<Form | null> | null {
    return loadWholeForm(ctx, form)
  }
}

@Resolver(() => FormResultObject)
export class FormResultsResolver {
  @FieldResolver(() => ID, { description: FORM })
  formId(@Root() { form }: FormResult): string {
    return form
  }

  @FieldResolver(() => Form, { nullable: true, description: WHOLE_FORM })
  form(@Root() { form }: FormResult, @Ctx() ctx: Context): Promise<Form | null> | null {
    return loadWholeForm(ctx, form)
  }
}

/** A guest sees the questions of a form only where somebody asks it to fill them in. */
function loadWholeForm(ctx: Context, id: string): Promise<Form | null> | null {
  return ctx.seesAsConsumer ? null : ctx.loader(formLoader).load(id)
}
