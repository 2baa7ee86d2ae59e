import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { AgentState, HeldSkill, heldSkillsLoader, readAgentStates } from './agent-state.js'
import { AvailabilityEnum, UpdateStaffInput, type Availability } from './availability.js'
import { countLoads } from './load.js'
import { namedAgent } from './named-agent.js'
import { connectedLoader, standing, StandingEnum, type Standing } from './standing.js'
import { codesOfUsersLoader, GivenReason, givenReasonLoader } from './reasons-of-agents.js'
import { seenConversationsLoader } from './seen-conversations.js'
import { setAvailability } from './set-availability.js'
import { updateStaff } from './update-staff.js'

const USER = 'A user, or `me`, the default. Others for administrators, and for supervisors of one of their channels.'

@Resolver(() => AgentState)
export class StaffingResolver {
  readonly #loads: LoaderDefinition<number>

  constructor(private readonly options: { transact: Transact; idleMinutes: number }) {
    const { idleMinutes } = options
    this.#loads = { load: (ctx, users) => countLoads(ctx.reads, users, { now: ctx.now(), idleMinutes }) }
  }

  @Authorized('availability.updateSelf')
  @Query(() => AgentState, { description: 'Whether an agent takes conversations, and what it has.' })
  async agentState(
    @Ctx() ctx: Context,
    @Arg('user', () => ID, { nullable: true, description: USER }) user?: string | null,
  ): Promise<AgentState> {
    const named = await namedAgent(ctx, user)
    if (!named.isSupervised) await fetchRecord(ctx, User, named.user)
    const [state] = await readAgentStates(ctx.reads, [named.user])
    if (!state) throw recordNotFound('User', named.user)
    return state
  }

  @Authorized('availability.updateSelf')
  @Mutation(() => AgentState, { description: 'Sets whether an agent takes the conversations that the server offers.' })
  async setAvailability(
    @Ctx() ctx: Context,
    @Arg('availability', () => AvailabilityEnum, { description: 'Not `NOT_RESPONDING`.' }) availability: Availability,
    @Arg('reason', () => String, {
      nullable: true,
      description: 'With `BUSY` or `AWAY` only; at most 200 characters. Colleagues see it.',
    })
    reason?: string | null,
    @Arg('user', () => ID, { nullable: true, description: USER }) user?: string | null,
    @Arg('reasonCode', () => ID, {
      nullable: true,
      description: "A reason code of the user's organization that can be given with this state.",
    })
    reasonCode?: string | null,
  ): Promise<AgentState> {
    const named = await namedAgent(ctx, user)
    return setAvailability(ctx, this.options.transact, { ...named, availability, reason, reasonCode })
  }

  @Authorized('staff.update')
  @Mutation(() => AgentState, { description: 'Changes what an agent can take. Only the given keys change.' })
  updateStaff(
    @Ctx() ctx: Context,
    @Arg('user', () => ID) user: string,
    @Arg('patch', () => UpdateStaffInput) patch: UpdateStaffInput,
  ): Promise<AgentState> {
    return updateStaff(ctx, this.options.transact, { user: user === 'me' ? ctx.userCaller.user : user, patch })
  }

  @FieldResolver(() => User, { nullable: true, description: 'The agent; null once deleted.' })
  user(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => Int, {
    description:
      'Units of the conversations that the agent has now: as their channels say, else 4 for the web and the messenger, 2 for SMS, 1 for ' +
      'email. Answered ones that have been silent for a while do not count.',
  })
  async load(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<number> {
    return (await ctx.loader(this.#loads).load(userId)) ?? 0
  }

  @FieldResolver(() => StandingEnum, { description: 'Availability, connection and load in one word.' })
  async standing(@Root() agent: AgentState, @Ctx() ctx: Context): Promise<Standing> {
    const [load, isConnected] = await Promise.all([
      this.load(agent, ctx),
      ctx.loader(connectedLoader).load(agent.userId),
    ])
    return standing({ ...agent, load, isConnected: isConnected ?? false })
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the agent gets the next conversation: `standing` is `AVAILABLE`.',
  })
  async canTake(@Root() agent: AgentState, @Ctx() ctx: Context): Promise<boolean> {
    return (await this.standing(agent, ctx)) === 'available'
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description: 'The conversation after which the agent wraps up; null where the caller may not see it.',
  })
  async wrapUpConversationId(@Root() agent: AgentState, @Ctx() ctx: Context): Promise<string | null> {
    const id = agent.wrapUpConversationId
    return id !== null && (await ctx.loader(seenConversationsLoader).load(id)) ? id : null
  }

  @FieldResolver(() => GivenReason, {
    nullable: true,
    description: 'The reason code given with the state; null for none, and once it is deleted.',
  })
  async reasonCode(@Root() { reasonCodeId }: AgentState, @Ctx() ctx: Context): Promise<GivenReason | null> {
    return reasonCodeId ? ctx.loader(givenReasonLoader).load(reasonCodeId) : null
  }

  @FieldResolver(() => [GivenReason], {
    description: "Reason codes that can be given with the agent's states, in the order of their names.",
  })
  async reasonCodes(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<GivenReason[]> {
    return (await ctx.loader(codesOfUsersLoader).load(userId)) ?? []
  }

  @FieldResolver(() => [HeldSkill], { description: 'Skills that the agent has, by name.' })
  async skills(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<HeldSkill[]> {
    return (await ctx.loader(heldSkillsLoader).load(userId)) ?? []
  }
}
