import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../context.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../lists/connection.js'
import { listPage } from '../lists/list-page.js'
import { DateTime } from '../lists/scalars.js'
import { shownService, updateService, type ServiceWriteOptions } from '../services/service-writes.js'
import { Service } from '../services/service.js'
import { askForHandshake, fetchWebhook, redeliver } from './redeliver.js'
import { startReplay } from './replay.js'
import { newSecret } from './signing.js'
import {
  attemptsLoader,
  bodyLoader,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookDeliveryFilter,
  webhookDeliveryList,
  WebhookDeliveryOrder,
} from './webhook-delivery.js'
import { WebhookState, webhookStateLoader } from './webhook-state.js'

@ObjectType({ simpleResolvers: true, description: 'A replay that has begun.' })
export class WebhookReplay {
  @Field(() => ID) serviceId!: string
  @Field(() => DateTime, { description: 'Events from then on …' }) since!: Date
  @Field(() => DateTime, { description: '… until then are delivered again.' }) until!: Date
}

const SERVICE = 'A service of type `webhook`.'

/** What administrators do with webhooks besides writing the service: ask again, send again, look. */
@Resolver(() => Service)
export class WebhooksResolver {
  constructor(private readonly options: ServiceWriteOptions & { wake: () => void }) {}

  @Authorized('service.fetch')
  @Query(() => WebhookDeliveryConnection, {
    description: 'Deliveries of one webhook, newest first when `orderBy` is absent.',
  })
  async webhookDeliveries(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) service: string,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => WebhookDeliveryFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [WebhookDeliveryOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<WebhookDelivery>> {
    const { id } = await fetchWebhook(ctx, service)
    const restrict = (values: unknown[]): string => `t.service_id = $${values.push(id)}`
    return listPage<WebhookDelivery>(ctx, webhookDeliveryList, { args, filter, orderBy, restrict })
  }

  @Authorized('service.update')
  @Mutation(() => Service, {
    description:
      'Does the handshake again, soon: for an address that has not answered it, or that failed and is well again.',
  })
  async verifyWebhook(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
  ): Promise<Service> {
    const service = await fetchWebhook(ctx, id)
    await askForHandshake(ctx, service)
    this.options.wake()
    return shownService(service)
  }

  @Authorized('service.update')
  @Mutation(() => Service, {
    description:
      'Gives it a new secret, shown this once. For 24 hours `webhook-signature` holds a signature by the ' +
      'old one as well.',
  })
  async rotateWebhookSecret(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
  ): Promise<Service> {
    const service = await fetchWebhook(ctx, id)
    const params = { ...service.params, secret: newSecret() }
    return updateService(ctx, this.options, { id: service.id, patch: { params } })
  }

  @Authorized('service.update')
  @Mutation(() => Boolean, { description: 'Delivers one event again, with the same id and the same bytes.' })
  async redeliverWebhook(@Ctx() ctx: Context, @Arg('delivery', () => ID) delivery: string): Promise<boolean> {
    await redeliver(ctx, delivery)
    this.options.wake()
    return true
  }

  @Authorized('service.update')
  @Mutation(() => WebhookReplay, {
    description:
      'Delivers the log again to one webhook, with the same ids, in order within each conversation; also ' +
      'what happened before it was registered, as far as the log goes back. Give `since` or `after`.',
  })
  async replayWebhook(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
    @Arg('since', () => DateTime, { nullable: true, description: 'Events from this time on.' }) since?: Date | null,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'Events since the one with this id, which it has received.',
    })
    after?: string | null,
    @Arg('conversation', () => ID, { nullable: true, description: 'Only messages and changes of this conversation.' })
    conversation?: string | null,
  ): Promise<WebhookReplay> {
    const service = await fetchWebhook(ctx, id)
    const request = { service: service.id, since, after, conversation }
    return { serviceId: service.id, ...(await startReplay(ctx, this.options.transact, request)) }
  }

  @FieldResolver(() => WebhookState, { nullable: true, description: 'Of a service of type `webhook`.' })
  webhook(@Root() service: Service, @Ctx() ctx: Context): Promise<WebhookState | null> {
    return ctx.loader(webhookStateLoader).load(service.id)
  }
}

/** What of a delivery is loaded beside its row. */
@Resolver(() => WebhookDelivery)
export class WebhookDeliveriesResolver {
  @FieldResolver(() => [WebhookAttempt], { description: 'Oldest first; the newest 50.' })
  async attempts(@Root() delivery: WebhookDelivery, @Ctx() ctx: Context): Promise<WebhookAttempt[]> {
    return (await ctx.loader(attemptsLoader).load(delivery.id)) ?? []
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The exact bytes that are sent; null before the first attempt.',
  })
  body(@Root() delivery: WebhookDelivery, @Ctx() ctx: Context): Promise<string | null> {
    return ctx.loader(bodyLoader).load(delivery.id)
  }
}
