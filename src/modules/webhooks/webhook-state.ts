import { Field, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: "Delivery state of a webhook; its status is the service's." })
export class WebhookState {
  @Field(() => Int, { description: 'Number of waiting deliveries.' }) pending!: number
  @Field(() => Int, { description: 'Number of failed attempts since the last successful one.' }) failures!: number
  @Field(() => DateTime, { nullable: true, description: 'Time at which attempts began to fail.' })
  failingSince!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the next attempt while the webhook is failing or paused.',
  })
  probeAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time until which nothing is sent, since the receiver asked to wait (429); null if it did not.',
  })
  heldUntil!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the next handshake; null if none is due.' })
  checkAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time until which deliveries are also signed with the replaced secret.',
  })
  previousSecretUntil!: Date | null
  @Field(() => String, { nullable: true, description: 'Error of the last failed handshake or delivery.' })
  lastError!: string | null
  @Field(() => String, {
    nullable: true,
    description:
      "Parts of the receiver's answers that were ignored or refused, the last time; the delivery says the same. Null if nothing " +
      'was, or the delivery is no longer kept.',
  })
  lastIgnored!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the last answer of which something was ignored or refused.',
  })
  lastIgnoredAt!: Date | null
}

/** Loads by service; null for a service of another type. */
export const webhookStateLoader: LoaderDefinition<WebhookState> = {
  async load(ctx, services) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select w.service_id, w.failures, w.failing_since, w.last_error, w.check_at, w.ignored_at as last_ignored_at,
         (select d.reply from webhook_delivery d where d.id = w.ignored_delivery) as last_ignored,
         case when w.status in ('failing', 'paused') then w.probe_at end as probe_at,
         case when w.held_until > $2 then w.held_until end as held_until,
         case when w.previous_until > $2 then w.previous_until end as previous_secret_until,
         (select count(*) from webhook_delivery d where d.service_id = w.service_id and d.status = 'pending') as pending
       from webhook w where w.service_id = any($1::uuid[]) and not w.is_pulled`,
      [services, ctx.now()],
    )
    return new Map(rows.map((row) => [row.service_id as string, camelRow<WebhookState>(row)]))
  },
}
