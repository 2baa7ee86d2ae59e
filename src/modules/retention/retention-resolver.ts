import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathText } from '../../platform/db/tenancy.js'
import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import { guardRetention, type GuardedRetention } from './guarded-retention.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import {
  RetentionPolicyConnection,
  RetentionPolicyFilter,
  retentionPolicyList,
  RetentionPolicyOrder,
} from './retention-lists.js'
import {
  CreateRetentionPolicyInput,
  RetentionPolicy,
  RetentionSubjectEnum,
  UpdateRetentionPolicyInput,
  type RetentionSubject,
} from './retention-policy.js'
import { previewRetention, RetentionPreview } from './retention-preview.js'

@Resolver(() => RetentionPolicy)
export class RetentionResolver {
  readonly #guarded: GuardedRetention

  constructor(fourEyes: FourEyesGuard) {
    this.#guarded = guardRetention(fourEyes)
  }

  @Authorized('retentionPolicy.fetch')
  @Query(() => RetentionPolicy, { nullable: true, description: 'A retention policy, also once it has ended.' })
  retentionPolicy(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<RetentionPolicy> {
    return fetchRecord(ctx, RetentionPolicy, id)
  }

  @Authorized('retentionPolicy.list')
  @Query(() => RetentionPolicyConnection, {
    description:
      "Retention policies of the caller's organization and those below it, ended ones too, the newest first.",
  })
  retentionPolicies(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => RetentionPolicyFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [RetentionPolicyOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<RetentionPolicy>> {
    return listPage(ctx, retentionPolicyList, { args, filter, orderBy })
  }

  @Authorized('retentionPolicy.list')
  @Query(() => RetentionPreview, {
    description: 'Counts what a retention policy would erase if it ran now, and shows some of it. It changes nothing.',
  })
  retentionPreview(
    @Ctx() ctx: Context,
    @Arg('subject', () => RetentionSubjectEnum) subject: RetentionSubject,
    @Arg('days', () => Int, { description: 'Days after which it would be erased.' }) days: number,
    @Arg('organization', () => ID, { nullable: true, description: "Defaults to the caller's organization." })
    organization?: string | null,
  ): Promise<RetentionPreview> {
    return previewRetention(ctx, { subject, days, organization: organization ?? null })
  }

  @Authorized('retentionPolicy.create')
  @Mutation(() => RetentionPolicy, {
    description:
      'Makes a retention policy, of which an organization has one for each subject. It erases nothing for 24 hours, and what legal holds keep ' +
      'stays. Refused is one that would erase more than half of what there is at once, or more than is looked at, unless it is confirmed.',
  })
  createRetentionPolicy(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateRetentionPolicyInput) input: CreateRetentionPolicyInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<RetentionPolicy> {
    return this.#guarded.create(ctx, input, { key, input })
  }

  @Authorized('retentionPolicy.update')
  @Mutation(() => RetentionPolicy, {
    description:
      'Changes a retention policy. A run that is under way ends before the next record; a shorter term begins 24 hours later at the ' +
      'earliest, and is confirmed like a new one.',
  })
  updateRetentionPolicy(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateRetentionPolicyInput) patch: UpdateRetentionPolicyInput,
  ): Promise<RetentionPolicy> {
    return this.#guarded.update(ctx, { id, patch })
  }

  @Authorized('retentionPolicy.delete')
  @Mutation(() => RetentionPolicy, {
    description:
      'Ends a retention policy: a run that is under way ends before the next record. What it covered falls to the policy of an ' +
      'organization above, if there is one, after 24 hours (`endsAt`).',
  })
  deleteRetentionPolicy(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<RetentionPolicy> {
    return this.#guarded.delete(ctx, { id })
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() { organizationId }: RetentionPolicy, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => String, { description: 'Path of the owning organization (2.4).' })
  orgPath(@Root() policy: RetentionPolicy): string {
    return pathText(policy)
  }
}
