import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { loadFound } from '../../platform/lists/rows.js'
import { Organization, OrganizationCategory, organizationLoader } from '../organizations/organization.js'
import { fetchShared } from '../sharing/shared-records.js'
import { FormField } from './form-field.js'
import { FormConnection, FormFilter, formList, FormOrder } from './form-list.js'
import { createForm, deleteForm, updateForm } from './form-writes.js'
import { CreateFormInput, Form, formLoader, sharedForms, shownForm, UpdateFormInput } from './form.js'

@Resolver(() => Form)
export class FormsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('form.fetch')
  @Query(() => Form, {
    nullable: true,
    description: 'A form of an organization that the caller sees, or a template (4.3).',
  })
  async form(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Form> {
    return shownForm(ctx, await fetchShared(ctx, sharedForms, id))
  }

  @Authorized('form.list')
  @Query(() => FormConnection, {
    description: "Forms of the caller's organization and those below it, and templates shared with it (4.3).",
  })
  async forms(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => FormFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [FormOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Form>> {
    const page = await listPage<Form>(ctx, formList, { args, filter, orderBy })
    return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: shownForm(ctx, node) })) }
  }

  @Authorized('form.create')
  @Mutation(() => Form, { description: 'Creates a form. UNPROCESSABLE if the organization has a form of this name.' })
  createForm(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateFormInput) input: CreateFormInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Form> {
    return idempotently(ctx, { key, operation: 'createForm', input }, () => createForm(ctx, this.transact, input))
  }

  @Authorized('form.update')
  @Mutation(() => Form, {
    description: 'Updates a form. Only the given keys change; `fields` replaces all fields. FORBIDDEN for a template.',
  })
  updateForm(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateFormInput) patch: UpdateFormInput,
  ): Promise<Form> {
    return updateForm(ctx, this.transact, { id, patch })
  }

  @Authorized('form.delete')
  @Mutation(() => ID, {
    description: 'Deletes a form and removes it from categories; conversations keep its values.',
  })
  async deleteForm(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteForm(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization; null for a template.' })
  organization(@Root() form: Form, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(form.organizationId)
  }
}

@Resolver(() => OrganizationCategory)
export class CategoryFormsResolver {
  @FieldResolver(() => [ID], { description: 'Forms attached to the category.' })
  formIds(@Root() { forms }: OrganizationCategory): string[] {
    return forms ?? []
  }

  @FieldResolver(() => [Form], { description: 'Forms attached to the category that the caller sees.' })
  forms(@Root() { forms }: OrganizationCategory, @Ctx() ctx: Context): Promise<Form[]> {
    return loadFound(ctx, formLoader, forms ?? [])
  }
}

@Resolver(() => FormField)
export class FormFieldsResolver {
  @FieldResolver(() => String, { description: 'Alias of `label` for the legacy interface.' })
  name(@Root() { label }: FormField): string {
    return label
  }
}
