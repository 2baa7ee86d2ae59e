import { Arg, Authorized, Ctx, ID, Int, Mutation, Resolver, Root, Subscription } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { Dispatcher } from '../../../platform/events/dispatcher.js'
import { conversationStream } from '../../../platform/events/event.js'
import { Conversation, fetchConversation } from '../api/conversation.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { markRead } from '../api/mark-read.js'
import { ConversationEvent } from './conversation-events.js'
import { InboxEvent } from './inbox-events.js'
import { MyConversationsEvent } from './my-conversations-events.js'
import { QueueEvent } from './queue-events.js'
import type { TypingSigns } from './typing-signs.js'

const AFTER = {
  nullable: true,
  description:
    'Cursor of the last event received: replays later events instead of sending a snapshot. If the cursor is older than the retention, a ' +
    'snapshot marked `resync` is sent.',
} as const

const PAGE_SIZE = {
  nullable: true,
  description:
    'Entries per event of a snapshot, 1 to 1000: a client can show the first page while the others arrive, as fast as the ' +
    'connection allows. Without it a snapshot is one event, however large. Resuming from the cursor of a page that is not the last gives ' +
    'a fresh snapshot.',
} as const

/** Subscriptions are delivered by `realtime/`, which executes these fields with the event as their root. */
const deliveredElsewhere = (): never => {
  throw new Error('subscriptions are delivered by the socket server')
}

@Resolver()
export class LiveResolver {
  constructor(private readonly options: { dispatcher: Dispatcher; typing: TypingSigns; writer: ConversationWriter }) {}

  @Authorized('queue.watch')
  @Subscription(() => QueueEvent, {
    subscribe: deliveredElsewhere,
    description:
      'The queue of the given channels, by default all that the caller is a member of. A subscription makes a ' +
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
      "The caller's inbox: assigned conversations, followed ones with new messages, mentions, and direct notifications of rules.",
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
      'The active conversations that the caller has accepted and not left, which are no longer in the inbox.',
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
    description:
      "A conversation's messages, participants, status and typing. A guest receives only what a consumer may see.",
  })
  conversation(
    @Root() root: { conversation: typeof ConversationEvent },
    @Arg('id', () => ID) _id: string,
    @Arg('after', () => String, AFTER) _after?: string | null,
    @Arg('viewers', () => Boolean, {
      nullable: true,
      description: 'Whether to send `ViewersChanged` as well; ignored for guests.',
    })
    _viewers?: boolean | null,
    @Arg('place', () => Boolean, {
      nullable: true,
      description: 'Whether to send `QueuePlaceChanged` as well.',
    })
    _place?: boolean | null,
  ): typeof ConversationEvent {
    return root.conversation
  }

  @Authorized('conversation.markRead')
  @Mutation(() => Conversation, {
    description:
      'Marks messages up to this one as read. For a guest, this updates the deliveries; for other callers, `unreadCount`.',
  })
  markRead(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('message', () => ID) message: string,
  ): Promise<ConversationState> {
    return markRead(this.options.writer, ctx, conversation, message)
  }

  @Authorized('conversation.type')
  @Mutation(() => Boolean, {
    description: 'Notifies subscribers of the conversation that the caller is typing. Nothing is stored.',
  })
  async setTyping(
    @Ctx() ctx: Context,
    @Arg('conversation', () => ID) conversation: string,
    @Arg('typing', () => Boolean) typing: boolean,
    @Arg('isBackchannel', () => Boolean, {
      nullable: true,
      description: 'Whether a note is being typed, which is not announced to the consumer.',
    })
    isBackchannel?: boolean | null,
  ): Promise<boolean> {
    const { id } = await fetchConversation(ctx, conversation)
    const { caller } = ctx
    const who = caller.kind === 'user' ? { user: caller.user, name: caller.displayName } : { user: null, name: null }
    const data = { ...who, typing, isBackchannel: caller.kind === 'user' && isBackchannel === true }
    this.options.dispatcher.publishEphemeral({ stream: conversationStream(id), type: 'typing', data })
    if (typing && caller.kind === 'user' && !data.isBackchannel) this.options.typing.tell(id)
    return true
  }
}
