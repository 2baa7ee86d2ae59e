import { Field, ID, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../context.js'
import { isId } from '../db/clock.js'
import { tenantSql } from '../db/tenancy.js'
import { DateTime } from '../lists/scalars.js'

@ObjectType({
  simpleResolvers: true,
  description: 'A member of a channel: an agent who can subscribe to its queue (2.6).',
})
export class ChannelMember {
  @Field(() => ID)
  userId!: string

  @Field(() => DateTime, { description: 'Time when the user became a member.' })
  createdAt!: Date
}

/** Members by channel, oldest first. */
export const channelMembersLoader: LoaderDefinition<ChannelMember[]> = {
  async load(ctx, ids) {
    const values: unknown[] = [ids.filter(isId)]
    const rows = await ctx.reads.query<{ channel: string; user: string; at: Date }>(
      `select m.channel_id as channel, m.user_id as user, m.created_at as at
       from channel_member m join channel t on t.id = m.channel_id
       where m.channel_id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 't', values)}
       order by m.channel_id, m.created_at, m.user_id`,
      values,
    )
    const members = new Map<string, ChannelMember[]>(ids.map((id) => [id, []]))
    for (const { channel, user, at } of rows) members.get(channel)?.push({ userId: user, createdAt: at })
    return members
  },
}
