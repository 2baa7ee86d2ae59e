import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import type { JsonObject } from '../../platform/json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { ApiToken, readApiTokens } from './api-tokens.js'
import { effectiveSettings, UserSettings } from './user-settings.js'
import { displayNameOf, nameOf, User, UserStatus } from './user.js'
import { isProfile, ofWholeUser, wholeUser, type SeenUser } from './whole-user.js'

type Answer<V> = V | null | Promise<V | null>

/**
 * Fields of users. Those beyond the profile are null unless the caller may fetch the user, wherever it is referred to;
 * live subscribers with other rights do not share their events.
 */
@Resolver(() => User)
export class UserFieldsResolver {
  @FieldResolver(() => String, {
    description: 'Name shown in user interfaces: as specified, else composed of the names (2.2).',
  })
  displayName(@Root() user: SeenUser): string {
    return isProfile(user) ? user.displayName : displayNameOf(user)
  }

  @FieldResolver(() => String, { description: 'Full name; the name shown, where no other is given.' })
  name(@Root() user: SeenUser): string {
    return isProfile(user) ? user.name : nameOf(user)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, { nullable: true })
  familyName(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<string> {
    return ofWholeUser(ctx, user, ({ familyName }) => familyName)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, { nullable: true })
  givenName(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<string> {
    return ofWholeUser(ctx, user, ({ givenName }) => givenName)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, { nullable: true, description: 'Can be a middle name.' })
  additionalName(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<string> {
    return ofWholeUser(ctx, user, ({ additionalName }) => additionalName)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Email address, used to log in; unique ignoring case. Null only if the caller may not fetch the user.',
  })
  email(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<string> {
    return ofWholeUser(ctx, user, ({ email }) => email)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, { nullable: true })
  phone(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<string> {
    return ofWholeUser(ctx, user, ({ phone }) => phone)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => UserStatus, {
    nullable: true,
    description: 'State of its life cycle (section 3). Null only if the caller may not fetch the user.',
  })
  status(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<UserStatus> {
    return ofWholeUser(ctx, user, ({ status }) => status)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => JsonObjectScalar, { nullable: true, description: 'Passed on to external systems.' })
  meta(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<JsonObject> {
    return ofWholeUser(ctx, user, ({ meta }) => meta)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => String, { nullable: true, description: 'Origin of the account: `local`.' })
  provider(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<string> {
    return ofWholeUser(ctx, user, ({ provider }) => provider)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => DateTime, { nullable: true })
  lastLogin(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<Date> {
    return ofWholeUser(ctx, user, ({ lastLogin }) => lastLogin)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => UserSettings, {
    nullable: true,
    description:
      'Preferences, with the defaults of those that were not set (2.3). Null only if the caller may not fetch the user.',
  })
  settings(@Root() user: SeenUser, @Ctx() ctx: Context): Answer<UserSettings> {
    return ofWholeUser(ctx, user, (whole) => effectiveSettings(whole.settings, pathOf(whole).length))
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => [ApiToken], {
    description: "A bot's API tokens, the present one first; only for those who may change the user.",
  })
  async apiTokens(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<ApiToken[]> {
    if (!ctx.maybeCaller || !isAllowed(ctx.maybeCaller, 'user.update')) return []
    const whole = await wholeUser(ctx, user)
    return whole ? readApiTokens(ctx, whole.id) : []
  }
}
