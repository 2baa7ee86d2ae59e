import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { loadFound } from '../../platform/lists/rows.js'
import { Channel, channelLoader } from '../channels/channel.js'
import { User } from '../users/user.js'
import { userProfileLoader, type UserProfile } from '../users/user-profile.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { applicableWorkflows } from './applicable-workflows.js'
import { fetchWorkflow } from './fetch-workflow.js'
import type { WorkflowCache } from './workflow-cache.js'
import { CreateWorkflowInput, UpdateWorkflowInput } from './workflow-input.js'
import { WorkflowConnection, WorkflowFilter, workflowList, WorkflowOrder } from './workflow-list.js'
import { createWorkflow, deleteWorkflow, updateWorkflow } from './workflow-writes.js'
import type { NotifyParams } from './rule-definition.js'
import { RuleEventParams, Workflow } from './workflow.js'

@Resolver(() => Workflow)
export class WorkflowsResolver {
  constructor(private readonly options: { transact: Transact; cache: WorkflowCache }) {}

  @Authorized('workflow.fetch')
  @Query(() => Workflow, { nullable: true, description: 'A workflow of an organization that the caller sees.' })
  workflow(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Workflow> {
    return fetchWorkflow(ctx, id)
  }

  @Authorized('workflow.list')
  @Query(() => WorkflowConnection, { description: "Workflows of the caller's organization and those below it." })
  workflows(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => WorkflowFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [WorkflowOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Workflow>> {
    return listPage(ctx, workflowList, { args, filter, orderBy })
  }

  @Authorized('workflow.list')
  @Query(() => [Workflow], {
    description:
      'All workflows that run on an inbound contact message for an organization: its own, and those of the ' +
      'organizations above it whose limits do not exclude it, including those that the caller does not see otherwise. Nearest ' +
      'first (4.3).',
  })
  async organizationWorkflows(@Ctx() ctx: Context, @Arg('organization', () => ID) id: string): Promise<Workflow[]> {
    const organization = await fetchRecord(ctx, Organization, id)
    const { tags } = organization
    const wanted = { id: organization.id, path: pathOf(organization), tags: tags ?? [] }
    const applicable = await applicableWorkflows(ctx.reads, wanted, ctx.now(), this.options.cache)
    return applicable.map(({ record }) => record)
  }

  @Authorized('workflow.create')
  @Mutation(() => Workflow, { description: 'Creates a workflow with its rules (4.5).' })
  createWorkflow(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateWorkflowInput) input: CreateWorkflowInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Workflow> {
    return idempotently(ctx, { key, operation: 'createWorkflow', input }, () =>
      createWorkflow(ctx, this.options.transact, input),
    )
  }

  @Authorized('workflow.update')
  @Mutation(() => Workflow, {
    description: 'Updates a workflow. Only the given keys change; `rules` replaces all rules.',
  })
  updateWorkflow(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateWorkflowInput) patch: UpdateWorkflowInput,
    @Arg('comment', () => String, { nullable: true, description: 'Comment for the history; at most 1000 characters.' })
    comment?: string | null,
  ): Promise<Workflow> {
    return updateWorkflow(ctx, this.options.transact, { id, patch, comment })
  }

  @Authorized('workflow.delete')
  @Mutation(() => ID, {
    description: 'Deletes a workflow. Conversations that are already queued continue with its delayed rules.',
  })
  deleteWorkflow(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    return deleteWorkflow(ctx, this.options.transact, id)
  }

  @FieldResolver(() => Organization, {
    nullable: true,
    description: 'Owning organization; null if the caller does not see it.',
  })
  organization(@Root() workflow: Workflow, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(workflow.organizationId)
  }

  @FieldResolver(() => [Organization], { description: 'Those of `organizations` that the caller sees.' })
  limitedToOrganizations(@Root() { organizations }: Workflow, @Ctx() ctx: Context): Promise<Organization[]> {
    return loadFound(ctx, organizationLoader, organizations ?? [])
  }
}

@Resolver(() => RuleEventParams)
export class RuleEventParamsResolver {
  @FieldResolver(() => [Channel], { description: 'Those of `channels` that the caller sees.' })
  notifiedChannels(@Root() { channels }: NotifyParams, @Ctx() ctx: Context): Promise<Channel[]> {
    return loadFound(ctx, channelLoader, channels ?? [])
  }

  @FieldResolver(() => [User], { description: 'Those of `users` that the caller sees.' })
  notifiedUsers(@Root() { users }: NotifyParams, @Ctx() ctx: Context): Promise<UserProfile[]> {
    return loadFound(ctx, userProfileLoader, users ?? [])
  }
}
