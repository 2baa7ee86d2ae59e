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
import type { Context } from '../../platform/context.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { shownService, updateService, type ServiceWriteOptions } from '../services/service-writes.js'
import { Service } from '../services/service.js'
import { askForHandshake, fetchWebhook, redeliver, TOLD } from './redeliver.js'
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

@ObjectType({ simpleResolvers: true, description: 'A replay that has started.' })
export class WebhookReplay {
  @Field(() => ID) serviceId!: string
  @Field(() => DateTime, { description: 'Time of the first events that are delivered again.' }) since!: Date
  @Field(() => DateTime, { description: 'Time of the last events that are delivered again.' }) until!: Date
}

const SERVICE = 'A service of type `webhook`.'
const TOLD_SERVICE = 'A service of type `webhook` or `events`.'

/** Operations on webhooks other than writing the service: handshakes, redelivery, the delivery log. */
@Resolver(() => Service)
export class WebhooksResolver {
  constructor(private readonly options: ServiceWriteOptions & { wake: (service: string) => void }) {}

  @Authorized('service.fetch')
  @Query(() => WebhookDeliveryConnection, {
    description: 'Deliveries of a webhook, or to consumers of events, newest first by default.',
  })
  async webhookDeliveries(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: TOLD_SERVICE }) service: string,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => WebhookDeliveryFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [WebhookDeliveryOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<WebhookDelivery>> {
    const { id } = await fetchWebhook(ctx, service, TOLD)
    const restrict = (values: unknown[]): string => `t.service_id = $${values.push(id)}`
    return listPage<WebhookDelivery>(ctx, webhookDeliveryList, { args, filter, orderBy, restrict })
  }

  @Authorized('service.update')
  @Mutation(() => Service, {
    description:
      'Repeats the handshake, or the test notice, soon: for an address that has not answered it or has recovered from failures.',
  })
  async verifyWebhook(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: SERVICE }) id: string,
  ): Promise<Service> {
    const service = await fetchWebhook(ctx, id)
    await askForHandshake(ctx, service)
    this.options.wake(service.id)
    return shownService(service)
  }

  @Authorized('service.update')
  @Mutation(() => Service, {
    description:
      'Sets a new secret, which is only shown in this answer. For 24 hours `webhook-signature` includes a signature by the ' +
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
  @Mutation(() => Boolean, {
    description: 'Delivers an event again, with the same id and bytes; one that is taken comes again.',
  })
  async redeliverWebhook(@Ctx() ctx: Context, @Arg('delivery', () => ID) delivery: string): Promise<boolean> {
    this.options.wake(await redeliver(ctx, delivery))
    return true
  }

  @Authorized('service.update')
  @Mutation(() => WebhookReplay, {
    description:
      'Delivers logged events to a webhook, or to consumers of events, again, with the same ids, in order within each conversation, including ' +
      'events from before its registration, as far as the log goes back. Requires `since` or `after`.',
  })
  async replayWebhook(
    @Ctx() ctx: Context,
    @Arg('service', () => ID, { description: TOLD_SERVICE }) id: string,
    @Arg('since', () => DateTime, { nullable: true, description: 'Events from this time on.' }) since?: Date | null,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'Events from the one with this id on, which the webhook has received.',
    })
    after?: string | null,
    @Arg('conversation', () => ID, { nullable: true, description: 'Limits the replay to events of this conversation.' })
    conversation?: string | null,
  ): Promise<WebhookReplay> {
    const service = await fetchWebhook(ctx, id, TOLD)
    const request = { service: service.id, since, after, conversation }
    return { serviceId: service.id, ...(await startReplay(ctx, this.options.transact, request)) }
  }

  @FieldResolver(() => WebhookState, { nullable: true, description: 'Delivery state of a service of type `webhook`.' })
  webhook(@Root() service: Service, @Ctx() ctx: Context): Promise<WebhookState | null> {
    return ctx.loader(webhookStateLoader).load(service.id)
  }
}

/** Loads the parts of a delivery that are not in its row. */
@Resolver(() => WebhookDelivery)
export class WebhookDeliveriesResolver {
  @FieldResolver(() => [WebhookAttempt], { description: 'The newest 50 attempts, oldest first.' })
  async attempts(@Root() delivery: WebhookDelivery, @Ctx() ctx: Context): Promise<WebhookAttempt[]> {
    return (await ctx.loader(attemptsLoader).load(delivery.id)) ?? []
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The exact body that is sent, but for the mask of the webhook's bot; null before the first attempt.",
  })
  body(@Root() delivery: WebhookDelivery, @Ctx() ctx: Context): Promise<string | null> {
    return ctx.loader(bodyLoader).load(delivery.id)
  }
}
