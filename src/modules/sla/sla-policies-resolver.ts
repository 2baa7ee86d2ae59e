import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { Schedule, scheduleLoader } from '../schedules/schedule.js'
import type { PolicyCache } from './policy-cache.js'
import { SlaPolicyConnection, SlaPolicyFilter, slaPolicyList, SlaPolicyOrder } from './sla-policy-list.js'
import { createSlaPolicy, deleteSlaPolicy, updateSlaPolicy } from './sla-policy-writes.js'
import { CreateSlaPolicyInput, SlaPolicy, UpdateSlaPolicyInput } from './sla-policy.js'

@Resolver(() => SlaPolicy)
export class SlaPoliciesResolver {
  constructor(private readonly options: { transact: Transact; policies: PolicyCache }) {}

  @Authorized('slaPolicy.fetch')
  @Query(() => SlaPolicy, { nullable: true, description: 'An SLA policy of an organization that the caller sees.' })
  slaPolicy(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<SlaPolicy> {
    return fetchRecord(ctx, SlaPolicy, id)
  }

  @Authorized('slaPolicy.list')
  @Query(() => SlaPolicyConnection, {
    description: "The SLA policies of the caller's organization and of those below it, by position.",
  })
  slaPolicies(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => SlaPolicyFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [SlaPolicyOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<SlaPolicy>> {
    return listPage(ctx, slaPolicyList, { args, filter, orderBy })
  }

  @Authorized('slaPolicy.create')
  @Mutation(() => SlaPolicy, {
    description:
      'Creates an SLA policy, which applies to cases that begin from now on. An organization can have at most 100.',
  })
  async createSlaPolicy(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateSlaPolicyInput) input: CreateSlaPolicyInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<SlaPolicy> {
    const { transact, policies } = this.options
    const policy = await idempotently(ctx, { key, operation: 'createSlaPolicy', input }, () =>
      createSlaPolicy(ctx, transact, input),
    )
    await policies.read()
    return policy
  }

  @Authorized('slaPolicy.update')
  @Mutation(() => SlaPolicy, {
    description:
      'Updates an SLA policy. Only the given keys change. Clocks that run keep the version by which they began.',
  })
  updateSlaPolicy(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateSlaPolicyInput) patch: UpdateSlaPolicyInput,
  ): Promise<SlaPolicy> {
    return updateSlaPolicy(ctx, this.options.transact, { id, patch })
  }

  @Authorized('slaPolicy.delete')
  @Mutation(() => ID, { description: 'Deletes an SLA policy. Clocks that run by it go on.' })
  async deleteSlaPolicy(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteSlaPolicy(ctx, this.options.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: SlaPolicy, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => Schedule, { nullable: true, description: 'The schedule whose open time counts.' })
  async schedule(@Root() { scheduleId }: SlaPolicy, @Ctx() ctx: Context): Promise<Schedule | null> {
    return scheduleId === null ? null : ctx.loader(scheduleLoader).load(scheduleId)
  }
}
