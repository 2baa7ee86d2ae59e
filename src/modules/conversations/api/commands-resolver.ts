import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { isAbsent } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { accept } from '../commands/accept.js'
import { assign } from '../commands/assign.js'
import { block } from '../commands/block.js'
import { commandMessage } from '../commands/command-of-message.js'
import { enqueue } from '../commands/enqueue.js'
import { follow, unfollow } from '../commands/follow.js'
import { importOrigin } from '../commands/import.js'
import { join } from '../commands/join.js'
import { leave } from '../commands/leave.js'
import { notify } from '../commands/notify.js'
import { set, SET_ATTRIBUTES } from '../commands/set.js'
import { parseMark, type Mark } from '../../messages/mark.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'
import { Conversation, fetchConversation } from './conversation.js'
import type { ConversationState } from '../state/conversation-state.js'
import { conversationNotFound } from '../state/conversation-visibility.js'
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
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "Merged into the conversation's metadata; null removes a key.",
  })
  meta?: JsonObject | null
}

const forUser = { nullable: true, description: 'The user to act for; defaults to the caller.' } as const

const forMark = {
  nullable: true,
  description:
    '`Conversation.mark` as the caller saw it: if others have done something since, it is held (`MOVED_ON`).',
} as const

const readMark = (mark: string | null | undefined): Mark | null => (isAbsent(mark) ? null : parseMark(mark, 'mark'))

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
    return this.#send(ctx, conversation, commandMessage(accept, { ifQueued, trigger }, { user }))
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/leave`: leaves the conversation; after the last accepting agent it is closed or requeued (3.1).',
  })
  leaveConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
    @Arg('mark', () => String, forMark) mark?: string | null,
  ): Promise<ConversationState> {
    const command = commandMessage(leave, {}, { user })
    return this.#send(ctx, conversation, { ...command, mark: readMark(mark) })
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/join`: joins the conversation without accepting it.' })
  joinConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#send(ctx, conversation, commandMessage(join, {}, { user }))
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: "`/assign`: adds the conversation to the users' inboxes." })
  assignConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('users', () => [ID]) users: string[],
  ): Promise<ConversationState> {
    return this.#send(ctx, conversation, commandMessage(assign, { users }))
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
    return this.#send(ctx, conversation, commandMessage(follow, {}, { user }))
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/unfollow`: ends `/follow`.' })
  unfollowConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('user', () => ID, forUser) user?: string | null,
  ): Promise<ConversationState> {
    return this.#send(ctx, conversation, commandMessage(unfollow, {}, { user }))
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
    return this.#send(ctx, conversation, commandMessage(notify, { channels, organizations }))
  }

  @Authorized('conversation.enqueue')
  @Mutation(() => Conversation, { description: '`/enqueue`: hands the conversation from an automation to the agents.' })
  enqueueConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
  ): Promise<ConversationState> {
    return this.#send(ctx, conversation, commandMessage(enqueue, {}))
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, {
    description: '`/block`: blocks the contact and its address, and closes the conversation.',
  })
  blockContact(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<ConversationState> {
    return this.#send(ctx, conversation, commandMessage(block, {}))
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
    if (!isId(origin)) throw conversationNotFound(origin)
    return this.#send(ctx, conversation, commandMessage(importOrigin, { origin }))
  }

  @Authorized('conversation.command')
  @Mutation(() => Conversation, { description: '`/set` for each given key, either all or none.' })
  setConversation(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('patch', () => SetConversationInput) patch: SetConversationInput,
  ): Promise<ConversationState> {
    const commands = SET_ATTRIBUTES.filter((attribute) => patch[attribute] !== undefined).map((attribute) =>
      commandMessage(set, { attribute, value: patch[attribute] }, { at: () => `patch.${attribute}` }),
    )
    if (patch.meta !== undefined)
      commands.push(commandMessage(set, { attribute: 'meta', meta: patch.meta }, { at: () => 'patch.meta' }))
    return this.#send(ctx, conversation, ...commands)
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
    @Arg('skills', () => [ID], {
      nullable: true,
      description: 'Skills that the next agent of the channel must have, where it offers conversations; at most 100.',
    })
    skills?: string[] | null,
    @Arg('evenIfAway', () => Boolean, {
      nullable: true,
      description:
        'Hands it over to a colleague who is `OFFLINE` too; by default that is refused as `AGENT_UNAVAILABLE`.',
    })
    evenIfAway?: boolean | null,
    @Arg('evenIfFull', () => Boolean, {
      nullable: true,
      description:
        'Hands it over to a colleague who has no room for it too; by default that is refused as `AT_CAPACITY`. For administrators, and ' +
        'supervisors of a channel of the conversation or of the colleague.',
    })
    evenIfFull?: boolean | null,
    @Arg('mark', () => String, forMark) mark?: string | null,
  ): Promise<ConversationState> {
    return handOver(this.options, ctx, conversation, {
      user: user ?? null,
      channel: channel ?? null,
      note: note ?? null,
      skills: skills ?? [],
      mark: readMark(mark),
      evenIfAway: evenIfAway ?? false,
      evenIfFull: evenIfFull ?? false,
    })
  }

  async #send(ctx: Context, conversation: string, ...commands: NewMessage[]): Promise<ConversationState> {
    if (commands.length > 0) await sendMessages(this.options, ctx, conversation, commands)
    return fetchConversation(ctx, conversation)
  }
}
