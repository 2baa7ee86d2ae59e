import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import type { JsonObject } from '../../../platform/json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { Service } from '../../services/service.js'
import type { EventTakes } from './event-takes.js'
import { EventsState, eventsStateLoader } from './events-state.js'
import { fetchTaken } from './take-rights.js'
import { TAKE_MAX } from './take-store.js'

@ObjectType({ simpleResolvers: true, description: 'An event that a consumer has taken.' })
export class EventDelivery {
  @Field(() => ID, { description: 'Id of the event, the same each time that it comes; as in the payload.' }) id!: string
  @Field(() => String, { description: 'Name of the event, such as `message.create.contact.chat`.' }) event!: string
  @Field(() => DateTime, { description: 'Time of the event.' }) at!: Date
  @Field(() => JsonObjectScalar, { description: 'The envelope that a webhook would receive.' }) payload!: JsonObject
  @Field(() => Int, { description: 'Counts how often it was taken, from 1.' }) attempt!: number
}

const SERVICE = 'A service of type `events`.'
const MAX = 50
const IDS = `Ids of events, at most ${TAKE_MAX}.`

/** Operations of consumers that take their events. */
@Resolver(() => Service)
export class TakesResolver {
  constructor(private readonly takes: EventTakes) {}

  @Authorized('event.take')
  @Extensions({ listLength: MAX })
  @Mutation(() => [EventDelivery], {
    description:
      'Takes events of a service of type `events`: those of each conversation in order, and no more of a conversation while ' +
      'somebody has some of it. What is not acknowledged within 60 s comes again. For whoever may change the service, and its bot.',
  })
  async takeEvents(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
    @Arg('max', () => Int, {
      nullable: true,
      description: `Number of events at most, 1 to ${TAKE_MAX}; ${MAX} by default.`,
    })
    max?: number | null,
    @Arg('waitSeconds', () => Int, {
      nullable: true,
      description: 'Time to wait for an event if there is none, 0 to 25 s; 0 by default.',
    })
    waitSeconds?: number | null,
  ): Promise<EventDelivery[]> {
    return this.takes.take(ctx, await fetchTaken(ctx, id), { max: max ?? MAX, waitSeconds: waitSeconds ?? 0 })
  }

  @Authorized('event.take')
  @Mutation(() => Int, {
    description:
      'Marks events as handled, also those of which the time is over. Returns the number of those that were not marked before; ' +
      'NOT_FOUND names an id that is none of the service, and marks nothing.',
  })
  async acknowledgeEvents(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
    @Arg('ids', () => [ID], { description: IDS }) ids: string[],
  ): Promise<number> {
    return this.takes.acknowledge(ctx, await fetchTaken(ctx, id), ids)
  }

  @Authorized('event.take')
  @Mutation(() => Int, {
    description:
      'Gives events back that could not be handled: they come again after a second at first, then less and less often, ahead of ' +
      'the later ones of their conversations. Returns the number of those that were given back: not those that were acknowledged before, ' +
      'nor those that somebody else has taken since.',
  })
  async retryEvents(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
    @Arg('ids', () => [ID], { description: IDS }) ids: string[],
    @Arg('attempts', () => [Int], { description: 'The `attempt` of each, as it was taken.' }) attempts: number[],
  ): Promise<number> {
    return this.takes.retry(ctx, await fetchTaken(ctx, id), { ids, attempts })
  }

  @FieldResolver(() => EventsState, { nullable: true, description: 'State of a service of type `events`.' })
  events(@Root() service: Service, @Ctx() ctx: Context): Promise<EventsState | null> {
    return ctx.loader(eventsStateLoader).load(service.id)
  }
}
