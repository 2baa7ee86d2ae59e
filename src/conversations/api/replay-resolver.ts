import { Arg, Authorized, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../context.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../lists/scalars.js'
import type { Facts } from '../../workflows/facts.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { WorkflowRuleInput } from '../../workflows/workflow-input.js'
import { replayRules, routingFacts, type Replay, type ReplayedQueueing, type Targets } from '../routing/replay-rules.js'
import { fetchConversation } from './conversation.js'

@ObjectType({ simpleResolvers: true, description: 'Targets that rules notify of a conversation.' })
export class ReplayTargets implements Targets {
  @Field(() => [ID]) channels!: string[]
  @Field(() => [ID]) users!: string[]
}

@ObjectType({ simpleResolvers: true, description: 'A queueing that unsaved rules would send elsewhere.' })
export class ReplayChange implements ReplayedQueueing {
  @Field(() => ID) conversation!: string
  @Field(() => String, { description: 'Name of the conversation.' }) name!: string
  @Field(() => DateTime) queuedAt!: Date
  @Field(() => ReplayTargets, { description: 'Targets of the rules that ran.' }) before!: Targets
  @Field(() => ReplayTargets, { description: 'Targets of the unsaved rules.' }) after!: Targets
}

@ObjectType({
  simpleResolvers: true,
  description: 'Outcome that unsaved rules would have had for queued conversations.',
})
export class RuleReplay implements Replay {
  @Field(() => Int, { description: 'Queueings that were asked about: the last one of each conversation.' })
  replayed!: number
  @Field(() => Int, { description: 'Number of queueings with other targets.' }) changed!: number
  @Field(() => Int, { description: 'Number of these without any target.' }) unreached!: number
  @Field(() => Boolean, {
    description:
      'False if there were more than 500, of which the newest were evaluated, or if it took longer than 10 s.',
  })
  isComplete!: boolean
  @Field(() => [ReplayChange], { description: 'Queueings with other targets, at most 50.' })
  changes!: ReplayedQueueing[]
}

@Resolver()
export class ReplayResolver {
  constructor(private readonly engines: RuleEngines) {}

  @Authorized('workflow.test')
  @Query(() => JsonObjectScalar, {
    description:
      'The facts that rules read of a conversation (4.6), for `explainWorkflow`: as they are now, at the time at which ' +
      'it was queued last.',
  })
  async routingFacts(@Ctx() ctx: Context, @Arg('conversation', () => ID) id: string): Promise<Facts> {
    return routingFacts(ctx, await fetchConversation(ctx, id))
  }

  @Authorized('workflow.test')
  @Query(() => RuleReplay, {
    description:
      'What unsaved rules of a workflow would have done with what was queued since, as if all channels had subscribers, ' +
      'beside the rules that ran then. What no rule read then is taken as it is now.',
  })
  replayRules(
    @Ctx() ctx: Context,
    @Arg('workflow', () => ID) workflow: string,
    @Arg('rules', () => [WorkflowRuleInput], { description: 'Unsaved rules of the workflow.' })
    rules: WorkflowRuleInput[],
    @Arg('since', () => DateTime, { description: 'At most 31 days ago.' }) since: Date,
  ): Promise<Replay> {
    return this.engines.trial(ctx.share, () => replayRules(ctx, { workflow, rules, since }))
  }
}
