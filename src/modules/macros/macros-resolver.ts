import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { loadFound } from '../../platform/lists/rows.js'
import { Channel, channelLoader } from '../channels/channel.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { fetchMacro, MacroConnection, MacroFilter, macroList, MacroOrder, ownOrShared } from './macro-list.js'
import { archiveMacro, createMacro, updateMacro } from './macro-writes.js'
import { CreateMacroInput, Macro, UpdateMacroInput } from './macro.js'

@Resolver(() => Macro)
export class MacrosResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('macro.fetch')
  @Query(() => Macro, { nullable: true, description: "A macro of the caller's own, or a shared one that it sees." })
  macro(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Macro> {
    return fetchMacro(ctx, id)
  }

  @Authorized('macro.list')
  @Query(() => MacroConnection, {
    description:
      "The caller's own macros, and those that the organization of the caller and those below it share, archived ones too.",
  })
  macros(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => MacroFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [MacroOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Macro>> {
    return listPage(ctx, macroList, { args, filter, orderBy, restrict: ownOrShared(ctx) })
  }

  @Authorized('macro.create')
  @Mutation(() => Macro, {
    description:
      "Creates a macro of the caller's own (at most 100 in use), or one that the organization shares (at most 500). What its steps name is " +
      'looked up now, and again when it runs.',
  })
  createMacro(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateMacroInput) input: CreateMacroInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Macro> {
    return idempotently(ctx, { key, operation: 'createMacro', input }, () => createMacro(ctx, this.transact, input))
  }

  @Authorized('macro.update')
  @Mutation(() => Macro, {
    description: 'Updates a macro. Only the given keys change. A shared one as `createMacro` has it.',
  })
  updateMacro(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateMacroInput) patch: UpdateMacroInput,
  ): Promise<Macro> {
    return updateMacro(ctx, this.transact, { id, patch })
  }

  @Authorized('macro.archive')
  @Mutation(() => Macro, { description: 'Archives a macro: it runs no more. A shared one as `createMacro` has it.' })
  archiveMacro(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('isArchived', () => Boolean, { nullable: true, description: 'False uses it again; true by default.' })
    isArchived?: boolean | null,
  ): Promise<Macro> {
    return archiveMacro(ctx, this.transact, { id, isArchived: isArchived ?? true })
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: Macro, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user whose own it is; null if it is shared.' })
  async owner(@Root() { ownerId }: Macro, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ownerId === null ? null : ctx.loader(userProfileLoader).load(ownerId)
  }

  @FieldResolver(() => [ID], { description: 'Ids of the channels for whose conversations it is; none: for all.' })
  channelIds(@Root() { channels }: Macro): string[] {
    return channels
  }

  @FieldResolver(() => [Channel], { description: 'Those of `channelIds` that the caller sees.' })
  channels(@Root() { channels }: Macro, @Ctx() ctx: Context): Promise<Channel[]> {
    return loadFound(ctx, channelLoader, channels)
  }
}
