import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { BadUserInput } from '../../platform/errors.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { listPage } from '../../platform/lists/list-page.js'
import { VIEW_COUNT_MAX } from '../conversations/api/count-conversations.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { type UserProfile, userProfileLoader } from '../users/user-profile.js'
import { User } from '../users/user.js'
import { countViews } from './count-views.js'
import { gapsOf } from './named-records.js'
import { fetchView, ownOrShared, ViewConnection, ViewFilter, viewList, ViewOrder } from './view-list.js'
import { deleteView, saveView } from './view-writes.js'
import { SaveViewInput, View, ViewGap } from './view.js'

const COUNTED_MAX = 30

@ObjectType({ description: 'The number of conversations in a saved view, of those that the caller sees.' })
export class SavedViewCount {
  @Field(() => ID, { description: 'Id of the view.' })
  id!: string

  @Field(() => Int, { description: `Up to ${VIEW_COUNT_MAX}.` })
  count!: number

  @Field(() => Boolean, { description: `Whether there are more than ${VIEW_COUNT_MAX}.` })
  isMore!: boolean
}

@Resolver(() => View)
export class ViewsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('view.fetch')
  @Query(() => View, { nullable: true, description: "A view of the caller's own, or a shared one that it sees." })
  view(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<View> {
    return fetchView(ctx, id)
  }

  @Authorized('view.list')
  @Query(() => ViewConnection, {
    description: "The caller's own views, and those that the organization of the caller and those below it share.",
  })
  views(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ViewFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ViewOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<View>> {
    return listPage(ctx, viewList, { args, filter, orderBy, restrict: ownOrShared(ctx) })
  }

  @Authorized('view.fetch')
  @Query(() => [SavedViewCount], {
    description:
      'Counts the conversations of saved views, in the order of their ids; one that is not found, since a colleague may have deleted it, and one ' +
      'that takes too long to count are left out.',
  })
  async savedViewCounts(
    @Ctx() ctx: Context,
    @Arg('ids', () => [ID], { description: `Ids of views, at most ${COUNTED_MAX}.` }) ids: string[],
  ): Promise<SavedViewCount[]> {
    if (ids.length > COUNTED_MAX)
      throw new BadUserInput('ids', `ids has ${ids.length} ids; at most ${COUNTED_MAX} are possible`)
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter(isId)
    const found = await ctx.em.find(View, {
      id: { $in: wanted },
      $or: [{ ownerId: null }, { ownerId: ctx.userCaller.user }],
    })
    const views = wanted.flatMap((id) => found.find((view) => view.id === id) ?? [])
    const counts = await countViews(ctx, views)
    return views.flatMap(({ id }, index) => (counts[index] ? { id, ...counts[index] } : []))
  }

  @Authorized('view.save')
  @Mutation(() => View, {
    description:
      "Saves a view of the caller's own (at most 100), or one that the organization shares (at most 100), which needs the scope admin or the " +
      'supervision of a channel of it. Without `id` it is a new one. Of two who change one without `ifVersion`, the last has it.',
  })
  saveView(
    @Ctx() ctx: Context,
    @Arg('input', () => SaveViewInput) input: SaveViewInput,
    @Arg('id', () => ID, { nullable: true, description: 'Id of the view that changes; null: a new one.' })
    id?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<View> {
    const given = { id: id ?? null, input }
    return idempotently(ctx, { key, operation: 'saveView', input: given }, () => saveView(ctx, this.transact, given))
  }

  @Authorized('view.delete')
  @Mutation(() => ID, { description: 'Deletes a view; its conversations stay. A shared one as `saveView` has it.' })
  deleteView(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    return deleteView(ctx, this.transact, id)
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: View, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user whose own it is; null if it is shared.' })
  async owner(@Root() { ownerId }: View, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ownerId === null ? null : ctx.loader(userProfileLoader).load(ownerId)
  }

  @FieldResolver(() => [ViewGap], {
    description:
      'Records that the filter names and that are gone or archived by now, which may be why nothing is in the view.',
  })
  gaps(@Root() view: View, @Ctx() ctx: Context): Promise<ViewGap[]> {
    return gapsOf(ctx, view)
  }
}
