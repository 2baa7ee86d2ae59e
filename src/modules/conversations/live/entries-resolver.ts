import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { Channel, channelLoader } from '../../channels/channel.js'
import { Contact } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'
import type { JsonObject } from '../../../platform/json.js'
import { ConnectionArgs, type Page } from '../../../platform/lists/connection.js'
import { JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { contactOf } from '../api/contact-of.js'
import { Conversation, loadConversation } from '../api/conversation.js'
import type { ConversationState } from '../state/conversation-state.js'
import { conversationMetaLoader } from './conversation-meta.js'
import {
  InboxEntryConnection,
  listInbox,
  listQueue,
  QueueEntryConnection,
  QueueOrderEnum,
  type QueueOrder,
} from './entry-lists.js'
import { InboxEntry, NotifiedConversation } from './inbox-events.js'
import { QueueEntry } from './queue-events.js'
import { WatchedChannels } from './watched-channels.js'

const CONVERSATION = { nullable: true, description: 'The conversation; null once it has been deleted.' } as const
const CONTACT = { nullable: true, description: 'The consumer; null in a team conversation.' } as const

@Resolver(() => QueueEntry)
export class QueueEntriesResolver {
  readonly #watched = new WatchedChannels()

  @Authorized('queue.watch')
  @Query(() => QueueEntryConnection, {
    description:
      'The queue of the named channels, or of all channels that the caller is a member of, the longest waiting first. Reading it ' +
      'does not make a channel online; a subscription does.',
  })
  async queue(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('channels', () => [ID], { nullable: true }) channels?: string[] | null,
    @Arg('order', () => QueueOrderEnum, { nullable: true, description: 'The longest waiting first by default.' })
    order?: QueueOrder | null,
  ): Promise<Page<object>> {
    const watched = await this.#watched.of(ctx, channels)
    return listQueue(
      ctx,
      args,
      watched.map(({ id }) => id),
      order ?? null,
    )
  }

  @FieldResolver(() => JsonObjectScalar, {
    nullable: true,
    description: "The conversation's metadata when the event is sent; null once the conversation is deleted.",
  })
  meta(@Root() { conversation }: QueueEntry, @Ctx() ctx: Context): Promise<JsonObject | null> {
    return ctx.loader(conversationMetaLoader).load(conversation)
  }

  @FieldResolver(() => Channel, {
    nullable: true,
    description: 'The channel in whose queue it waits; null once it has been deleted.',
  })
  channelRecord(@Root() { channel }: QueueEntry, @Ctx() ctx: Context): Promise<Channel | null> {
    return ctx.loader(channelLoader).load(channel)
  }

  @FieldResolver(() => Conversation, CONVERSATION)
  conversationRecord(@Root() entry: QueueEntry, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, entry.conversation)
  }

  @FieldResolver(() => Contact, CONTACT)
  contact(@Root() entry: QueueEntry, @Ctx() ctx: Context): Promise<Contact | null> {
    return contactOfEntry(ctx, entry)
  }
}

@Resolver(() => InboxEntry)
export class InboxEntriesResolver {
  @Authorized('inbox.watch')
  @Query(() => InboxEntryConnection, {
    description: "The caller's inbox: conversations assigned, followed with news, or mentioned. Latest news first.",
  })
  inbox(@Ctx() ctx: Context, @Args(() => ConnectionArgs) args: ConnectionArgs): Promise<Page<object>> {
    return listInbox(ctx, args)
  }

  @FieldResolver(() => Conversation, CONVERSATION)
  conversationRecord(@Root() entry: InboxEntry, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, entry.conversation)
  }

  @FieldResolver(() => Contact, CONTACT)
  contact(@Root() entry: InboxEntry, @Ctx() ctx: Context): Promise<Contact | null> {
    return contactOfEntry(ctx, entry)
  }
}

@Resolver(() => NotifiedConversation)
export class NotifiedConversationsResolver {
  @FieldResolver(() => Conversation, CONVERSATION)
  conversationRecord(@Root() entry: NotifiedConversation, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, entry.conversation)
  }

  @FieldResolver(() => Contact, CONTACT)
  contact(@Root() entry: NotifiedConversation, @Ctx() ctx: Context): Promise<Contact | null> {
    return contactOfEntry(ctx, entry)
  }
}

async function contactOfEntry(ctx: Context, entry: { conversation: string }): Promise<Contact | null> {
  const conversation = await loadConversation(ctx, entry.conversation)
  return conversation && contactOf(ctx, conversation)
}
