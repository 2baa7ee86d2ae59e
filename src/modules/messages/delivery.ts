import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import { tenantSql, type TenantColumns } from '../../platform/db/tenancy.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

/**
 * Status of a delivery to the consumer. `sending` is committed before the provider is called, so a process that dies
 * during the call leaves it behind. `maybeSent`: the outcome is unknown, and there is no automatic retry.
 */
export type DeliveryStatus = 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed' | 'maybeSent'

/** Meaning of a failure for the next message: another way is needed, or a template of the service. */
export type DeliveryCode = 'windowClosed' | 'blocked'

export const DeliveryCodeEnum = graphqlEnum('DeliveryCode', 'The meaning of a failed delivery for the next one.', {
  WINDOW_CLOSED: [
    'windowClosed',
    'The provider takes no answer any more: the consumer has to write first, or a template or another touchpoint is used.',
  ],
  BLOCKED: [
    'blocked',
    'The consumer has blocked the service, or the address does not exist: another touchpoint is used.',
  ],
})

/** A recipient of a mail beside the contact, and whether it has got it. */
export interface DeliveryCopyRow {
  address: string
  status: Extract<DeliveryStatus, 'queued' | 'sent' | 'failed' | 'maybeSent'>
  /** Absent where nothing went wrong. */
  reason?: string
}

/** A stored delivery of a message by one touchpoint. */
export interface DeliveryRow extends TenantColumns {
  id: string
  conversationId: string
  messageId: string
  touchpoint: Touchpoint
  serviceId: string | null
  /** The address at the service; null for the web. */
  recipient: string | null
  /** Further recipients of a mail. */
  copies: DeliveryCopyRow[]
  status: DeliveryStatus
  reason: string | null
  code: DeliveryCode | null
  /** The provider's id of the message. */
  providerId: string | null
  segments: number | null
  attempts: number
  createdAt: Date
  updatedAt: Date
}

/** `sending` is internal: clients see the delivery as still queued. */
export const DeliveryStatusEnum = graphqlEnum('DeliveryStatus', 'Status of a delivery to the consumer.', {
  QUEUED: ['queued', 'Waiting to be sent, or to be retried: see `reason`.'],
  SENT: ['sent', 'Handed over to the provider; on the web, available to be fetched.'],
  DELIVERED: ['delivered', "Arrived at the consumer's device."],
  READ: ['read', 'The consumer has read it.'],
  FAILED: ['failed', 'Given up: see `reason`.'],
  MAYBE_SENT: ['maybeSent', 'Sent to the provider, which did not answer: only retried by request.'],
})

@ObjectType({ simpleResolvers: true, description: 'A recipient of a mail beside the contact.' })
export class DeliveryCopy implements DeliveryCopyRow {
  @Field(() => String, { description: 'Address of the recipient, in lower case.' }) address!: string
  @Field(() => DeliveryStatusEnum, { description: 'One of `QUEUED`, `SENT`, `FAILED` and `MAYBE_SENT`.' })
  status!: DeliveryCopyRow['status']
  @Field(() => String, { nullable: true, description: 'Reason why it failed.' }) reason?: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'The delivery of a message to the consumer by one touchpoint (4.7).',
})
export class Delivery implements Omit<DeliveryRow, 'organizationId' | 'org1' | 'org2' | 'org3' | 'status'> {
  @Field(() => ID)
  id!: string

  @Field(() => ID)
  conversationId!: string

  @Field(() => ID, { description: 'The delivered message.' })
  messageId!: string

  @Field(() => TouchpointEnum)
  touchpoint!: Touchpoint

  @Field(() => ID, { nullable: true, description: 'The service that sends it; null if there is none.' })
  serviceId!: string | null

  @Field(() => String, { nullable: true, description: 'The address that was used; null for the web.' })
  recipient!: string | null

  @Field(() => [DeliveryCopy], {
    description: 'Further recipients of a mail (`MessageInput.mail`), each with its own outcome.',
  })
  copies!: DeliveryCopyRow[]

  @Field(() => String, {
    nullable: true,
    description: 'Reason why it failed, waits, may not have arrived, or shows the consumer no later edit.',
  })
  reason!: string | null

  @Field(() => DeliveryCodeEnum, {
    nullable: true,
    description: 'The meaning of a failure; null for any other outcome.',
  })
  code!: DeliveryCode | null

  @Field(() => String, { nullable: true, description: "The provider's id of the message." })
  providerId!: string | null

  @Field(() => Int, { nullable: true, description: 'Number of parts of a text message.' })
  segments!: number | null

  @Field(() => Int, { description: 'Number of attempts.' })
  attempts!: number

  @Field(() => DateTime)
  createdAt!: Date

  @Field(() => DateTime)
  updatedAt!: Date
}

/** Returns the status as shown to clients. */
export function shownStatus({ status }: Pick<DeliveryRow, 'status'>): Exclude<DeliveryStatus, 'sending'> {
  return status === 'sending' ? 'queued' : status
}

/** Deliveries by message id. */
export const deliveriesLoader: LoaderDefinition<DeliveryRow[]> = {
  async load(ctx, messages) {
    const values: unknown[] = [messages]
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select t.* from delivery t where t.message_id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 't', values)}
       order by t.id`,
      values,
    )
    return Map.groupBy(
      rows.map((row) => camelRow<DeliveryRow>(row)),
      ({ messageId }) => messageId,
    )
  },
}
