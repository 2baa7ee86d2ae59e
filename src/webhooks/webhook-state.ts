import { Field, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../context.js'
import { camelRow } from '../lists/rows.js'
import { DateTime } from '../lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: "How a webhook fares; its status is the service's." })
export class WebhookState {
  @Field(() => Int, { description: 'Deliveries that wait.' }) pending!: number
  @Field(() => Int, { description: 'Failed attempts since the last one that succeeded.' }) failures!: number
  @Field(() => DateTime, { nullable: true, description: 'Since when attempts have been failing.' })
  failingSince!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'While it is failing or paused: when one delivery is tried.' })
  probeAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'When the handshake is tried next; null when none is due.' })
  checkAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Until then deliveries are signed with the replaced secret as well.',
  })
  previousSecretUntil!: Date | null
  @Field(() => String, { nullable: true, description: 'Of the last handshake or delivery that failed.' })
  lastError!: string | null
}

/** By service; null for a service of another type. */
export const webhookStateLoader: LoaderDefinition<WebhookState> = {
  async load(ctx, services) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select w.service_id, w.failures, w.failing_since, w.last_error, w.check_at,
         case when w.status in ('failing', 'paused') then w.probe_at end as probe_at,
         case when w.previous_until > $2 then w.previous_until end as previous_secret_until,
         (select count(*) from webhook_delivery d where d.service_id = w.service_id and d.status = 'pending') as pending
       from webhook w where w.service_id = any($1::uuid[])`,
      [services, ctx.now()],
    )
    return new Map(rows.map((row) => [row.service_id as string, camelRow<WebhookState>(row)]))
  },
}
