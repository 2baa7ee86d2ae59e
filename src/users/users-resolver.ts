import {
  Arg,
  Args,
  Authorized,
  Ctx,
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
import type { Permission } from '../access/permissions.js'
import type { Role } from '../access/scopes.js'
import type { Context } from '../context.js'
import { pathOf, pathText } from '../db/tenancy.js'
import { idempotently } from '../limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../lists/connection.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { listPage } from '../lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { createUser } from './create-user.js'
import { deleteUser } from './delete-user.js'
import { rotateApiToken } from './rotate-api-token.js'
import { updateMySettings } from './update-my-settings.js'
import { updateUser, type UpdateDependencies } from './update-user.js'
import { CreateUserInput, UpdateUserInput } from './user-input.js'
import { UserConnection, UserFilter, userList, UserOrder } from './user-list.js'
import { effectiveSettings, UserSettings, UserSettingsInput } from './user-settings.js'
import { displayNameOf, nameOf, User, UserRole } from './user.js'

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
  @Mutation(() => User, { description: 'Gives a bot a new API token, shown in this answer only; the old one ends.' })
  rotateApiToken(
    @Ctx() ctx: Context,
    @Arg('user', () => ID) user: string,
    @Arg('scopes', () => [String], { nullable: true, description: 'Defaults to the scopes of the current token.' })
    scopes?: string[] | null,
  ): Promise<User> {
    return rotateApiToken(ctx, this.dependencies, user, scopes)
  }

  @FieldResolver(() => String, {
    description: 'Name shown in user interfaces: as specified, else composed of the names (2.2).',
  })
  displayName(@Root() user: User): string {
    return displayNameOf(user)
  }

  @FieldResolver(() => String, { description: 'Full name.' })
  name(@Root() user: User): string {
    return nameOf(user)
  }

  @FieldResolver(() => UserSettings)
  settings(@Root() user: User): UserSettings {
    return effectiveSettings(user.settings, pathOf(user).length)
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() user: User, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(user.organizationId)
  }

  @FieldResolver(() => [UserOrganization], {
    description: 'The organization that the user belongs to, as a list with one element.',
  })
  organizations(@Root() user: User): UserOrganization[] {
    const { organizationId, role } = user
    return [{ orgPath: pathText(user), organizationId, selected: true, role, level: pathOf(user).length }]
  }
}

/** Resolves `me` to the caller's id. @throws Forbidden for another user without the permission */
function reachable(ctx: Context, id: string, operation: Permission): string {
  const self = ctx.maybeCaller?.kind === 'user' ? ctx.maybeCaller.user : null
  const meant = id === 'me' ? ctx.userCaller.user : id
  if (meant !== self) ctx.require(operation)
  return meant
}
