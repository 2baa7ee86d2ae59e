import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Channel, channelLoader } from '../channels/channel.js'
import { Contact, contactLoader } from '../contacts/contact.js'
import { Conversation, loadConversation } from '../conversations/api/conversation.js'
import type { ConversationState } from '../conversations/state/conversation-state.js'
import { answerSurvey } from '../conversations/surveys/answer-survey.js'
import type { RatingRow } from '../conversations/surveys/rating-row.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { Message } from '../messages/message.js'
import type { MessageRow } from '../messages/message-row.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { reading } from '../../platform/db/sql.js'
import { Forbidden } from '../../platform/errors.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { RatingConnection, RatingFilter, ratingList, RatingOrder } from './rating-list.js'
import { fetchRating } from './fetch-rating.js'
import { Rating, ratingLoader } from './rating.js'

@Resolver(() => Rating)
export class RatingsResolver {
  constructor(private readonly writer: ConversationWriter) {}

  @Authorized('rating.fetch')
  @Query(() => Rating, {
    nullable: true,
    description: 'A rating of a case that the caller sees; a guest, of its own conversation.',
  })
  rating(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Rating> {
    return fetchRating(ctx, id)
  }

  @Authorized('rating.list')
  @Query(() => RatingConnection, {
    description:
      "Ratings of the caller's organization and of those below it, newest first by default, with the cases after which none was asked for.",
  })
  ratings(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => RatingFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [RatingOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Rating>> {
    return listPage(ctx, ratingList, { args, filter, orderBy })
  }

  @Authorized('survey.answer')
  @Mutation(() => Rating, {
    description:
      'A guest rates a case of its own conversation, once: repeating the same answer changes nothing, another one is refused. It neither ' +
      'queues nor reopens the conversation.',
  })
  answerSurvey(
    @Ctx() ctx: Context,
    @Arg('rating', () => ID, { description: 'As `Message.rating` of the question.' }) id: string,
    @Arg('score', () => Int, { description: 'By the `scale` of the rating.' }) score: number,
    @Arg('comment', () => String, { nullable: true, description: 'At most 2,000 characters.' }) comment?: string | null,
  ): Promise<RatingRow> {
    if (!ctx.guestCaller)
      throw new Forbidden('only the consumer rates a case: the caller is no guest', { reason: 'GUEST_REQUIRED' })
    return answerSurvey(this.writer, ctx, { id, score, comment })
  }

  @FieldResolver(() => String, { nullable: true, description: 'Words of the consumer; null when they were erased.' })
  comment(@Root() { id }: Rating, @Ctx() ctx: Context): Promise<string | null> {
    return ctx
      .loader(commentLoader)
      .load(id)
      .then((row) => row?.comment ?? null)
  }

  @FieldResolver(() => Conversation, { nullable: true, description: 'Null if it was deleted.' })
  conversation(@Root() { conversationId }: Rating, @Ctx() ctx: Context): Promise<ConversationState | null> {
    return loadConversation(ctx, conversationId)
  }

  @FieldResolver(() => Contact, { nullable: true, description: 'Null if it was deleted, and for a guest.' })
  async contact(@Root() { contactId }: Rating, @Ctx() ctx: Context): Promise<Contact | null> {
    return contactId === null || ctx.seesAsConsumer || ctx.hidesContacts
      ? null
      : ctx.loader(contactLoader).load(contactId)
  }

  @FieldResolver(() => Channel, { nullable: true, description: 'The one whose survey it is; null for a guest.' })
  async channel(@Root() { channelId }: Rating, @Ctx() ctx: Context): Promise<Channel | null> {
    return ctx.seesAsConsumer ? null : ctx.loader(channelLoader).load(channelId)
  }

  @FieldResolver(() => User, { nullable: true, description: 'The agent who answered last in the case.' })
  async user(@Root() { userId }: Rating, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return userId === null ? null : ctx.loader(userProfileLoader).load(userId)
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: Rating, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}

/** Comments of ratings that the caller sees. */
const commentLoader: LoaderDefinition<{ comment: string }> = {
  async load(ctx, ids) {
    const rows = await ctx.reads.query<{ id: string; comment: string }>(
      reading('select rating_id as id, comment from rating_comment where rating_id = any($1::uuid[])'),
      [ids],
      'comments-of-ratings',
    )
    return new Map(rows.map((row) => [row.id, row]))
  },
}

@Resolver(() => Message)
export class MessageRatingResolver {
  @FieldResolver(() => Rating, {
    nullable: true,
    description: 'The rating that the message asks for; null for any other message.',
  })
  async rating(@Root() { meta, conversationId }: MessageRow, @Ctx() ctx: Context): Promise<Rating | null> {
    const id = meta?._rating
    if (typeof id !== 'string' || !isId(id)) return null
    const rating = await ctx.loader(ratingLoader).load(id)
    // Metadata may name whatever its author wrote.
    return rating?.conversationId === conversationId ? rating : null
  }
}
