import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { Channel, channelLoader } from '../../channels/channel.js'
import { Contact } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'
import { pathText } from '../../../platform/db/tenancy.js'
import { idempotently } from '../../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../../platform/lists/connection.js'
import { listPage } from '../../../platform/lists/list-page.js'
import { loadFound } from '../../../platform/lists/rows.js'
import { MARK, markOf } from '../../messages/mark.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { Organization, organizationLoader } from '../../organizations/organization.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { contactOf } from './contact-of.js'
import { Conversation, fetchConversation, lastMessageLoaders, messageLoader, shownTo } from './conversation.js'
import { CreateConversationInput, UpdateConversationInput } from '../sending/conversation-input.js'
import {
  ConversationConnection,
  ConversationFilter,
  conversationList,
  ConversationOrder,
  MessageConnection,
} from './conversation-list.js'
import type { ConversationState, ParticipantState } from '../state/conversation-state.js'
import { conversationMessagesLoader, MESSAGE_IDS_MAX, messageIdsLoader } from './conversation-messages.js'
import { createConversation } from '../sending/create-conversation.js'
import type { GuestReceipts } from '../delivery/guest-receipts.js'
import { deleteConversation, updateConversation } from '../sending/edit-conversation.js'
import { visibleSince } from '../state/guest-line.js'
import { ownParticipantLoader, Participant, participantsForGuest, participantsLoaders } from './participant.js'
import type { RuleEngines } from '../../workflows/evaluation.js'
import { readRoutingTrace, RoutingTrace } from '../routing/read-routing-trace.js'
import type { SendDependencies } from '../sending/send-message.js'

@Resolver(() => Conversation)
export class ConversationsResolver {
  constructor(
    private readonly options: SendDependencies & { publicUrl: string; receipts: GuestReceipts; engines: RuleEngines },
  ) {}

  @Authorized('conversation.list')
  @Query(() => ConversationConnection, { description: "Conversations in and below the caller's organization (2.8)." })
  conversations(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ConversationFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ConversationOrder], { nullable: true, description: 'Newest first by default.' })
    orderBy?: OrderTerm[] | null,
    @Info() info?: GraphQLResolveInfo,
  ): Promise<Page<ConversationState>> {
    return listPage<ConversationState>(ctx, conversationList, { args, filter, orderBy, info })
  }

  @Authorized('conversation.fetch')
  @Query(() => Conversation, { nullable: true, description: 'A conversation (2.8); a guest sees its own.' })
  conversation(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<ConversationState> {
    return fetchConversation(ctx, id)
  }

  @Authorized('conversation.create')
  @Mutation(() => Conversation, {
    description:
      'Creates a conversation and processes its messages in order (4.7). UNPROCESSABLE names an existing contact.',
  })
  async createConversation(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateConversationInput) input: CreateConversationInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<ConversationState> {
    const create = () => createConversation(this.options, ctx, input)
    return shownTo(ctx, await idempotently(ctx, { key, operation: 'createConversation', input }, create))
  }

  @Authorized('conversation.update')
  @Mutation(() => Conversation, {
    description: 'Updates a conversation. Only the given keys change (section 1, PATCH).',
  })
  updateConversation(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateConversationInput) patch: UpdateConversationInput,
  ): Promise<ConversationState> {
    return updateConversation(this.options, ctx, id, patch)
  }

  @Authorized('conversation.delete')
  @Mutation(() => ID, { description: 'Deletes a conversation with its messages, after removing it from queues.' })
  async deleteConversation(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteConversation(this.options.writer, ctx, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'The organization; null for a guest.' })
  organization(@Root() conversation: ConversationState, @Ctx() ctx: Context): Promise<Organization | null> | null {
    return ctx.guestCaller ? null : ctx.loader(organizationLoader).load(conversation.organizationId)
  }

  @FieldResolver(() => String, { nullable: true, description: MARK })
  mark(@Root() conversation: ConversationState): string | null {
    return markOf(conversation)
  }

  @FieldResolver(() => String, {
    description: 'Ids of the organization and its ancestors, joined by `#`, its own last (2.8).',
  })
  orgPath(@Root() conversation: ConversationState): string {
    return pathText(conversation)
  }

  @FieldResolver(() => String, { description: "Address of the agents' view (2.8)." })
  url(@Root() { slug }: ConversationState): string {
    return `${this.options.publicUrl}/c/${slug}`
  }

  @FieldResolver(() => Contact, {
    nullable: true,
    description: 'The contact. A guest sees its own, without metadata; a viewer only the name.',
  })
  contact(
    @Root() conversation: ConversationState,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Contact | null> {
    return contactOf(ctx, conversation, info)
  }

  @FieldResolver(() => [Channel], { description: 'The notified channels that the caller sees.' })
  notifiedChannels(@Root() { channels }: ConversationState, @Ctx() ctx: Context): Promise<Channel[]> {
    return loadFound(ctx, channelLoader, channels)
  }

  @FieldResolver(() => [Channel], { description: 'Those of `channelsOffline` that the caller sees.' })
  offlineChannels(@Root() { channelsOffline }: ConversationState, @Ctx() ctx: Context): Promise<Channel[]> {
    return loadFound(ctx, channelLoader, channelsOffline)
  }

  @FieldResolver(() => User, { nullable: true })
  createdBy(@Root() { createdById }: ConversationState, @Ctx() ctx: Context): Promise<UserProfile | null> | null {
    return createdById ? ctx.loader(userProfileLoader).load(createdById) : null
  }

  @FieldResolver(() => [Participant], {
    description: 'Participants in the order of joining; a guest only sees those who talk to it.',
  })
  async participants(
    @Root() { id }: ConversationState,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ParticipantState[]> {
    const participants = (await ctx.loader(participantsLoaders(info)).load(id)) ?? []
    return ctx.seesAsConsumer ? participantsForGuest(participants) : participants
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => Participant, {
    nullable: true,
    description: "The caller's own participation; null if the caller is not a participant.",
  })
  myParticipant(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<ParticipantState | null> {
    return ctx.loader(ownParticipantLoader).load(id)
  }

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => Int, {
    description: 'Number of messages since the caller last read or wrote; 0 if the caller is not a participant.',
  })
  async unreadCount(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<number> {
    return (await ctx.loader(ownParticipantLoader).load(id))?.unreadCount ?? 0
  }

  @FieldResolver(() => MessageConnection, {
    description: 'Messages in order; a guest only sees those of the consumer and to the consumer (2.9).',
  })
  async messages(
    @Root() { id }: ConversationState,
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
  ): Promise<Page<MessageRow>> {
    const page = await conversationMessagesLoader(ctx, id, args)
    if (ctx.guestCaller) {
      this.options.receipts.note(id, page.edges.at(-1)?.node.position ?? 0, visibleSince(ctx.guestLine))
    }
    return page
  }

  @FieldResolver(() => [ID], { description: `Ids of the newest ${MESSAGE_IDS_MAX} messages, in order.` })
  async messageIds(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<string[]> {
    return (await ctx.loader(messageIdsLoader).load(id)) ?? []
  }

  @FieldResolver(() => Message, { nullable: true, description: 'The newest message.' })
  lastMessage(
    @Root() { id }: ConversationState,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<MessageRow | null> {
    return ctx.loader(lastMessageLoaders(info)).load(id)
  }

  @FieldResolver(() => Message, {
    nullable: true,
    description:
      'The note with which it was handed over or queued in this case, for whoever takes it; null without one, once it is deleted, and for guests.',
  })
  handOverNote(@Root() { handOverNoteId }: ConversationState, @Ctx() ctx: Context): Promise<MessageRow | null> | null {
    return handOverNoteId && !ctx.seesAsConsumer ? ctx.loader(messageLoader).load(handOverNoteId) : null
  }

  @Authorized('routingTrace.fetch')
  @FieldResolver(() => [RoutingTrace], {
    description:
      'Routing decisions of each queueing, newest first: which rules ran, the trace of their conditions, and which rules fired.',
  })
  routingTrace(
    @Root() { id }: ConversationState,
    @Ctx() ctx: Context,
    @Arg('first', () => Int, { nullable: true, description: 'Number of queueings, 10 by default, from 1 to 50.' })
    first?: number | null,
  ): Promise<RoutingTrace[]> {
    const { engines } = this.options
    return engines.trial(ctx.share, () => readRoutingTrace(ctx, engines, id, first ?? undefined))
  }
}

@Resolver(() => Participant)
export class ParticipantsResolver {
  @FieldResolver(() => ID, { description: 'Made of the ids of the conversation and the user.' })
  id(@Root() { conversationId, userId }: ParticipantState): string {
    return `${conversationId}:${userId}`
  }

  @FieldResolver(() => User, { nullable: true })
  user(@Root() { userId }: ParticipantState, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description: "The user's organization; null if the user has been deleted.",
  })
  async organizationId(@Root() { userId }: ParticipantState, @Ctx() ctx: Context): Promise<string | null> {
    return (await ctx.loader(userProfileLoader).load(userId))?.organizationId ?? null
  }
}
