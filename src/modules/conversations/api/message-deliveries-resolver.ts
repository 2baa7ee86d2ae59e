import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import {
  deliveriesLoader,
  Delivery,
  DeliveryStatusEnum,
  shownStatus,
  type DeliveryRow,
} from '../../messages/delivery.js'
import { isDelivered } from '../../messages/forwarding.js'
import { Message } from '../../messages/message.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { resendMessage } from '../delivery/resend-message.js'
import { retryDelivery } from '../delivery/retry-delivery.js'

@Resolver(() => Message)
export class MessageDeliveriesResolver {
  @FieldResolver(() => [Delivery], {
    description:
      'Deliveries to the consumer (4.7), or of a note that forwards a message; empty for messages that are not delivered, and for a guest.',
  })
  async deliveries(@Root() message: MessageRow, @Ctx() ctx: Context): Promise<DeliveryRow[]> {
    if (message.deliveries) return message.deliveries
    if (!isDelivered(message) || ctx.seesAsConsumer) return []
    return (await ctx.loader(deliveriesLoader).load(message.id)) ?? []
  }
}

@Resolver(() => Delivery)
export class DeliveriesResolver {
  constructor(private readonly options: { writer: ConversationWriter }) {}

  @Authorized('delivery.retry')
  @Mutation(() => Delivery, {
    description:
      'Retries a delivery that failed or may not have arrived, once per call. UNPROCESSABLE for any other delivery.',
  })
  retryDelivery(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<DeliveryRow> {
    return retryDelivery(this.options.writer, ctx, id)
  }

  @Authorized('delivery.retry')
  @Mutation(() => Delivery, {
    description:
      'Delivers a message by another touchpoint, once, after its last delivery failed or may not have arrived. ' +
      'UNPROCESSABLE for any other message, and if the contact cannot be reached there.',
  })
  resendMessage(
    @Ctx() ctx: Context,
    @Arg('message', () => ID) message: string,
    @Arg('touchpoint', () => TouchpointEnum) touchpoint: Touchpoint,
  ): Promise<DeliveryRow> {
    return resendMessage(this.options.writer, ctx, message, touchpoint)
  }

  @FieldResolver(() => DeliveryStatusEnum, { description: 'Status of the delivery.' })
  status(@Root() delivery: DeliveryRow): string {
    return shownStatus(delivery)
  }
}
