import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { Unprocessable } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { Service } from '../../services/service.js'
import { fetchWebhook } from '../redeliver.js'
import { FEED_LIMIT_MAX, type EventFeeds, type FeedPage } from './event-feeds.js'
import { FEED } from './feed-kind.js'
import { FeedState, feedStateLoader } from './feed-state.js'

const LIMIT = 50

@ObjectType({ simpleResolvers: true, description: 'An event of a feed.' })
export class FeedEvent {
  @Field(() => ID, { description: 'Id of the event, as in the payload and in webhooks.' }) id!: string
  @Field(() => String, { description: 'Name of the event, such as `message.create.contact.chat`.' }) event!: string
  @Field(() => DateTime, { description: 'Time of the event.' }) at!: Date
  @Field(() => String, { description: 'The place after this event: `after` of a read that goes on from it.' })
  cursor!: string
  @Field(() => JsonObjectScalar, { description: 'The envelope that a webhook would receive.' }) payload!: JsonObject
}

@ObjectType({ simpleResolvers: true, description: 'Events of a feed.' })
export class EventFeedPage {
  @Extensions({ listLength: LIMIT })
  @Field(() => [FeedEvent], { description: 'Those of each conversation are in order.' })
  events!: FeedEvent[]
  @Field(() => String, {
    description: 'The place after these events, and after others that are of other types: `after` of the next read.',
  })
  cursor!: string
  @Field(() => Boolean, { description: 'Whether more may be there already, so that the next read need not wait.' })
  hasMore!: boolean
}

/** Reads of the events that are kept for a service of type `feed`. */
@Resolver(() => Service)
export class FeedResolver {
  constructor(private readonly feeds: EventFeeds) {}

  @Authorized('event.read')
  @Query(() => EventFeedPage, {
    description:
      'The events that a webhook would have received, of the last 7 days, from a cursor on: none is left out, and those of each ' +
      'conversation are in order. Needs a service of type `feed`, which keeps them. A cursor after which something is missing is ' +
      'refused: EVENTS_GONE, or CURSOR_UNKNOWN after a restore.',
  })
  async eventFeed(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, {
      nullable: true,
      description: "A service of type `feed`; by default that of the caller's organization.",
    })
    service?: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description: 'Cursor of an earlier answer. Without it and `since`: from the oldest event that is kept.',
    })
    after?: string | null,
    @Arg('since', () => DateTime, {
      nullable: true,
      description:
        'In place of a cursor: from this time on. Some events from shortly before may be among them, and none from then on is missing.',
    })
    since?: Date | null,
    @Arg('types', () => [String], {
      nullable: true,
      description: 'Only events of these names, in which `*` stands for any text: `message.create.*`. All if absent.',
    })
    types?: string[] | null,
    @Arg('limit', () => Int, {
      nullable: true,
      description: `Number of events at most, 1 to ${FEED_LIMIT_MAX}; ${LIMIT} by default. An answer of 4 MB may have fewer.`,
    })
    limit?: number | null,
    @Arg('waitSeconds', () => Int, {
      nullable: true,
      description: 'Time to wait for an event if there is none, 0 to 25 s; 0 by default.',
    })
    waitSeconds?: number | null,
  ): Promise<FeedPage> {
    const request = { after, since, types, limit: limit ?? LIMIT, waitSeconds: waitSeconds ?? 0 }
    return this.feeds.read(ctx, await feedService(ctx, service ?? null), request)
  }

  @FieldResolver(() => FeedState, { nullable: true, description: 'State of a service of type `feed`.' })
  feed(@Root() service: Service, @Ctx() ctx: Context): Promise<FeedState | null> {
    return ctx.loader(feedStateLoader).load(service.id)
  }
}

/** @throws NotFound; Unprocessable for a service of another type, and if the organization has no feed */
async function feedService(ctx: Context, id: string | null): Promise<Service> {
  if (id !== null) return fetchWebhook(ctx, id, [FEED])
  const { organization } = ctx.userCaller
  const service = await ctx.em.findOne(Service, { type: FEED, organizationId: organization })
  if (service) return service
  throw new Unprocessable(
    `organization ${organization} keeps no events: create a service of type ${FEED}, which keeps those from then on`,
    { reason: 'NO_FEED', field: 'service' },
  )
}
