import { Field, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../../platform/context.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: 'State of a service of type `events`.' })
export class EventsState {
  @Field(() => Int, { description: 'Number of events that wait for a consumer, or that one has.' }) pending!: number
  @Field(() => Int, {
    description: 'Number of those that a consumer has: they come again unless it acknowledges them.',
  })
  taken!: number
  @Field(() => DateTime, { nullable: true, description: 'Since when the one that waits longest has been waiting.' })
  waitingSince!: Date | null
  @Field(() => Int, {
    description: 'Number of events that nobody acknowledged within 7 days, as far as the log goes back.',
  })
  failed!: number
}

/** Loads by service; null for a service of another type. */
export const eventsStateLoader: LoaderDefinition<EventsState> = {
  async load(ctx, services) {
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select w.service_id, d.* from webhook w cross join lateral (
         select count(*) filter (where status = 'pending') as pending,
           count(*) filter (where status = 'pending' and taken_until > $2) as taken,
           min(pending_since) filter (where status = 'pending') as waiting_since,
           count(*) filter (where status = 'failed') as failed
         from webhook_delivery where service_id = w.service_id and status <> 'delivered') d
       where w.service_id = any($1::uuid[]) and w.is_pulled and w.feed_id is null`,
      [services, ctx.now()],
    )
    return new Map(rows.map((row) => [row.service_id as string, camelRow<EventsState>(row)]))
  },
}
