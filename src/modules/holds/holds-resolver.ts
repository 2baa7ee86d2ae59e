import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import type { Transact } from '../../platform/events/transact.js'
import type { FourEyesGuard, Guarded } from '../four-eyes/four-eyes-guard.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { HeldMessageConnection, HeldMessageFilter, type HeldMessage } from './held-message.js'
import { HoldConnection, HoldFilter, holdList, HoldOrder } from './hold-list.js'
import { createHold, releaseHold, updateHold } from './hold-writes.js'
import { CreateHoldInput, Hold, UpdateHoldInput } from './hold.js'
import { readHeldMessages } from './read-held-messages.js'

@Resolver(() => Hold)
export class HoldsResolver {
  readonly #release: Guarded<{ id: string }, Hold>

  constructor(
    private readonly transact: Transact,
    fourEyes: FourEyesGuard,
  ) {
    this.#release = fourEyes.guard('releaseHold', {
      area: 'hold',
      permission: 'hold.release',
      act: (ctx, write, { id }) => releaseHold(ctx, write, id),
      async propose(ctx, input) {
        const { id, name, version } = await fetchRecord(ctx, Hold, input.id)
        return { input: { id }, object: { type: 'hold', id, name, version } }
      },
    })
  }

  @Authorized('hold.fetch')
  @Query(() => Hold, { nullable: true, description: 'A hold, also once it is released.' })
  hold(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Hold> {
    return fetchRecord(ctx, Hold, id)
  }

  @Authorized('hold.list')
  @Query(() => HoldConnection, {
    description: "Holds of the caller's organization and those below it, released ones too, the newest first.",
  })
  holds(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => HoldFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [HoldOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Hold>> {
    return listPage(ctx, holdList, { args, filter, orderBy })
  }

  @Authorized('heldMessage.list')
  @Query(() => HeldMessageConnection, {
    description:
      'Messages of held conversations as they were before they were edited or deleted, by a hold or a conversation, the oldest first. ' +
      'The audit log tells of each reading.',
  })
  heldMessages(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('hold', () => ID, { nullable: true, description: 'Only what this hold keeps.' }) hold?: string | null,
    @Arg('conversation', () => ID, { nullable: true, description: 'Only of this conversation.' })
    conversation?: string | null,
    @Arg('filter', () => HeldMessageFilter, { nullable: true }) filter?: object | null,
  ): Promise<Page<HeldMessage>> {
    return readHeldMessages(ctx, this.transact, {
      args,
      filter,
      hold: hold ?? null,
      conversation: conversation ?? null,
    })
  }

  @Authorized('hold.create')
  @Mutation(() => Hold, {
    description:
      'Makes a hold. Once it is answered, nothing that it names is lost: erasures are blocked, administrators’ deletions are refused ' +
      'with the reason `ON_HOLD`, and what agents edit or delete is kept (`heldMessages`).',
  })
  createHold(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateHoldInput) input: CreateHoldInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Hold> {
    return idempotently(ctx, { key, operation: 'createHold', input }, () => createHold(ctx, this.transact, input))
  }

  @Authorized('hold.update')
  @Mutation(() => Hold, { description: 'Changes the name or the reason of a hold. Only the given keys change.' })
  updateHold(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateHoldInput) patch: UpdateHoldInput,
  ): Promise<Hold> {
    return updateHold(ctx, this.transact, { id, patch })
  }

  @Authorized('hold.release')
  @Mutation(() => Hold, {
    description:
      'Releases a hold, for good. Erasures that no other hold blocks go on by themselves, and what was kept of edited and deleted ' +
      'messages by this hold alone goes.',
  })
  releaseHold(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Hold> {
    return this.#release(ctx, { id })
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: Hold, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() hold: Hold): string {
    return pathText(hold)
  }
}
