import { Arg, Authorized, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import type { Facts } from '../../workflows/facts.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { WorkflowRuleInput } from '../../workflows/workflow-input.js'
import {
  replayRules,
  routingFacts,
  type Replay,
  type ReplayedQueueing,
  type Targets,
  type UnknownQueueing,
} from '../routing/replay-rules.js'
import { fetchConversation } from './conversation.js'

@ObjectType({ simpleResolvers: true, description: 'Targets that rules notify about a conversation.' })
export class ReplayTargets implements Targets {
  @Field(() => [ID]) channels!: string[]
  @Field(() => [ID]) users!: string[]
}

@ObjectType({ simpleResolvers: true, description: 'A queueing for which unsaved rules would choose other targets.' })
export class ReplayChange implements ReplayedQueueing {
  @Field(() => ID) conversation!: string
  @Field(() => String, { description: 'Name of the conversation.' }) name!: string
  @Field(() => DateTime) queuedAt!: Date
  @Field(() => ReplayTargets, { description: 'Targets chosen by the rules that ran.' }) before!: Targets
  @Field(() => ReplayTargets, { description: 'Targets chosen by the unsaved rules.' }) after!: Targets
}

@ObjectType({
  simpleResolvers: true,
  description: 'A queueing for which it is unknown what targets unsaved rules would choose.',
})
export class ReplayUnknown implements UnknownQueueing {
  @Field(() => ID, { description: 'The conversation that was queued.' }) conversation!: string
  @Field(() => String, { description: 'Name of the conversation.' }) name!: string
  @Field(() => DateTime) queuedAt!: Date
  @Field(() => [String], {
    description: 'Facts on which it depends and that no rule read then, as `message.text`.',
  })
  facts!: readonly string[]
  @Field(() => Boolean, { description: 'Whether the rules that ran then are not kept any more.' }) lacksRules!: boolean
}

@ObjectType({
  simpleResolvers: true,
  description: 'The outcome that unsaved rules would have had for queued conversations.',
})
export class RuleReplay implements Replay {
  @Field(() => Int, { description: 'Number of evaluated queueings: the last one of each conversation.' })
  replayed!: number
  @Field(() => Int, { description: 'Number of queueings with other targets.' }) changed!: number
  @Field(() => Int, { description: 'Number of changed queueings that would have no target.' }) unreached!: number
  @Field(() => Int, {
    description: 'Number of queueings whose targets depend on what was not recorded; none of them counts as changed.',
  })
  unknown!: number
  @Field(() => Boolean, {
    description:
      'False if there were more than 500 queueings (the newest are evaluated), or if evaluation took longer than 10 s.',
  })
  isComplete!: boolean
  @Field(() => [ReplayChange], { description: 'Queueings with other targets, at most 50.' })
  changes!: ReplayedQueueing[]
  @Field(() => [ReplayUnknown], { description: 'Queueings whose targets are unknown, at most 50.' })
  unknowns!: UnknownQueueing[]
}

@Resolver()
export class ReplayResolver {
  constructor(private readonly engines: RuleEngines) {}

  @Authorized('workflow.test')
  @Query(() => JsonObjectScalar, {
    description:
      'The facts that rules read about a conversation (4.6), for `explainWorkflow`: current values, with the clock set to ' +
      'the time at which the conversation was last queued.',
  })
  async routingFacts(@Ctx() ctx: Context, @Arg('conversation', () => ID) id: string): Promise<Facts> {
    return routingFacts(ctx, await fetchConversation(ctx, id))
  }

  @Authorized('workflow.test')
  @Query(() => RuleReplay, {
    description:
      'Compares the targets that unsaved rules of a workflow would have chosen for conversations queued since the given ' +
      'time with those that the rules chose then, as if all channels had subscribers. Facts that no rule read then are unknown, and so are targets that depend on them.',
  })
  replayRules(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rules', () => [WorkflowRuleInput], { description: 'Unsaved rules of the workflow.' })
    rules: WorkflowRuleInput[],
    @Arg('since', () => DateTime, { description: 'Time of the first conversations to replay, at most 31 days ago.' })
    since: Date,
  ): Promise<Replay> {
    return this.engines.trial(ctx.share, () => replayRules(ctx, { workflow, rules, since }))
  }
}
