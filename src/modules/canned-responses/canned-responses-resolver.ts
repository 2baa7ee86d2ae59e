import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import {
  CannedResponseConnection,
  CannedResponseFilter,
  cannedResponseList,
  CannedResponseOrder,
} from './canned-response-list.js'
import { createCannedResponse, deleteCannedResponse, updateCannedResponse } from './canned-response-writes.js'
import { CannedResponse, CreateCannedResponseInput, UpdateCannedResponseInput } from './canned-response.js'

@Resolver(() => CannedResponse)
export class CannedResponsesResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('cannedResponse.fetch')
  @Query(() => CannedResponse, {
    nullable: true,
    description: 'A canned response of an organization that the caller sees.',
  })
  cannedResponse(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<CannedResponse> {
    return fetchRecord(ctx, CannedResponse, id)
  }

  @Authorized('cannedResponse.list')
  @Query(() => CannedResponseConnection, {
    description: "The canned responses of the caller's organization and of those below it.",
  })
  cannedResponses(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => CannedResponseFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [CannedResponseOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<CannedResponse>> {
    return listPage(ctx, cannedResponseList, { args, filter, orderBy })
  }

  @Authorized('cannedResponse.create')
  @Mutation(() => CannedResponse, { description: 'Creates a canned response. An organization can have at most 500.' })
  createCannedResponse(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateCannedResponseInput) input: CreateCannedResponseInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<CannedResponse> {
    return idempotently(ctx, { key, operation: 'createCannedResponse', input }, () =>
      createCannedResponse(ctx, this.transact, input),
    )
  }

  @Authorized('cannedResponse.update')
  @Mutation(() => CannedResponse, { description: 'Updates a canned response. Only the given keys change.' })
  updateCannedResponse(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateCannedResponseInput) patch: UpdateCannedResponseInput,
  ): Promise<CannedResponse> {
    return updateCannedResponse(ctx, this.transact, { id, patch })
  }

  @Authorized('cannedResponse.delete')
  @Mutation(() => ID, { description: 'Deletes a canned response. No other records refer to it.' })
  async deleteCannedResponse(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteCannedResponse(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: CannedResponse, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
