import { Arg, Authorized, Ctx, ID, Int, Mutation, Resolver, Root, Subscription } from 'type-graphql'
import type { Context } from '../../context.js'
import type { Dispatcher } from '../../events/dispatcher.js'
import { conversationStream } from '../../events/event.js'
import { Conversation, fetchConversation } from '../api/conversation.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { markRead } from '../api/mark-read.js'
import { ConversationEvent } from './conversation-events.js'
import { InboxEvent } from './inbox-events.js'
import { MyConversationsEvent } from './my-conversations-events.js'
import { QueueEvent } from './queue-events.js'

const AFTER = {
  nullable: true,
  description:
    'Cursor of the last event received: instead of a snapshot, what came since. Past the retention, a ' +
    'snapshot marked `resync`.',
} as const

const PAGE_SIZE = {
  nullable: true,
  description:
    'Entries of one event of a snapshot, 1 to 1000: a screen shows the first page while the others come, as fast as the ' +
    'line takes them. Without it a snapshot is one event, however large. The cursor of a page that is not the last leads ' +
    'to a fresh snapshot.',
} as const

/** Subscriptions are delivered by `realtime/`, which executes these fields with the event as their root. */
const deliveredElsewhere = (): never => {
  throw new Error('subscriptions are delivered by the socket server')
}

@Resolver()
export class LiveResolver {
  constructor(private readonly options: { dispatcher: Dispatcher; writer: ConversationWriter }) {}

  @Authorized('queue.watch')
  @Subscription(() => QueueEvent, {
    subscribe: deliveredElsewhere,
    description:
      'The queue of the channels: those named, else all the caller is a member of. Being subscribed is what makes a ' +
      'channel online.',
  })
  queue(
    @Root() root: { queue: typeof QueueEvent },
    @Arg('channels', () => [ID], { nullable: true }) _channels?: string[] | null,
    @Arg('after', () => String, AFTER) _after?: string | null,
    @Arg('pageSize', () => Int, PAGE_SIZE) _pageSize?: number | null,
  ): typeof QueueEvent {
    return root.queue
  }

  @Authorized('inbox.watch')
  @Subscription(() => InboxEvent, {
    subscribe: deliveredElsewhere,
    description:
      "The caller's inbox: conversations assigned, followed with news, mentioned, and direct notifications of rules.",
  })
  inbox(
    @Root() root: { inbox: typeof InboxEvent },
    @Arg('after', () => String, AFTER) _after?: string | null,
    @Arg('pageSize', () => Int, PAGE_SIZE) _pageSize?: number | null,
  ): typeof InboxEvent {
    return root.inbox
  }

  @Authorized('inbox.watch')
  @Subscription(() => MyConversationsEvent, {
    subscribe: deliveredElsewhere,
    description:
      'The active conversations that the caller has accepted and not left: those that accepting takes out of the inbox.',
  })
  myConversations(
    @Root() root: { myConversations: typeof MyConversationsEvent },
    @Arg('after', () => String, AFTER) _after?: string | null,
    @Arg('pageSize', () => Int, PAGE_SIZE) _pageSize?: number | null,
  ): typeof MyConversationsEvent {
    return root.myConversations
  }

  @Authorized('conversation.watch')
  @Subscription(() => ConversationEvent, {
    subscribe: deliveredElsewhere,
    description: 'One conversation: messages, participants, status, typing. A guest hears what a consumer may see.',
  })
  conversation(
    @Root() root: { conversation: typeof ConversationEvent },
    @Arg('id', () => ID) _id: string,
    @Arg('after', () => String, AFTER) _after?: string | null,
    @Arg('viewers', () => Boolean, { nullable: true, description: 'Tells of `ViewersChanged` as well; not a guest.' })
    _viewers?: boolean | null,
  ): typeof ConversationEvent {
    return root.conversation
  }

  @Authorized('conversation.markRead')
  @Mutation(() => Conversation, {
    description:
      'The caller has read up to this message. For a guest, the deliveries show it; for others, `unreadCount`.',
  })
  markRead(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('message', () => ID) message: string,
  ): Promise<ConversationState> {
    return markRead(this.options.writer, ctx, conversation, message)
  }

  @Authorized('conversation.type')
  @Mutation(() => Boolean, { description: 'Tells those who watch the conversation. Nothing is stored.' })
  async setTyping(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('typing', () => Boolean) typing: boolean,
    @Arg('isBackchannel', () => Boolean, { nullable: true, description: 'It is a note: the consumer is not told.' })
    isBackchannel?: boolean | null,
  ): Promise<boolean> {
    const { id } = await fetchConversation(ctx, conversation)
    const { caller } = ctx
    const who = caller.kind === 'user' ? { user: caller.user, name: caller.displayName } : { user: null, name: null }
    const data = { ...who, typing, isBackchannel: caller.kind === 'user' && isBackchannel === true }
    this.options.dispatcher.publishEphemeral({ stream: conversationStream(id), type: 'typing', data })
    return true
  }
}
