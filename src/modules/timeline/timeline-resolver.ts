import { Arg, Args, Authorized, Ctx, Extensions, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import type { Page } from '../../platform/lists/connection.js'
import { loadFound } from '../../platform/lists/rows.js'
import { Channel, channelLoader } from '../channels/channel.js'
import { Contact, contactLoader } from '../contacts/contact.js'
import { ContactNote, contactNoteLoader } from '../contacts/notes/contact-note.js'
import { Conversation, loadConversation } from '../conversations/api/conversation.js'
import type { ConversationState } from '../conversations/state/conversation-state.js'
import { Rating, ratingLoader } from '../ratings/rating.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { readTimeline } from './read-timeline.js'
import { TimelineArgs, TimelineEntry, TimelineEntryConnection } from './timeline-entry.js'

const TIMELINE =
  'History of a contact, newest first, as far as the caller sees it: conversations, notes, merges, forms, ratings, and which ' +
  'fields were changed. With the history of contacts that are the same person by a merge of their conversations.'

/** Most conversations have one of each: the estimated cost of a page counts so many. */
const FEW = { listLength: 2 }

@Resolver(() => Contact)
export class TimelineResolver {
  @Authorized('timeline.fetch')
  @Query(() => TimelineEntryConnection, { description: TIMELINE })
  contactTimeline(
    @Ctx() ctx: Context,
    @Arg('contact', () => ID) contact: string,
    @Args(() => TimelineArgs) args: TimelineArgs,
  ): Promise<Page<TimelineEntry>> {
    return readTimeline(ctx, contact, args)
  }

  @FieldResolver(() => TimelineEntryConnection, {
    nullable: true,
    description: `${TIMELINE} Null for whoever sees what a consumer sees.`,
  })
  async timeline(
    @Root() { id }: Contact,
    @Ctx() ctx: Context,
    @Args(() => TimelineArgs) args: TimelineArgs,
  ): Promise<Page<TimelineEntry> | null> {
    return isAllowed(ctx.caller, 'timeline.fetch') ? readTimeline(ctx, id, args) : null
  }
}

@Resolver(() => TimelineEntry)
export class TimelineEntriesResolver {
  @FieldResolver(() => Contact, { nullable: true, description: 'The contact with whom it happened.' })
  contact(@Root() { contactId }: TimelineEntry, @Ctx() ctx: Context): Promise<Contact | null> {
    return ctx.loader(contactLoader).load(contactId)
  }

  @FieldResolver(() => Conversation, {
    nullable: true,
    description: 'The conversation in which it happened; null for other kinds, and if it is deleted.',
  })
  async conversation(
    @Root() { conversationId }: TimelineEntry,
    @Ctx() ctx: Context,
  ): Promise<ConversationState | null> {
    return conversationId === null ? null : loadConversation(ctx, conversationId)
  }

  @FieldResolver(() => Conversation, {
    nullable: true,
    description: 'The conversation that has the messages since a merge; null for other kinds, and if it is deleted.',
  })
  async into(@Root() { intoId }: TimelineEntry, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return intoId === null ? null : loadConversation(ctx, intoId)
  }

  @Extensions(FEW)
  @FieldResolver(() => [Channel], { description: 'Those of `channelIds` that the caller sees.' })
  channels(@Root() { channelIds }: TimelineEntry, @Ctx() ctx: Context): Promise<Channel[]> {
    return loadFound(ctx, channelLoader, channelIds)
  }

  @Extensions(FEW)
  @FieldResolver(() => [User], { description: 'Those of `userIds` that are not deleted.' })
  users(@Root() { userIds }: TimelineEntry, @Ctx() ctx: Context): Promise<UserProfile[]> {
    return loadFound(ctx, userProfileLoader, userIds)
  }

  @FieldResolver(() => ContactNote, { nullable: true, description: 'The note; null for other kinds.' })
  async note(@Root() { noteId }: TimelineEntry, @Ctx() ctx: Context): Promise<ContactNote | null> {
    return noteId === null ? null : ctx.loader(contactNoteLoader).load(noteId)
  }

  @FieldResolver(() => Rating, { nullable: true, description: 'The rating; null for other kinds.' })
  async rating(@Root() { ratingId }: TimelineEntry, @Ctx() ctx: Context): Promise<Rating | null> {
    return ratingId === null ? null : ctx.loader(ratingLoader).load(ratingId)
  }
}
