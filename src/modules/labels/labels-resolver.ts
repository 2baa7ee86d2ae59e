import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { LabelConnection, LabelFilter, labelList, LabelOrder } from './label-list.js'
import { archiveLabel, createLabel, updateLabel } from './label-writes.js'
import { CreateLabelInput, Label, UpdateLabelInput } from './label.js'

@Resolver(() => Label)
export class LabelsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('label.fetch')
  @Query(() => Label, { nullable: true, description: 'A label of an organization that the caller sees.' })
  label(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Label> {
    return fetchRecord(ctx, Label, id)
  }

  @Authorized('label.list')
  @Query(() => LabelConnection, {
    description: "The labels of the caller's organization and of those below it, archived ones too.",
  })
  labels(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => LabelFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [LabelOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Label>> {
    return listPage(ctx, labelList, { args, filter, orderBy })
  }

  @Authorized('label.create')
  @Mutation(() => Label, { description: 'Creates a label. An organization can have at most 500.' })
  createLabel(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateLabelInput) input: CreateLabelInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Label> {
    return idempotently(ctx, { key, operation: 'createLabel', input }, () => createLabel(ctx, this.transact, input))
  }

  @Authorized('label.update')
  @Mutation(() => Label, { description: 'Updates a label. Only the given keys change.' })
  updateLabel(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateLabelInput) patch: UpdateLabelInput,
  ): Promise<Label> {
    return updateLabel(ctx, this.transact, { id, patch })
  }

  @Authorized('label.archive')
  @Mutation(() => Label, {
    description: 'Archives a label: it stays on the conversations that have it, and is put on no more.',
  })
  archiveLabel(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('isArchived', () => Boolean, { nullable: true, description: 'False uses it again; true by default.' })
    isArchived?: boolean | null,
  ): Promise<Label> {
    return archiveLabel(ctx, this.transact, { id, isArchived: isArchived ?? true })
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: Label, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
