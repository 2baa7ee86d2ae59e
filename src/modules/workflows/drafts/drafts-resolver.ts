import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { Transact } from '../../../platform/events/transact.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { User } from '../../users/user.js'
import { userProfileLoader, type UserProfile } from '../../users/user-profile.js'
import { fetchWorkflow } from '../fetch-workflow.js'
import { nameTargets } from '../history/target-names.js'
import { describeDiff, WorkflowDiff } from '../history/workflow-diff.js'
import { WorkflowRuleInput } from '../workflow-input.js'
import { Workflow } from '../workflow.js'
import { cancelPublication, publishDraft, type Publication } from './publish-draft.js'
import { discardDraft, saveDraft } from './save-draft.js'
import { hashOfRules } from '../rule-hash.js'
import { WorkflowDraft } from './workflow-draft.js'

/** A workflow has one of each of its administrators. */
const DRAFTS_MAX = 100
const IF_VERSION =
  'The `version` of the draft that the caller saw: refused with PRECONDITION_FAILED if it is another by now. 0 if there was none.'
const COMMENT = 'At most 1000 characters.'

@ObjectType('WorkflowPublication', { simpleResolvers: true, description: 'The outcome of publishing a draft.' })
export class PublicationObject implements Publication {
  @Field(() => Workflow, { description: 'The workflow, with the rules of the draft if it is published.' })
  workflow!: Workflow
  @Field(() => WorkflowDraft, { nullable: true, description: 'The draft if its publication is planned.' })
  draft!: WorkflowDraft | null
}

@Resolver(() => Workflow)
export class WorkflowDraftsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('workflow.history')
  @FieldResolver(() => [WorkflowDraft], { description: 'Drafts of the rules, the one that was saved last first.' })
  drafts(@Root() { id }: Workflow, @Ctx() ctx: Context): Promise<WorkflowDraft[]> {
    return ctx.em.find(
      WorkflowDraft,
      { workflowId: id },
      { orderBy: { updatedAt: 'desc', id: 'asc' }, limit: DRAFTS_MAX },
    )
  }

  @Authorized('workflow.update')
  @Mutation(() => WorkflowDraft, {
    description:
      "Saves the caller's draft of a workflow's rules, of which nothing runs. Each administrator has a draft of their own. " +
      'A publication that was planned is planned no more.',
  })
  saveWorkflowDraft(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rules', () => [WorkflowRuleInput], { description: 'Replaces all rules of the draft.' })
    rules: WorkflowRuleInput[],
    @Arg('ifVersion', () => Int, { nullable: true, description: IF_VERSION }) ifVersion?: number | null,
    @Arg('baseVersion', () => Int, {
      nullable: true,
      description:
        "The workflow's `version` with which the rules began. By default that of the draft, for a new one the present one. " +
        'With other rules in the workflow since, the draft is outdated and cannot be published.',
    })
    baseVersion?: number | null,
  ): Promise<WorkflowDraft> {
    return saveDraft(ctx, this.transact, { workflow, rules, ifVersion, baseVersion })
  }

  @Authorized('workflow.update')
  @Mutation(() => ID, { description: "Discards the caller's draft of a workflow." })
  discardWorkflowDraft(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('ifVersion', () => Int, { nullable: true, description: IF_VERSION }) ifVersion?: number | null,
  ): Promise<string> {
    return discardDraft(ctx, this.transact, { workflow, ifVersion })
  }

  @Authorized('workflow.update')
  @Mutation(() => PublicationObject, {
    description:
      "Publishes the caller's draft of a workflow, at once or at a time. PRECONDITION_FAILED if the workflow has other rules by " +
      'now than those with which the draft began; UNPROCESSABLE with the reason `TARGETS_GONE` if its rules name channels, ' +
      'users or skills that are gone. Both are checked again at that time: `WorkflowDraft.refusal`.',
  })
  publishWorkflowDraft(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('comment', () => String, { nullable: true, description: COMMENT }) comment?: string | null,
    @Arg('at', () => DateTime, { nullable: true, description: 'Within 90 days; at once by default.' }) at?: Date | null,
    @Arg('ifVersion', () => Int, { nullable: true, description: IF_VERSION }) ifVersion?: number | null,
  ): Promise<Publication> {
    return publishDraft(ctx, this.transact, { workflow, comment, at, ifVersion })
  }

  @Authorized('workflow.update')
  @Mutation(() => WorkflowDraft, {
    description: "Takes back the planned publication of a draft, also of another administrator's. The draft stays.",
  })
  cancelWorkflowPublication(
    @Ctx() ctx: Context,
    @Arg('draft', () => ID, { description: 'Id of the draft.' }) id: string,
    @Arg('ifVersion', () => Int, { nullable: true, description: IF_VERSION }) ifVersion?: number | null,
  ): Promise<WorkflowDraft> {
    return cancelPublication(ctx, this.transact, { id, ifVersion })
  }
}

@Resolver(() => WorkflowDraft)
export class WorkflowDraftFieldsResolver {
  @FieldResolver(() => User, { nullable: true, description: 'The administrator whose draft it is.' })
  user(@Root() { userId }: WorkflowDraft, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the workflow has other rules by now than those with which the draft began.',
  })
  async isOutdated(@Root() { workflowId, baseHash }: WorkflowDraft, @Ctx() ctx: Context): Promise<boolean> {
    const workflow = await fetchWorkflow(ctx, workflowId)
    return hashOfRules(workflow.rules) !== baseHash
  }

  @FieldResolver(() => WorkflowDiff, { description: 'Differences between the present rules and those of the draft.' })
  async diff(@Root() draft: WorkflowDraft, @Ctx() ctx: Context): Promise<WorkflowDiff> {
    const workflow = await fetchWorkflow(ctx, draft.workflowId)
    const nameOf = await nameTargets(ctx, workflow, [...workflow.rules, ...draft.rules], draft.names)
    const { name, organizations, organizationTags } = workflow
    const after = { name, organizations, organizationTags, rules: draft.rules }
    return describeDiff(workflow, after, nameOf, { from: null, to: null })
  }
}
