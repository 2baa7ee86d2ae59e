import { Arg, Authorized, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { BadUserInput } from '../../../platform/errors.js'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { countConversations, VIEW_COUNT_MAX } from './count-conversations.js'

const ConversationViewEnum = graphqlEnum('ConversationView', 'A view of conversations that every agent has.', {
  OPEN: ['open', 'All that wait or are worked on.'],
  WAITING: ['waiting', 'Those that wait in a queue.'],
  ACTIVE: ['active', 'Those that somebody works on, without snoozed ones.'],
  SNOOZED: ['snoozed', 'Those that are put aside.'],
  UNDELIVERED: ['undelivered', 'Those of which a message was not delivered.'],
  CLOSED: ['closed', 'Those that are closed.'],
})
type ConversationView = (typeof ConversationViewEnum)[keyof typeof ConversationViewEnum]

/** As the filters of the console have them, so that what is counted is what is listed. */
const WHERE: Readonly<Record<ConversationView, string>> = {
  open: `t.status in ('queued', 'active')`,
  waiting: `t.status = 'queued'`,
  active: `t.status = 'active' and t.snoozed_until is null`,
  snoozed: `t.status = 'active' and t.snoozed_until is not null`,
  undelivered: `t.undelivered > 0 and t.status <> 'archived'`,
  closed: 't.closed_at is not null',
}

@ObjectType({ description: 'The number of conversations in a view.' })
export class ViewCount {
  @Field(() => ConversationViewEnum, { description: 'One of those that were asked for.' })
  view!: ConversationView

  @Field(() => Int, { description: `Up to ${VIEW_COUNT_MAX}.` })
  count!: number

  @Field(() => Boolean, { description: `Whether there are more than ${VIEW_COUNT_MAX}.` })
  isMore!: boolean
}

@Resolver()
export class ViewCountsResolver {
  @Authorized('conversation.list')
  @Query(() => [ViewCount], {
    description: 'Counts the conversations with consumers in views, of those that the caller sees.',
  })
  async viewCounts(
    @Ctx() ctx: Context,
    @Arg('views', () => [ConversationViewEnum], { description: 'Views to count, at most 30.' })
    views: ConversationView[],
  ): Promise<ViewCount[]> {
    if (views.length > 30) throw new BadUserInput('views', `views has ${views.length} views; at most 30 are possible`)
    const wanted = [...new Set(views)]
    const counts = await countConversations(
      ctx,
      wanted.map((view) => `t.type = 'contact' and ${WHERE[view]}`),
    )
    return wanted.map((view, index) => ({ view, ...counts[index]! }))
  }
}
