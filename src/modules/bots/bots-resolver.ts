import { Arg, Authorized, Ctx, Extensions, FieldResolver, ID, Int, Mutation, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { User } from '../users/user.js'
import { ofWholeUser, type SeenUser } from '../users/whole-user.js'
import { BotBudget, BotBudgetInput } from './bot-budget.js'
import { BotGovernance, BotGrantInput } from './bot-grant.js'
import { setBotBudget } from './budget-writes.js'
import { releaseBot, setBotGrants, type GrantDependencies } from './grant-writes.js'
import { budgetLoader } from './read-budgets.js'
import { governanceLoader } from './read-grants.js'

/** Rights and budgets of bots in conversations, within those of their scopes. */
@Resolver(() => User)
export class BotsResolver {
  constructor(private readonly dependencies: GrantDependencies) {}

  @Authorized('bot.govern')
  @Mutation(() => User, {
    description:
      'Governs a bot: from now on it does in conversations what its grants say, and nothing else (403, `NO_GRANT`), whatever its scopes allow, ' +
      'by whichever interface. Replaces the lines for the conversations of one organization and those below it. Once it is answered, nothing ' +
      'beyond the new lines is done.',
  })
  setBotGrants(
    @Ctx() ctx: Context,
    @Arg('bot', () => ID, { description: 'A user with the role `bot`.' }) bot: string,
    @Arg('grants', () => [BotGrantInput], {
      description:
        'In order, at most 100. With none, lines of organizations above decide; without any, the bot may do nothing.',
    })
    grants: BotGrantInput[],
    @Arg('organization', () => ID, { nullable: true, description: "Default: the bot's." })
    organization?: string | null,
    @Arg('ifVersion', () => Int, {
      nullable: true,
      description:
        '`version` of the governance as it was read, 0 if there was none: refused as `OTHER_VERSION` if it changed since.',
    })
    ifVersion?: number | null,
  ): Promise<User> {
    const given = { bot, organization: organization ?? null, grants, ifVersion: ifVersion ?? null }
    return setBotGrants(ctx, this.dependencies, given)
  }

  @Authorized('bot.govern')
  @Mutation(() => User, {
    description:
      'Ends the governance of a bot, with all its grants: its scopes alone say what it may do. Repeating it changes nothing.',
  })
  releaseBot(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<User> {
    return releaseBot(ctx, this.dependencies, id)
  }

  @Authorized('bot.govern')
  @Mutation(() => User, {
    description:
      'Replaces the budget of a bot: what it says beyond it is refused (429, `BUDGET_SPENT`), and the conversation is queued for agents unless ' +
      'others have it. What was said today, and in the current case of a conversation, stays counted. Once it is answered, nothing beyond the new ' +
      'budget is done.',
  })
  setBotBudget(
    @Ctx() ctx: Context,
    @Arg('bot', () => ID, { description: 'A user with the role `bot`.' }) bot: string,
    @Arg('budget', () => BotBudgetInput, { nullable: true, description: 'Null takes all limits away.' })
    budget?: BotBudgetInput | null,
    @Arg('ifVersion', () => Int, {
      nullable: true,
      description:
        '`version` of the budget as it was read, 0 if there never was one: refused as `OTHER_VERSION` if it changed since.',
    })
    ifVersion?: number | null,
  ): Promise<User> {
    return setBotBudget(ctx, this.dependencies.transact, { bot, budget: budget ?? null, ifVersion: ifVersion ?? null })
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => BotBudget, {
    nullable: true,
    description: 'Limits of a bot, and what it has spent today; null for a bot without limits, and for people.',
  })
  async budget(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<BotBudget | null> {
    if (user.role !== 'bot') return null
    return (await ofWholeUser(ctx, user, ({ id }) => ctx.loader(budgetLoader).load(id))) ?? null
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => BotGovernance, {
    nullable: true,
    description: 'Rights of a governed bot in conversations; null for a bot whose scopes alone say it, and for people.',
  })
  async governance(@Root() user: SeenUser, @Ctx() ctx: Context): Promise<BotGovernance | null> {
    if (user.role !== 'bot') return null
    return (await ofWholeUser(ctx, user, ({ id }) => ctx.loader(governanceLoader).load(id))) ?? null
  }
}
