import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../context.js'
import { pathOf } from '../db/tenancy.js'
import type { Transact } from '../events/transact.js'
import { idempotently } from '../limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../lists/connection.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { listPage } from '../lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { applicableWorkflows } from './applicable-workflows.js'
import type { WorkflowCache } from './workflow-cache.js'
import { CreateWorkflowInput, UpdateWorkflowInput } from './workflow-input.js'
import { WorkflowConnection, WorkflowFilter, workflowList, WorkflowOrder } from './workflow-list.js'
import { createWorkflow, deleteWorkflow, updateWorkflow } from './workflow-writes.js'
import { Workflow } from './workflow.js'

@Resolver(() => Workflow)
export class WorkflowsResolver {
  constructor(private readonly options: { transact: Transact; cache: WorkflowCache }) {}

  @Authorized('workflow.fetch')
  @Query(() => Workflow, { nullable: true, description: 'A workflow of an organization that the caller sees.' })
  workflow(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Workflow> {
    return fetchRecord(ctx, Workflow, id)
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
  ): Promise<Workflow> {
    return updateWorkflow(ctx, this.options.transact, { id, patch })
  }

  @Authorized('workflow.delete')
  @Mutation(() => ID, {
    description: 'Deletes a workflow. Conversations that are already queued continue with its delayed rules.',
  })
  async deleteWorkflow(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteWorkflow(ctx, this.options.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, {
    nullable: true,
    description: 'Owning organization; null if the caller does not see it.',
  })
  organization(@Root() workflow: Workflow, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(workflow.organizationId)
  }
}
