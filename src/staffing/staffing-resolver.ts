import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../context.js'
import { NotFound, quoteValue } from '../errors.js'
import type { Transact } from '../events/transact.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { AgentState, HeldSkill, heldSkillsLoader, readAgentStates } from './agent-state.js'
import { AvailabilityEnum, UpdateStaffInput, type Availability } from './availability.js'
import { countLoads } from './load.js'
import { setAvailability } from './set-availability.js'
import { updateStaff } from './update-staff.js'

const USER = 'A user, or `me`, the default. Others need `staff.update`.'

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
    const { id } = await fetchRecord(ctx, User, meant(ctx, user))
    const [state] = await readAgentStates(ctx.reads, [id])
    if (!state) throw new NotFound(`User ${quoteValue(id)} not found`)
    return state
  }

  @Authorized('availability.updateSelf')
  @Mutation(() => AgentState, { description: 'Sets whether an agent takes the conversations that the server offers.' })
  setAvailability(
    @Ctx() ctx: Context,
    @Arg('availability', () => AvailabilityEnum, { description: 'Not `NOT_RESPONDING`.' }) availability: Availability,
    @Arg('reason', () => String, {
      nullable: true,
      description: 'With `BUSY` or `AWAY` only; at most 200 characters. Colleagues see it.',
    })
    reason?: string | null,
    @Arg('user', () => ID, { nullable: true, description: USER }) user?: string | null,
  ): Promise<AgentState> {
    return setAvailability(ctx, this.options.transact, { user: meant(ctx, user), availability, reason })
  }

  @Authorized('staff.update')
  @Mutation(() => AgentState, { description: 'Changes what an agent can take. Only the given keys change.' })
  updateStaff(
    @Ctx() ctx: Context,
    @Arg('user', () => ID) user: string,
    @Arg('patch', () => UpdateStaffInput) patch: UpdateStaffInput,
  ): Promise<AgentState> {
    return updateStaff(ctx, this.options.transact, { user: meant(ctx, user), patch })
  }

  @FieldResolver(() => UserProfile, { nullable: true, description: 'The agent; null once deleted.' })
  user(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => Int, {
    description:
      'Units of the conversations that the agent has now: 4 for the web and the messenger, 2 for SMS, 1 for email. Answered ones that ' +
      'have been silent for a while do not count.',
  })
  async load(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<number> {
    return (await ctx.loader(this.#loads).load(userId)) ?? 0
  }

  @FieldResolver(() => [HeldSkill], { description: 'In the order of their names.' })
  async skills(@Root() { userId }: AgentState, @Ctx() ctx: Context): Promise<HeldSkill[]> {
    return (await ctx.loader(heldSkillsLoader).load(userId)) ?? []
  }
}

/** Resolves `me` to the caller's id. @throws Forbidden for another user without the permission */
function meant(ctx: Context, user: string | null | undefined): string {
  const self = ctx.userCaller.user
  if (user === null || user === undefined || user === 'me' || user.toLowerCase() === self) return self
  ctx.require('staff.update')
  return user
}
