import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { JsonObject } from '../../platform/json.js'
import type { RuleEngines } from './evaluation.js'
import { fetchWorkflow } from './fetch-workflow.js'
import { RoutingTraceEntry } from './routing-trace.js'
import { createRule, deleteRule, findRule, updateRule } from './rule-writes.js'
import type { RuleDefinition, NotifyEvent } from './rule-definition.js'
import { explainWorkflow, OFFLINE_MAX, tryWorkflow } from './try-workflow.js'
import { UpdateWorkflowRuleInput, WorkflowRuleInput } from './workflow-input.js'
import { RuleEvent, WorkflowRule } from './workflow.js'

const FACTS =
  'Mock facts: `organization`, `conversation`, `message`, `contact`, `context`, `forms`, `results` (4.5, 4.6).'

@Resolver(() => WorkflowRule)
export class WorkflowRulesResolver {
  constructor(private readonly options: { transact: Transact; engines: RuleEngines }) {}

  @Authorized('workflow.fetch')
  @Query(() => WorkflowRule, { nullable: true, description: 'A rule by the ids of its workflow and itself.' })
  async workflowRule(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rule', () => ID) rule: string,
  ): Promise<RuleDefinition> {
    return findRule(await fetchWorkflow(ctx, workflow), rule)
  }

  @Authorized('workflow.update')
  @Mutation(() => WorkflowRule, { description: 'Appends a rule to a workflow (4.5).' })
  createWorkflowRule(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('input', () => WorkflowRuleInput) input: WorkflowRuleInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<RuleDefinition> {
    return idempotently(ctx, { key, operation: 'createWorkflowRule', input: [workflow, input] }, () =>
      createRule(ctx, this.options.transact, { workflow, input }),
    )
  }

  @Authorized('workflow.update')
  @Mutation(() => WorkflowRule, {
    description: 'Updates a rule. Only the given keys change; an event replaces the whole event (4.5).',
  })
  updateWorkflowRule(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rule', () => ID) rule: string,
    @Arg('patch', () => UpdateWorkflowRuleInput) patch: UpdateWorkflowRuleInput,
  ): Promise<RuleDefinition> {
    return updateRule(ctx, this.options.transact, { workflow, rule, patch })
  }

  @Authorized('workflow.update')
  @Mutation(() => ID, { description: 'Removes a rule from a workflow.' })
  deleteWorkflowRule(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rule', () => ID) rule: string,
  ): Promise<string> {
    return deleteRule(ctx, this.options.transact, { workflow, rule })
  }

  @Authorized('workflow.test')
  @Query(() => [RuleEvent], {
    description: 'The events of the rules that the facts trigger, in the order in which they would run (4.5).',
  })
  testWorkflow(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('facts', () => JsonObjectScalar, { description: FACTS }) facts: JsonObject,
  ): Promise<NotifyEvent[]> {
    return this.#trial(ctx, (engines) => tryWorkflow(ctx, engines, { workflow, facts }))
  }

  @Authorized('workflow.test')
  @Query(() => [RuleEvent], { description: 'The event of the rule if the facts trigger it, else none (4.5).' })
  testWorkflowRule(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rule', () => ID) rule: string,
    @Arg('facts', () => JsonObjectScalar, { description: FACTS }) facts: JsonObject,
  ): Promise<NotifyEvent[]> {
    return this.#trial(ctx, (engines) => tryWorkflow(ctx, engines, { workflow, rule, facts }))
  }

  @Authorized('workflow.test')
  @Query(() => [RoutingTraceEntry], {
    description: 'Outcome of each rule for the facts if this were the only workflow, with the trace of its conditions.',
  })
  explainWorkflow(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('facts', () => JsonObjectScalar, { description: FACTS }) facts: JsonObject,
    @Arg('offline', () => [ID], {
      nullable: true,
      description: `Channels assumed to have no active subscribers, at most ${OFFLINE_MAX}.`,
    })
    offline?: string[] | null,
    @Arg('rules', () => [WorkflowRuleInput], {
      nullable: true,
      description: 'Rules to use instead of the stored ones; nothing is saved.',
    })
    rules?: WorkflowRuleInput[] | null,
  ): Promise<RoutingTraceEntry[]> {
    const input = { workflow, facts, offline: offline ?? [], rules }
    return this.#trial(ctx, (engines) => explainWorkflow(ctx, engines, input))
  }

  #trial<T>(ctx: Context, work: (engines: RuleEngines) => Promise<T>): Promise<T> {
    const { engines } = this.options
    return engines.trial(ctx.share, () => work(engines))
  }
}
