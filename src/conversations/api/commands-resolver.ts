import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import { BadUserInput, DomainError } from '../../errors.js'
import { isAbsent } from '../../input.js'
import type { JsonObject } from '../../json.js'
import { JsonObject as JsonObjectScalar } from '../../lists/scalars.js'
import { parseCommand } from '../commands/parse-command.js'
import { parseMessage, type MessageDraft } from '../../messages/message-content.js'
import type { Touchpoint } from '../../messages/message-enums.js'
import { TouchpointEnum } from '../../messages/message-enums.js'
import { Conversation, fetchConversation } from './conversation.js'
import type { ConversationState } from '../writing/conversation-state.js'
import { conversationNotFound } from '../writing/conversation-visibility.js'
import { handOver } from '../sending/hand-over.js'
import { sendMessages, type SendDependencies } from '../sending/send-message.js'

@InputType({ description: 'Fields that `/set` may change (4.8); only the given keys change.' })
export class SetConversationInput {
  @Field(() => String, { nullable: true }) name?: string | null
  @Field(() => String, {
    nullable: true,
    description: "Category, by name or by index in the organization's categories.",
  })
  category?: string | null
  @Field(() => TouchpointEnum, { nullable: true }) touchpoint?: Touchpoint | null
  @Field(() => String, { nullable: true, description: 'Two lower-case letters.' }) language?: string | null
  @Field(() => JsonObjectScalar, { nullable: true, description: "Merged into the conversation's metadata." })
  meta?: JsonObject | null
}

const forUser = { nullable: true, description: 'The user to act for; defaults to the caller.' } as const

/** Typed mutations, one for each command (4.8). Each sends the command's message through the same code. */
@Resolver()
export class CommandsResolver {
  constructor(private readonly options: SendDependencies) {}

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/accept`: makes the conversation active and removes it from the queues.',
  })
  acceptConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
    @Arg('ifQueued', () => Boolean, {
      nullable: true,
      description:
        'Accepts the conversation only if it is still queued. Only one of several agents succeeds; the others get an error that names that agent.',
    })
    ifQueued?: boolean | null,
    @Arg('trigger', () => String, {
      nullable: true,
      description: 'Origin of the acceptance, such as `channel` (2.12).',
    })
    trigger?: string | null,
  ): Promise<ConversationState> {
    const meta = { ...(ifQueued != null && { ifQueued }), ...(trigger != null && { trigger }) }
    return this.#command(ctx, conversation, { text: '/accept', user, meta })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/leave`: leaves the conversation; after the last accepting agent it is closed or requeued (3.1).',
  })
  leaveConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/leave', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/join`: joins the conversation without accepting it.' })
  joinConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/join', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: "`/assign`: adds the conversation to the users' inboxes." })
  assignConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('users', () => [ID]) users: string[],
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/assign', meta: { users } })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/follow`: adds the conversation to the inbox with each later consumer message.',
  })
  followConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/follow', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/unfollow`: ends `/follow`.' })
  unfollowConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/unfollow', user })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description:
      '`/notify`: queues the conversation; runs all workflows or those of the given organizations, or notifies exactly the given channels.',
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
  @Mutation(() => Conversation, { description: '`/enqueue`: hands the conversation from an automation to the agents.' })
  enqueueConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
  ): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/enqueue' })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/block`: blocks the contact and its address, and closes the conversation.',
  })
  blockContact(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<ConversationState> {
    return this.#command(ctx, conversation, { text: '/block' })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/import`: merges the messages of another conversation into this one, and archives it (4.8).',
  })
  importConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID, { description: 'The target of the copies, which is returned.' })
    conversation: string,
    @Arg('origin', () => ID, { description: 'The conversation to archive, of the same organization.' }) origin: string,
  ): Promise<ConversationState> {
    if (!isId(origin)) throw conversationNotFound()
    return this.#command(ctx, conversation, { text: `/import ${origin}` })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/set` for each given key, either all or none.' })
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
    return this.#commands(ctx, conversation, commands, pathInPatch)
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description:
      'Transfers the conversation to a colleague, for whom it is accepted and added to the inbox, or back to the ' +
      'queue of a channel, in one step. The consumer does not see the note.',
  })
  handOverConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, { nullable: true, description: 'The colleague; either this or `channel` is required.' })
    user?: string | null,
    @Arg('channel', () => ID, { nullable: true, description: 'The channel; either this or `user` is required.' })
    channel?: string | null,
    @Arg('note', () => String, {
      nullable: true,
      description: 'A note for the next agent; the consumer does not see it.',
    })
    note?: string | null,
  ): Promise<ConversationState> {
    const to = { user: user ?? null, channel: channel ?? null, note: note ?? null }
    return handOver(this.options, ctx, conversation, to)
  }

  #command(ctx: Context, conversation: string, command: SentCommand): Promise<ConversationState> {
    return this.#commands(ctx, conversation, [command])
  }

  /** @param pathOf maps a path within the command's message to the path of the mutation's argument */
  async #commands(
    ctx: Context,
    conversation: string,
    commands: readonly SentCommand[],
    pathOf = pathOfArgument,
  ): Promise<ConversationState> {
    const drafts = commands.map(readCommand)
    if (drafts.length > 0) {
      await sendMessages(this.options, ctx, conversation, drafts).catch((error: unknown) => {
        throw withPath(error, pathOf)
      })
    }
    return fetchConversation(ctx, conversation)
  }
}

/** Reads a command; an error names the mutation's argument instead of the text of the command. @throws BadUserInput */
function readCommand({ field = 'text', ...command }: SentCommand): MessageDraft {
  const messageDraft = parseMessage({ ...command, type: 'command' })
  parseCommand(command.text, field)
  return messageDraft
}

/** Maps a key of the message's `meta` to the argument of the same name. */
function pathOfArgument(field: string): string {
  return field.replace(/^meta\./, '')
}

/**
 * Maps `text` to `patch.category`: of the commands with a text, only the category is looked up when the command runs.
 */
function pathInPatch(field: string): string {
  return field === 'text' ? 'patch.category' : field.replace(/^meta\b/, 'patch.meta')
}

function withPath(error: unknown, pathOf: (field: string) => string): unknown {
  const { field } = error instanceof DomainError ? (error.details as { field?: unknown }) : {}
  if (!(error instanceof DomainError) || typeof field !== 'string') return error
  const path = pathOf(field)
  const message = error.message.startsWith(field) ? path + error.message.slice(field.length) : error.message
  return new DomainError(error.code, message, { ...error.details, field: path }, { cause: error })
}

/** Refuses null, since `/set` clears nothing (4.8). @throws BadUserInput */
function notNull<T>(value: T | null | undefined, field: string): T {
  if (isAbsent(value)) throw new BadUserInput(field, `${field} must not be null`)
  return value
}

interface SentCommand {
  /** Name of the argument that `text` was built from. */
  field?: string
  text: string
  user?: string | null
  meta?: JsonObject
}
