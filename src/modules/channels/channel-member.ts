import { Field, ID, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { camelRow } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import type { Channel } from './channel.js'

@ObjectType({
  simpleResolvers: true,
  description: 'A member of a channel: an agent who can subscribe to its queue (2.6).',
})
export class ChannelMember {
  @Field(() => ID, { description: 'Made of the ids of the channel and the user.' })
  id!: string

  @Field(() => ID)
  userId!: string

  @Field(() => Boolean, { description: "Whether the user may read the channel's reports and watch its wallboard." })
  supervisor!: boolean

  @Field(() => DateTime, { description: 'Time when the user became a member.' })
  createdAt!: Date
}

/** Members by channel, oldest membership first. */
export const channelMembersLoader: LoaderDefinition<ChannelMember[]> = {
  async load(ctx, ids) {
    const values: unknown[] = [ids.filter(isId)]
    const rows = await ctx.reads.query<{ channel: string; user: string; supervisor: boolean; at: Date }>(
      `select m.channel_id as channel, m.user_id as user, m.supervisor, m.created_at as at
       from channel_member m join channel t on t.id = m.channel_id
       where m.channel_id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 't', values)}
       order by m.channel_id, m.created_at, m.user_id`,
      values,
    )
    const members = new Map<string, ChannelMember[]>(ids.map((id) => [id, []]))
    for (const { channel, user, supervisor, at } of rows)
      members.get(channel)?.push({ id: `${channel}:${user}`, userId: user, supervisor, createdAt: at })
    return members
  },
}

/** Channels by member, within the caller's tenants. */
export const userChannelsLoader: LoaderDefinition<Channel[]> = {
  async load(ctx, users) {
    const values: unknown[] = [users.filter(isId)]
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select t.*, m.user_id as member from channel_member m join channel t on t.id = m.channel_id
       where m.user_id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 't', values)} order by m.user_id, t.name, t.id`,
      values,
    )
    const channels = new Map<string, Channel[]>(users.map((id) => [id, []]))
    for (const { member, ...channel } of rows) channels.get(member as string)?.push(camelRow<Channel>(channel))
    return channels
  },
}
