import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { ErrorCode, ErrorReason } from '../../../platform/error-reasons.js'
import { ErrorCodeEnum, ErrorReasonEnum } from '../../../platform/lists/error-enums.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import { keptRefusal, runMacro, RUN_CONVERSATIONS_MAX, type Refusal, type RunOutcome } from '../acts/run-macro.js'
import type { Acting } from '../acts/run-steps.js'
import type { ConversationState } from '../state/conversation-state.js'
import { Conversation, loadConversation } from './conversation.js'

@ObjectType({ simpleResolvers: true, description: 'Reason why nothing was done with a conversation.' })
export class MacroRefusal implements Refusal {
  @Field(() => ErrorCodeEnum, { description: 'As `code` of an error.' }) code!: ErrorCode
  @Field(() => ErrorReasonEnum, { description: 'As `reason` of an error.' }) reason!: ErrorReason
  @Field(() => String, { description: 'In words; names what a step named and is gone.' }) message!: string
  @Field(() => Int, { nullable: true, description: 'Number of the step that could not be done, from 1.' })
  step!: number | null
}

@ObjectType({ description: 'Outcome of a macro for one conversation: all of its steps were done, or none.' })
export class MacroResult {
  @Field(() => ID) conversationId!: string
  @Field(() => MacroRefusal, { nullable: true, description: 'Null if all was done.' }) refusal!: MacroRefusal | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Until then `undoClose` undoes the closing; null without one.',
  })
  undoUntil!: Date | null
}

@Resolver(() => MacroResult)
export class MacroRunsResolver {
  constructor(private readonly acting: Acting) {}

  @Authorized('macro.run')
  @Mutation(() => [MacroResult], {
    description:
      'Runs a macro on conversations: of each, all steps or none, whatever becomes of the others. What its steps name is looked up again; ' +
      'what is gone by now refuses the conversation. Each step needs what it needs by itself.',
  })
  async runMacro(
    @Ctx() ctx: Context,
    @Arg('macro', () => ID, { description: 'Id of the macro.' }) macro: string,
    @Arg('conversations', () => [ID], {
      description: `Ids of 1 to ${RUN_CONVERSATIONS_MAX} conversations, in whose order the results are.`,
    })
    conversations: string[],
    @Arg('id', () => ID, {
      description: 'A UUID of the run, chosen by the caller: a repeat within 24 hours gets the first answer.',
    })
    id: string,
    @Arg('ifLastMessage', () => ID, {
      nullable: true,
      description: 'Runs on the one conversation only if this is still its last message; else `CHANGED_MEANWHILE`.',
    })
    ifLastMessage?: string | null,
  ): Promise<MacroResult[]> {
    const outcomes = await runMacro(this.acting, ctx, {
      ...{ macro, conversations, id },
      ifLastMessage: ifLastMessage ?? null,
    })
    return outcomes.map(shown)
  }

  @FieldResolver(() => Conversation, { nullable: true, description: 'As it is now; null if it is not found.' })
  conversation(@Root() { conversationId }: MacroResult, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, conversationId)
  }

  @FieldResolver(() => Boolean, { description: 'Whether all steps were done.' })
  isDone(@Root() { refusal }: MacroResult): boolean {
    return refusal === null
  }
}

const shown = ({ conversationId, refusal, undoUntil }: RunOutcome): MacroResult => ({
  conversationId,
  refusal: refusal && keptRefusal(refusal),
  undoUntil: undoUntil === null ? null : new Date(undoUntil),
})
