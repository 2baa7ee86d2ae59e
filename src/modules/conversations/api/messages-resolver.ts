import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { BadUserInput } from '../../../platform/errors.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../../platform/lists/connection.js'
import { listPage } from '../../../platform/lists/list-page.js'
import { MESSAGES_MAX } from '../../messages/message-content.js'
import { MessageInput } from '../../messages/message-input.js'
import { parseSentMessage } from '../sending/sent-message.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { ServiceProfile, serviceProfileLoader } from '../../services/service.js'
import { loadFound } from '../../../platform/lists/rows.js'
import { Conversation, loadConversation } from './conversation.js'
import { authorOf, MessageAuthor } from './message-author.js'
import { fetchMessage } from './fetch-message.js'
import { MessageConnection, MessageFilter, messageList, MessageOrder } from './conversation-list.js'
import type { ConversationState } from '../state/conversation-state.js'
import { askForPerson } from '../sending/ask-for-person.js'
import { cancelMessage } from '../sending/cancel-message.js'
import { deleteMessage, UpdateMessageInput, updateMessage } from '../messages/edit-message.js'
import { sendMessages, type SendDependencies } from '../sending/send-message.js'

const IN_CONVERSATION = { nullable: true, description: 'Limits the search to this conversation.' }

@Resolver(() => Message)
export class MessagesResolver {
  constructor(private readonly options: SendDependencies) {}

  @Authorized('message.list')
  @Query(() => MessageConnection, { description: "Messages in and below the caller's organization (2.9)." })
  messages(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => MessageFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [MessageOrder], { nullable: true, description: 'Newest first by default.' })
    orderBy?: OrderTerm[] | null,
  ): Promise<Page<MessageRow>> {
    return listPage<MessageRow>(ctx, messageList, { args, filter, orderBy })
  }

  @Authorized('message.fetch')
  @Query(() => Message, { nullable: true, description: 'A message by its id (2.9).' })
  message(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('conversation', () => ID, IN_CONVERSATION) conversation?: string | null,
  ): Promise<MessageRow> {
    return fetchMessage(ctx, id, conversation)
  }

  @Authorized('message.create')
  @Mutation(() => Message, { description: 'Sends a message or a command (4.7, 4.8).' })
  async sendMessage(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('message', () => MessageInput) message: MessageInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<MessageRow> {
    // The transaction's result, a list, is what is stored under the idempotency key.
    const send = async () => sendMessages(this.options, ctx, conversation, [parseSentMessage(ctx, message, '')])
    const [sent] = await idempotently(ctx, { key, operation: 'sendMessage', input: { conversation, message } }, send)
    return sent!
  }

  @Authorized('message.create')
  @Mutation(() => [Message], { description: 'Sends several messages in order, either all or none.' })
  sendMessages(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('messages', () => [MessageInput]) messages: MessageInput[],
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<MessageRow[]> {
    if (messages.length === 0 || messages.length > MESSAGES_MAX) {
      throw new BadUserInput('messages', `messages has ${messages.length} elements, not 1 to ${MESSAGES_MAX}`)
    }
    const send = async () => {
      const newMessages = messages.map((message, index) => parseSentMessage(ctx, message, `messages[${index}]`))
      return sendMessages(this.options, ctx, conversation, newMessages)
    }
    return idempotently(ctx, { key, operation: 'sendMessages', input: { conversation, messages } }, send)
  }

  @Authorized('person.ask')
  @Mutation(() => Boolean, {
    description:
      'A guest asks for a person: bots leave the conversation, and it is queued for agents unless one of them has it. Repeating it ' +
      'changes nothing. False if a person has it already.',
  })
  askForPerson(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<boolean> {
    return askForPerson(this.options, ctx, conversation)
  }

  @Authorized('message.update')
  @Mutation(() => Message, {
    description: 'Updates a stored message. Only the given keys change. Changed content sets `editedAt`.',
  })
  async updateMessage(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateMessageInput) patch: UpdateMessageInput,
    @Arg('conversation', () => ID, IN_CONVERSATION) conversation?: string | null,
  ): Promise<MessageRow> {
    if (conversation != null) await fetchMessage(ctx, id, conversation)
    return updateMessage(this.options.writer, ctx, id, patch)
  }

  @Authorized('message.delete')
  @Mutation(() => ID, {
    description: 'Deletes a message for everybody; jobs erase its text from events, webhooks and stored responses.',
  })
  async deleteMessage(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('conversation', () => ID, IN_CONVERSATION) conversation?: string | null,
  ): Promise<string> {
    if (conversation != null) await fetchMessage(ctx, id, conversation)
    await deleteMessage(this.options.writer, ctx, id)
    return id.toLowerCase()
  }

  @Authorized('message.cancel')
  @Mutation(() => ID, {
    description:
      "Cancels a message of one's own that waits for its `delay`; administrators cancel any. It is never sent, also if it arrives " +
      'only after this. An error with the reason `sent` says that it is too late.',
  })
  cancelMessage(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID, { description: 'The conversation to which it was sent.' }) conversation: string,
    @Arg('id', () => ID, { description: 'Id of the message, as it was given or answered.' }) id: string,
  ): Promise<string> {
    return cancelMessage(this.options.writer, ctx, conversation, id)
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'The user who sent the message; null for a consumer.',
  })
  user(@Root() { userId }: MessageRow, @Ctx() ctx: Context): Promise<UserProfile | null> | null {
    return userId ? ctx.loader(userProfileLoader).load(userId) : null
  }

  @FieldResolver(() => ServiceProfile, { nullable: true, description: 'Service that the message was sent to (4.7).' })
  service(@Root() { serviceId }: MessageRow, @Ctx() ctx: Context): Promise<ServiceProfile | null> | null {
    return serviceId ? ctx.loader(serviceProfileLoader).load(serviceId) : null
  }

  @FieldResolver(() => [User], { description: 'Those of the users who like the message that the caller sees.' })
  likedBy(@Root() { likes }: MessageRow, @Ctx() ctx: Context): Promise<UserProfile[]> {
    return loadFound(ctx, userProfileLoader, likes)
  }

  @FieldResolver(() => MessageAuthor, {
    nullable: true,
    description: "The author: a user, or the contact for a consumer's message; null for system messages.",
  })
  author(@Root() message: MessageRow, @Ctx() ctx: Context): Promise<object | null> {
    return authorOf(ctx, message)
  }

  @FieldResolver(() => Conversation, { nullable: true })
  conversation(@Root() { conversationId }: MessageRow, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, conversationId)
  }
}
