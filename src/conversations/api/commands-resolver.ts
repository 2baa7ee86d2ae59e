import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import { BadUserInput } from '../../errors.js'
import { isAbsent } from '../../input.js'
import type { JsonObject } from '../../json.js'
import { JsonObject as JsonObjectScalar } from '../../lists/scalars.js'
import { parseCommand } from '../commands/parse-command.js'
import { parseMessage, type MessageDraft } from '../../messages/message-content.js'
import type { Touchpoint } from '../../messages/message-content.js'
import { TouchpointEnum } from '../../messages/message-enums.js'
import { Conversation, fetchConversation } from './conversation.js'
import type { ConversationState } from '../writing/conversation-state.js'
import { conversationNotFound } from '../writing/conversation-visibility.js'
import { handOver } from '../sending/hand-over.js'
import { sendMessages, type SendDependencies } from '../sending/send-message.js'

@InputType({ description: 'What `/set` may change (4.8); only the given keys.' })
export class SetConversationInput {
  @Field(() => String, { nullable: true }) name?: string | null
  @Field(() => String, { nullable: true, description: "By name, or by index in the organization's categories." })
  category?: string | null
  @Field(() => TouchpointEnum, { nullable: true }) touchpoint?: Touchpoint | null
  @Field(() => String, { nullable: true, description: 'Two lower-case letters.' }) language?: string | null
  @Field(() => JsonObjectScalar, { nullable: true, description: "Merged into the conversation's metadata." })
  meta?: JsonObject | null
}

const forUser = { nullable: true, description: 'For this user; the caller when absent.' } as const

/** A typed twin for each command (4.8), over the same code: it sends the command's message. */
@Resolver()
export class CommandsResolver {
  constructor(private readonly options: SendDependencies) {}

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/accept`: the conversation becomes active, and leaves the queues.' })
  acceptConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
    @Arg('ifQueued', () => Boolean, {
      nullable: true,
      description: 'Only if it is still queued: of several agents one gets it, the others learn who did.',
    })
    ifQueued?: boolean | null,
    @Arg('trigger', () => String, { nullable: true, description: 'How it was accepted, such as `channel` (2.12).' })
    trigger?: string | null,
  ): Promise<ConversationState> {
    const meta = { ...(ifQueued != null && { ifQueued }), ...(trigger != null && { trigger }) }
    return this.#command(ctx, conversation, { text: '/accept', user, meta })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/leave`: the last accepting agent closes or requeues it (3.1).' })
  leaveConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/leave', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/join`: takes part without accepting.' })
  joinConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/join', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: "`/assign`: brings it to the users' inboxes." })
  assignConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('users', () => [ID]) users: string[],
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/assign', meta: { users } })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/follow`: later consumer messages bring it to the inbox.' })
  followConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/follow', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/unfollow`.' })
  unfollowConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/unfollow', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/notify`: queues it; all workflows run, or those of the organizations, or exactly the channels.',
  })
  notifyConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('channels', () => [ID], { nullable: true }) channels?: string[] | null,
    @Arg('organizations', () => [ID], { nullable: true }) organizations?: string[] | null,
  ): Promise<ConversationState> {
    const meta = { ...(channels && { channels }), ...(organizations && { organizations }) }
    return this.#command(ctx, conversation, { text: '/notify', meta })
  }

  @Authorized('conversation.enqueue')
  @Mutation(() => Conversation, { description: '`/enqueue`: an automation hands it to the agents.' })
  enqueueConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/enqueue' })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/block`: blocks the contact and its address, and closes it.' })
  blockContact(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/block' })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/import`: merges the messages of another conversation into this one, and archives it (4.8).',
  })
  importConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID, { description: 'Gets the copies, and is returned.' }) conversation: string,
    @Arg('origin', () => ID, { description: 'Is archived. Of the same organization.' }) origin: string,
  ): Promise<ConversationState> {
    if (!isId(origin)) throw conversationNotFound()
    return this.#command(ctx, conversation, { text: `/import ${origin}` })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/set`, for each given key: all of them or none.' })
  async setConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('patch', () => SetConversationInput) patch: SetConversationInput,
  ): Promise<ConversationState> {
    const keys = ['name', 'category', 'touchpoint', 'language'] as const
    const commands: SentCommand[] = keys
      .filter((key) => patch[key] !== undefined)
      .map((key) => ({ text: `/set @${key} ${notNull(patch[key], `patch.${key}`)}`, field: `patch.${key}` }))
    if (patch.meta !== undefined) commands.push({ text: '/set', meta: notNull(patch.meta, 'patch.meta') })
    return this.#commands(ctx, conversation, commands)
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description:
      "Gives the caller's part to a colleague, who has it as accepted and in the inbox, or the conversation back to the " +
      'queue of one channel, in one step. The note is for colleagues.',
  })
  handOverConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, { nullable: true, description: 'This, or `channel`.' }) user?: string | null,
    @Arg('channel', () => ID, { nullable: true, description: 'This, or `user`.' }) channel?: string | null,
    @Arg('note', () => String, { nullable: true, description: 'For whoever takes it; the consumer does not see it.' })
    note?: string | null,
  ): Promise<ConversationState> {
    const to = { user: user ?? null, channel: channel ?? null, note: note ?? null }
    return handOver(this.options, ctx, conversation, to)
  }

  #command(ctx: Context, conversation: string, command: SentCommand): Promise<ConversationState> {
    return this.#commands(ctx, conversation, [command])
  }

  async #commands(ctx: Context, conversation: string, commands: readonly SentCommand[]): Promise<ConversationState> {
    const drafts = commands.map(readCommand)
    if (drafts.length > 0) await sendMessages(this.options, ctx, conversation, drafts)
    return fetchConversation(ctx, conversation)
  }
}

/** A twin's bad argument is named by its own name, not as a part of the command's text. @throws BadUserInput */
function readCommand({ field = 'text', ...command }: SentCommand): MessageDraft {
  const messageDraft = parseMessage({ ...command, type: 'command' })
  parseCommand(command.text, field)
  return messageDraft
}

/** `/set` clears nothing (4.8). @throws BadUserInput */
function notNull<T>(value: T | null | undefined, field: string): T {
  if (isAbsent(value)) throw new BadUserInput(field, `${field} must not be null`)
  return value
}

interface SentCommand {
  /** Of the argument that the text holds. */
  field?: string
  text: string
  user?: string | null
  meta?: JsonObject
}
