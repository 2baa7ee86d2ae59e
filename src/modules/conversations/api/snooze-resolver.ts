import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { SendDependencies } from '../sending/send-message.js'
import { snoozeConversation } from '../sending/snooze-conversation.js'
import type { ConversationState } from '../state/conversation-state.js'
import { Conversation } from './conversation.js'

@Resolver()
export class SnoozeResolver {
  constructor(private readonly options: Pick<SendDependencies, 'writer' | 'router' | 'assignments'>) {}

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description:
      'Puts a conversation aside until a time, or until the consumer writes: meanwhile it is no load. Then it is in the ' +
      'inbox of those who have accepted it. For an agent who has accepted it; one that waits is accepted by it. Another ' +
      'time replaces the first. Closing it and handing it over end it.',
  })
  snooze(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('until', () => DateTime, { description: 'Between 1 minute and 1 year from now.' }) until: Date,
  ): Promise<ConversationState> {
    return snoozeConversation(this.options, ctx, conversation, until)
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: 'Ends `snooze` now. Repeating it changes nothing. For an agent who has accepted the conversation.',
  })
  unsnooze(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<ConversationState> {
    return snoozeConversation(this.options, ctx, conversation, null)
  }
}
