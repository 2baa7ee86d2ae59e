import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { ReasonCodeConnection, ReasonCodeFilter, reasonCodeList, ReasonCodeOrder } from './reason-code-list.js'
import { createReasonCode, deleteReasonCode, updateReasonCode } from './reason-code-writes.js'
import { CreateReasonCodeInput, ReasonCode, UpdateReasonCodeInput } from './reason-code.js'

@Resolver(() => ReasonCode)
export class ReasonCodesResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('reasonCode.fetch')
  @Query(() => ReasonCode, { nullable: true, description: 'A reason code of an organization that the caller sees.' })
  reasonCode(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ReasonCode> {
    return fetchRecord(ctx, ReasonCode, id)
  }

  @Authorized('reasonCode.list')
  @Query(() => ReasonCodeConnection, {
    description: "The reason codes of the caller's organization and of those below it.",
  })
  reasonCodes(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ReasonCodeFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ReasonCodeOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<ReasonCode>> {
    return listPage(ctx, reasonCodeList, { args, filter, orderBy })
  }

  @Authorized('reasonCode.create')
  @Mutation(() => ReasonCode, { description: 'Creates a reason code. An organization can have at most 100.' })
  createReasonCode(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateReasonCodeInput) input: CreateReasonCodeInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<ReasonCode> {
    return idempotently(ctx, { key, operation: 'createReasonCode', input }, () =>
      createReasonCode(ctx, this.transact, input),
    )
  }

  @Authorized('reasonCode.update')
  @Mutation(() => ReasonCode, { description: 'Updates a reason code. Only the given keys change.' })
  updateReasonCode(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateReasonCodeInput) patch: UpdateReasonCodeInput,
  ): Promise<ReasonCode> {
    return updateReasonCode(ctx, this.transact, { id, patch })
  }

  @Authorized('reasonCode.delete')
  @Mutation(() => ID, { description: 'Deletes a reason code. Reports keep its id, without a name.' })
  async deleteReasonCode(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteReasonCode(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: ReasonCode, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
