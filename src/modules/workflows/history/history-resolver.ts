import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { User } from '../../users/user.js'
import { userProfileLoader, type UserProfile } from '../../users/user-profile.js'
import { fetchWorkflow } from '../fetch-workflow.js'
import type { RuleDefinition } from '../rule-definition.js'
import { Workflow, WorkflowRule } from '../workflow.js'
import { readChanges, readRulesOf, requireChange } from './read-changes.js'
import { restoreWorkflow } from './restore-workflow.js'
import { nameTargets } from './target-names.js'
import { WorkflowChange } from './workflow-change.js'
import { describeDiff, WorkflowDiff } from './workflow-diff.js'

const FIRST = 20

@Resolver(() => Workflow)
export class WorkflowHistoryResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('workflow.history')
  @FieldResolver(() => [WorkflowChange], { description: 'Changes of the workflow, the newest first.' })
  history(
    @Root() workflow: Workflow,
    @Ctx() ctx: Context,
    @Arg('first', () => Int, { defaultValue: FIRST, description: 'From 1 to 100.' }) first: number,
    @Arg('before', () => Int, { nullable: true, description: 'Only changes before this number.' })
    before?: number | null,
  ): Promise<WorkflowChange[]> {
    return readChanges(ctx, workflow, { first, before })
  }

  @Authorized('workflow.history')
  @Query(() => WorkflowChange, { nullable: true, description: 'A change of a workflow by its number.' })
  async workflowChange(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) id: string,
    @Arg('number', () => Int, { description: "The workflow's `version` after the change." }) number: number,
  ): Promise<WorkflowChange> {
    const workflow = await fetchWorkflow(ctx, id)
    return requireChange(ctx.reads, workflow.id, { number, field: 'number' })
  }

  @Authorized('workflow.history')
  @Query(() => WorkflowDiff, { description: 'Compares two states of a workflow, rule by rule.' })
  async workflowDiff(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) id: string,
    @Arg('from', () => Int, { description: 'Number of the earlier state.' }) from: number,
    @Arg('to', () => Int, { nullable: true, description: 'Number of the later state; by default the present one.' })
    to?: number | null,
  ): Promise<WorkflowDiff> {
    const workflow = await fetchWorkflow(ctx, id)
    const before = await requireChange(ctx.reads, workflow.id, { number: from, field: 'from' })
    const after = to == null ? null : await requireChange(ctx.reads, workflow.id, { number: to, field: 'to' })
    const state = after ?? workflow
    const names = { ...before.names, ...after?.names }
    const nameOf = await nameTargets(ctx, workflow, [...before.rules, ...state.rules], names)
    return describeDiff(before, state, nameOf, { from, to: to ?? null })
  }

  @Authorized('workflow.update')
  @Mutation(() => Workflow, {
    description:
      'Restores name, limits and rules of a workflow as they were after one of its changes. Refused with the reason ' +
      '`TARGETS_GONE` if its rules name channels, users or skills that are gone.',
  })
  restoreWorkflow(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) workflow: string,
    @Arg('number', () => Int, { description: 'Number of the change.' }) number: number,
    @Arg('ifVersion', () => Int, {
      nullable: true,
      description:
        'The `version` of the workflow that the caller saw: refused with PRECONDITION_FAILED if it is another.',
    })
    ifVersion?: number | null,
    @Arg('comment', () => String, { nullable: true, description: 'At most 1000 characters.' }) comment?: string | null,
  ): Promise<Workflow> {
    return restoreWorkflow(ctx, this.transact, { workflow, number, ifVersion, comment })
  }
}

@Resolver(() => WorkflowChange)
export class WorkflowChangesResolver {
  @FieldResolver(() => User, {
    nullable: true,
    description: 'Author of the change; null if unknown, deleted or the system.',
  })
  by(@Root() { userId }: WorkflowChange, @Ctx() ctx: Context): Promise<UserProfile | null> | null {
    return userId === null ? null : ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => [WorkflowRule], { description: 'Rules after it.' })
  rules(@Root() change: WorkflowChange & { rules?: RuleDefinition[] }, @Ctx() ctx: Context): Promise<RuleDefinition[]> {
    return change.rules ? Promise.resolve(change.rules) : readRulesOf(ctx, change)
  }
}
