import { bodyForReader } from './reader-view.js'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { asksForNoticesSql } from './webhook-format.js'
import type { LoaderDefinition } from '../../platform/context.js'
import { connectionType, orderInput, OrderDirection } from '../../platform/lists/connection.js'
import { filterInput, type FilterFields } from '../../platform/lists/filters.js'
import type { ListDefinition } from '../../platform/lists/list-page.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const WebhookDeliveryStatus = graphqlEnum(
  'WebhookDeliveryStatus',
  "Status of an event's delivery to a webhook, or to a consumer that takes it.",
  {
    PENDING: ['pending', 'Waiting for the first or next attempt, or for an earlier delivery of the same conversation.'],
    DELIVERED: ['delivered', 'The receiver answered with 2xx, or a consumer acknowledged it.'],
    FAILED: ['failed', 'Given up, after 24 hours of attempts, or 7 days without an acknowledgement.'],
  },
)

@ObjectType({ simpleResolvers: true, description: 'A delivery attempt: one POST to a webhook.' })
export class WebhookAttempt {
  @Field(() => Int, { description: 'Counted from 1.' }) number!: number
  @Field(() => DateTime) at!: Date
  @Field(() => Int, { description: 'Milliseconds until the answer or the failure.' }) durationMs!: number
  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer; null without an answer.' }) statusCode!:
    | number
    | null
  @Field(() => String, { nullable: true, description: 'Reason of the failure; null on success.' })
  error!: string | null
  @Field(() => String, { nullable: true, description: 'The first 1,000 characters of the answer.' })
  response!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'The delivery of one event to one webhook, or to consumers.' })
export class WebhookDelivery {
  @Field(() => ID) id!: string
  @Field(() => ID) serviceId!: string
  @Field(() => ID, { description: "The envelope's `id`, and the header `webhook-id`: the same in every attempt." })
  eventId!: string
  @Field(() => String, { description: 'Name of the event, such as `message.create.contact.chat`.' }) event!: string
  @Field(() => DateTime, { description: 'Time of the event.' }) at!: Date
  @Field(() => ID, { nullable: true }) conversationId!: string | null
  @Field(() => WebhookDeliveryStatus) status!: string
  @Field(() => Int, {
    description: 'Number of attempts so far, of which the newest 50 are kept; or how often it was taken.',
  })
  attemptCount!: number
  @Field(() => DateTime, { nullable: true, description: 'Time of the last attempt.' }) attemptedAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which the event was delivered or given up.' })
  finishedAt!: Date | null
  @Field(() => Int, { nullable: true, description: 'HTTP status of the last answer.' }) statusCode!: number | null
  @Field(() => String, { nullable: true, description: 'Error of the last failed attempt.' }) error!: string | null
  @Field(() => String, { nullable: true, description: "Outcome of the messages in the receiver's answer." })
  reply!: string | null
}

const EVENT = 'select {} from webhook_event e where e.id = t.event_id'
const ofEvent = (column: string): string => `(${EVENT.replace('{}', `e.${column}`)})`

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  status: { kind: 'text', sql: 't.status', values: WebhookDeliveryStatus },
  event: { kind: 'text', sql: ofEvent('event') },
  eventId: { kind: 'id', sql: 't.event_id' },
  conversation: { kind: 'id', sql: ofEvent('conversation_id') },
  at: { kind: 'time', sql: ofEvent('at') },
  attemptedAt: { kind: 'time', sql: 't.attempted_at' },
}

export const webhookDeliveryList: ListDefinition = {
  table: 'webhook_delivery',
  fields,
  columns: `t.id, t.service_id, t.event_id, t.status, t.attempts as attempt_count, t.attempted_at, t.finished_at,
    t.status_code, t.error, t.reply, ${ofEvent('event')} as event, ${ofEvent('at')} as at,
    ${ofEvent('conversation_id')} as conversation_id`,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
  // Each list belongs to one service, which was checked to be the caller's.
  visible: () => 'true',
}
export const WebhookDeliveryFilter = filterInput('WebhookDeliveryFilter', fields)
export const WebhookDeliveryOrder = orderInput('WebhookDelivery', fields)
export const WebhookDeliveryConnection = connectionType('WebhookDelivery', () => WebhookDelivery)

/** Loads attempts by delivery, oldest first. */
export const attemptsLoader: LoaderDefinition<WebhookAttempt[]> = {
  async load(ctx, deliveries) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      'select * from webhook_attempt where delivery_id = any($1::uuid[]) order by delivery_id, number',
      [deliveries],
    )
    const attempts = rows.map((row) => camelRow<WebhookAttempt & { deliveryId: string }>(row))
    return Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  },
}

/** Loads the sent bytes by delivery, as they are without the mask of the webhook's bot; null before the first attempt. */
export const bodyLoader: LoaderDefinition<string> = {
  async load(ctx, deliveries) {
    // One that has no bytes of its own has those of the event, which are shared with readers who may see more.
    const rows = await ctx.reads.query<{ id: string; selected: string | null; whole: string | null; reader: string }>(
      `select d.id, d.selected_body as selected, e.body as whole, s.organization_id as reader
       from webhook_delivery d join webhook_event e on e.id = d.event_id join service s on s.id = d.service_id
       where d.id = any($1::uuid[]) and (d.selected_body is not null
         or (e.body is not null and (d.attempts > 0 or not ${asksForNoticesSql('s.params')})))`,
      [deliveries],
    )
    return new Map(
      rows.map(({ id, selected, whole, reader }) => [id, selected ?? bodyForReader(whole!, reader)] as const),
    )
  },
}
