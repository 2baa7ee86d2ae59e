import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { ChannelConnection, ChannelFilter, channelList, ChannelOrder } from './channel-list.js'
import { ChannelMember, channelMembersLoader, userChannelsLoader } from './channel-member.js'
import {
  addChannelMember,
  createChannel,
  removeChannelMember,
  updateChannel,
  type ChannelWriteOptions,
} from './channel-writes.js'
import { Channel, CreateChannelInput, UpdateChannelInput } from './channel.js'
import { deleteChannel } from './delete-channel.js'

@Resolver(() => Channel)
export class ChannelsResolver {
  constructor(private readonly options: ChannelWriteOptions) {}

  @Authorized('channel.fetch')
  @Query(() => Channel, { nullable: true, description: 'A channel of an organization that the caller sees.' })
  channel(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Channel> {
    return fetchRecord(ctx, Channel, id)
  }

  @Authorized('channel.list')
  @Query(() => ChannelConnection, {
    description: "Channels of the caller's organization and those below it, regardless of membership.",
  })
  channels(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ChannelFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ChannelOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Channel>> {
    return listPage(ctx, channelList, { args, filter, orderBy })
  }

  @Authorized('channel.create')
  @Mutation(() => Channel, { description: 'Creates a channel with its initial members (4.4).' })
  createChannel(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateChannelInput) input: CreateChannelInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Channel> {
    return idempotently(ctx, { key, operation: 'createChannel', input }, () => createChannel(ctx, this.options, input))
  }

  @Authorized('channel.update')
  @Mutation(() => Channel, {
    description: 'Updates a channel. Only the given keys change; `members` replaces all members.',
  })
  updateChannel(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateChannelInput) patch: UpdateChannelInput,
  ): Promise<Channel> {
    return updateChannel(ctx, this.options, { id, patch })
  }

  @Authorized('channel.delete')
  @Mutation(() => ID, {
    description: 'Deletes a channel. Refused while conversations are queued in it. Workflows that name it ignore it.',
  })
  async deleteChannel(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteChannel(ctx, this.options, id)
    return id.toLowerCase()
  }

  @Authorized('channel.update')
  @Mutation(() => Channel, {
    description: 'Adds a member (4.4). For a user who is already a member, only sets `supervisor`, if given.',
  })
  addChannelMember(
    @Ctx() ctx: Context,
    @Arg('channel', () => ID) channel: string,
    @Arg('user', () => ID, { description: "A user of the channel's organization, or of one above or below it." })
    user: string,
    @Arg('supervisor', () => Boolean, {
      nullable: true,
      description: "Whether the user may read the channel's reports and watch its wallboard.",
    })
    supervisor?: boolean | null,
  ): Promise<Channel> {
    return addChannelMember(ctx, this.options, { channel, user, supervisor })
  }

  @Authorized('channel.update')
  @Mutation(() => Channel, { description: 'Removes a member. Without effect for a user who is not a member.' })
  removeChannelMember(
    @Ctx() ctx: Context,
    @Arg('channel', () => ID) channel: string,
    @Arg('user', () => ID) user: string,
  ): Promise<Channel> {
    return removeChannelMember(ctx, this.options, { channel, user })
  }

  @FieldResolver(() => [ChannelMember], { description: 'Members, oldest membership first.' })
  async members(@Root() channel: Channel, @Ctx() ctx: Context): Promise<ChannelMember[]> {
    return (await ctx.loader(channelMembersLoader).load(channel.id)) ?? []
  }

  @FieldResolver(() => Organization, { nullable: true, description: 'Owning organization.' })
  organization(@Root() channel: Channel, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(channel.organizationId)
  }
}

@Resolver(() => User)
export class UserChannelsResolver {
  @FieldResolver(() => [Channel], {
    description: 'Channels that the user is a member of, by name; none for a caller who may not list channels.',
  })
  async channels(@Root() user: User, @Ctx() ctx: Context): Promise<Channel[]> {
    if (!isAllowed(ctx.caller, 'channel.list')) return []
    return (await ctx.loader(userChannelsLoader).load(user.id)) ?? []
  }
}

@Resolver(() => ChannelMember)
export class ChannelMembersResolver {
  @FieldResolver(() => User, {
    nullable: true,
    description: 'Profile of the user; null if the user has been deleted.',
  })
  user(@Root() member: ChannelMember, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(member.userId)
  }
}
