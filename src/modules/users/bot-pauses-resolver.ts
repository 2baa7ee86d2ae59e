import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { Organization } from '../organizations/organization.js'
import { BotPause, pausesOfBots, pausesOfOrganizations } from './bot-pause.js'
import { type UserProfile, userProfileLoader } from './user-profile.js'
import { User } from './user.js'
import type { SeenUser } from './whole-user.js'

/** Pauses of bots, by themselves or with all of an organization. */
@Resolver(() => User)
export class PausedBotsResolver {
  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'For a bot, since when it is paused, by itself or with all bots of an organization; null if it is not.',
  })
  async pausedAt(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<Date | null> {
    return (await pausesOf(ctx, user))[0]?.at ?? null
  }

  @Extensions({ listLength: 2 })
  @FieldResolver(() => [BotPause], {
    description:
      'Pauses of a bot, which goes on when all of them have ended: `resumeBot` ends its own, `resumeBots` that of an organization.',
  })
  pauses(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<BotPause[]> {
    return pausesOf(ctx, user)
  }
}

async function pausesOf(ctx: Context, { id, role }: SeenUser): Promise<BotPause[]> {
  return role === 'bot' && !ctx.seesAsConsumer ? ((await ctx.loader(pausesOfBots).load(id)) ?? []) : []
}

@Resolver(() => Organization)
export class PausedOrganizationsResolver {
  @Extensions({ listLength: 2 })
  @FieldResolver(() => [BotPause], {
    description:
      'Pauses of all bots of the organization: its own, by `pauseBots`, and those of organizations above it.',
  })
  async botPauses(@Root() { id }: Organization, @Ctx() ctx: Context): Promise<BotPause[]> {
    return ctx.seesAsConsumer ? [] : ((await ctx.loader(pausesOfOrganizations).load(id)) ?? [])
  }
}

@Resolver(() => BotPause)
export class BotPausesResolver {
  @FieldResolver(() => User, { nullable: true, description: 'That person; null if it has been deleted.' })
  by(@Root() { byId }: BotPause, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(byId)
  }
}
