import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Role } from '../../platform/access/scopes.js'
import type { Context } from '../../platform/context.js'
import { pathOf, pathText } from '../../platform/db/tenancy.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { createUser } from './create-user.js'
import { deleteUser } from './delete-user.js'
import { managingServices } from './managed-elsewhere.js'
import { OVERLAP_HOURS_MAX, revokeApiToken, rotateApiToken } from './rotate-api-token.js'
import { reachable } from './reachable.js'
import { setBotPaused, setBotsPaused } from './pause-bots.js'
import { updateMySettings } from './update-my-settings.js'
import { updateUser, type UpdateDependencies } from './update-user.js'
import { CreateUserInput, UpdateUserInput } from './user-input.js'
import { UserConnection, UserFilter, userList, UserOrder } from './user-list.js'
import { UserSettingsInput } from './user-settings.js'
import { TokenScope } from './token-scope.js'
import { User, UserRole } from './user.js'
import { ofWholeUser, type SeenUser } from './whole-user.js'

@ObjectType({ simpleResolvers: true, description: "A user's membership of an organization (2.2)." })
export class UserOrganization {
  @Field(() => String, { description: 'Ids of the organization and those above it, joined by `#`.' })
  orgPath!: string

  @Field(() => ID)
  organizationId!: string

  @Field(() => Boolean, { description: 'Whether the user is active for this organization.' })
  selected!: boolean

  @Field(() => UserRole)
  role!: Role

  @Field(() => Int, { description: 'Level of the organization: 1, 2 or 3.' })
  level!: number
}

@Resolver(() => UserOrganization)
export class UserOrganizationsResolver {
  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: UserOrganization, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}

@Resolver(() => User)
export class UsersResolver {
  constructor(private readonly dependencies: UpdateDependencies) {}

  @Authorized('user.fetchSelf')
  @Query(() => User, { description: 'The authenticated user.' })
  me(@Ctx() ctx: Context): Promise<User> {
    return fetchRecord(ctx, User, ctx.userCaller.user)
  }

  @Authorized('user.fetchSelf')
  @Query(() => User, {
    nullable: true,
    description: 'A user by id, or `me`. Other users need `user.fetch` (section 5).',
  })
  user(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<User> {
    return fetchRecord(ctx, User, reachable(ctx, id, 'user.fetch'))
  }

  @Authorized('user.list')
  @Query(() => UserConnection, { description: "Users in and below the caller's organization." })
  users(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => UserFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [UserOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<User>> {
    return listPage(ctx, userList, { args, filter, orderBy })
  }

  @Authorized('user.create')
  @Mutation(() => User, {
    description: 'Creates a user. For a bot, the answer contains its `apiToken`, which is not shown again.',
  })
  createUser(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateUserInput) input: CreateUserInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<User> {
    // Without the password: the stored hash of the input is unsalted, which would expose a weak one.
    const { password: _password, ...compared } = input
    return idempotently(ctx, { key, operation: 'createUser', input: compared }, () =>
      createUser(ctx, this.dependencies, input),
    )
  }

  @Authorized('bot.pause')
  @Mutation(() => User, {
    description:
      'Stops a bot: it may read, and nothing else (403, `BOT_PAUSED`), from now on, on other nodes within two seconds. It leaves its ' +
      'conversations as by `/leave`. For administrators, and supervisors of a channel that it reaches.',
  })
  pauseBot(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<User> {
    return setBotPaused(ctx, this.dependencies, id, true)
  }

  @Authorized('bot.pause')
  @Mutation(() => User, { description: 'Ends `pauseBot`; the bot stays paused if all bots of its organization are.' })
  resumeBot(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<User> {
    return setBotPaused(ctx, this.dependencies, id, false)
  }

  @Authorized('bot.pauseAll')
  @Mutation(() => Organization, {
    description:
      "Stops all bots of an organization and those below it, the caller's by default, as `pauseBot` does one.",
  })
  pauseBots(
    @Ctx() ctx: Context,
    @Arg('organization', () => ID, { nullable: true }) organization?: string | null,
  ): Promise<Organization> {
    return setBotsPaused(ctx, this.dependencies, organization ?? null, true)
  }

  @Authorized('bot.pauseAll')
  @Mutation(() => Organization, { description: 'Ends `pauseBots`; bots that were paused one by one stay paused.' })
  resumeBots(
    @Ctx() ctx: Context,
    @Arg('organization', () => ID, { nullable: true }) organization?: string | null,
  ): Promise<Organization> {
    return setBotsPaused(ctx, this.dependencies, organization ?? null, false)
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The service by which a provider keeps the user (SCIM 2.0): what it keeps is changed there alone (`MANAGED_ELSEWHERE`). Null if none does.',
  })
  async managedBy(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<string | null> {
    return ofWholeUser(ctx, user, async ({ id }) => (await ctx.loader(managingServices).load(id))?.service ?? null)
  }

  @Authorized('user.updateSelf')
  @Mutation(() => User, {
    description: 'Updates a user. The id may be `me`. Other users need `user.update` (section 5).',
  })
  updateUser(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateUserInput) patch: UpdateUserInput,
  ): Promise<User> {
    return updateUser(ctx, this.dependencies, reachable(ctx, id, 'user.update'), patch)
  }

  @Authorized('user.updateSelf')
  @Mutation(() => User, {
    description: "Changes only the given keys of the caller's settings; null restores a default (2.3).",
  })
  updateMySettings(
    @Ctx() ctx: Context,
    @Arg('patch', () => UserSettingsInput) patch: UserSettingsInput,
  ): Promise<User> {
    return updateMySettings(ctx, this.dependencies.transact, patch)
  }

  @Authorized('user.delete')
  @Mutation(() => ID, {
    description: 'Deletes a user and ends its tokens; deleting a bot revokes its API token (4.2).',
  })
  async deleteUser(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteUser(ctx, this.dependencies, id)
    return id.toLowerCase()
  }

  @Authorized('user.update')
  @Mutation(() => User, {
    description:
      'Gives a bot a new API token, shown in this answer only; the old one ends at once, or when the overlap is over.',
  })
  rotateApiToken(
    @Ctx() ctx: Context,
    @Arg('user', () => ID) user: string,
    @Arg('scopes', () => [TokenScope], { nullable: true, description: 'Defaults to the scopes of the current token.' })
    scopes?: TokenScope[] | null,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description:
        `Hours for which the old token stays valid too, 0 to ${OVERLAP_HOURS_MAX}; 0 by default. One that is still ` +
        'valid from an earlier rotation ends at once.',
    })
    overlapHours?: number | null,
  ): Promise<User> {
    return rotateApiToken(ctx, this.dependencies, user, { scopes, overlapHours })
  }

  @Authorized('user.update')
  @Mutation(() => User, {
    description: "Ends a bot's API tokens at once, also an old one that overlaps. `rotateApiToken` makes a new one.",
  })
  revokeApiToken(@Ctx() ctx: Context, @Arg('user', () => ID) user: string): Promise<User> {
    return revokeApiToken(ctx, this.dependencies, user)
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Organization to which the user belongs.' })
  organization(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(user.organizationId)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => [UserOrganization], {
    nullable: true,
    description:
      'The organization that the user belongs to, as a list with one element. Null only if the caller may not fetch the user.',
  })
  organizations(
    @Root() user: SeenUser,
    @Ctx() ctx: Context,
  ): UserOrganization[] | null | Promise<UserOrganization[] | null> {
    return ofWholeUser(ctx, user, (whole) => {
      const { organizationId, role } = whole
      return [{ orgPath: pathText(whole), organizationId, selected: true, role, level: pathOf(whole).length }]
    })
  }
}
