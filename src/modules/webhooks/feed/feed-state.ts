import { Field, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../../platform/context.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { DateTime } from '../../../platform/lists/scalars.js'

@ObjectType({ simpleResolvers: true, description: 'State of a service of type `feed`.' })
export class FeedState {
  @Field(() => DateTime, { nullable: true, description: 'Since when it keeps all events; null until it does.' })
  begunAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the oldest event that it keeps; null if it keeps none.',
  })
  oldestAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the newest event; null if it keeps none.' })
  newestAt!: Date | null
}

/** Loads by service; null for a service of another type. */
export const feedStateLoader: LoaderDefinition<FeedState> = {
  async load(ctx, services) {
    const end = (order: string): string =>
      `(select e.at from feed_event e where e.feed_id = f.id order by e.at ${order} limit 1)`
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select w.service_id, f.begun_at, ${end('asc')} as oldest_at, ${end('desc')} as newest_at
       from webhook w join event_feed f on f.id = w.feed_id where w.service_id = any($1::uuid[])`,
      [services],
      'load-feed-states',
    )
    return new Map(rows.map((row) => [row.service_id as string, camelRow<FeedState>(row)]))
  },
}
