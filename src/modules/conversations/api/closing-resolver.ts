import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { closeConversation, undoClose, type ClosedConversation } from '../sending/close-conversation.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { Conversation } from './conversation.js'

@ObjectType({ description: 'A conversation that was closed, and the time until which `undoClose` brings it back.' })
export class Closing implements ClosedConversation {
  @Field(() => Conversation, { description: 'The closed conversation.' })
  conversation!: ConversationState

  @Field(() => Date, { description: 'Until then the agent who closed it can undo that.' })
  undoUntil!: Date
}

@Resolver()
export class ClosingResolver {
  constructor(private readonly writer: ConversationWriter) {}

  @Authorized('conversation.command')
  @Mutation(() => Closing, {
    description:
      'Closes the conversation for all who have accepted it, whether or not its last message was answered. For an ' +
      'agent who has accepted it; `leaveConversation` hands an unanswered conversation back to the queue instead.',
  })
  closeConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('ifLastMessage', () => ID, {
      nullable: true,
      description: 'Closes it only if this is still its last message; else 422 `CHANGED_MEANWHILE`.',
    })
    ifLastMessage?: string | null,
  ): Promise<Closing> {
    return closeConversation(this.writer, ctx, conversation, ifLastMessage ?? null)
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description:
      "Undoes the caller's `closeConversation` until `undoUntil`: status, participants, clocks and reports are as if it " +
      'had never been closed. 422 `CHANGED_MEANWHILE` afterwards, and if a message was sent meanwhile.',
  })
  undoClose(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<ConversationState> {
    return undoClose(this.writer, ctx, conversation)
  }
}
