import { Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { PART_OF_RECORD } from '../../platform/lists/part-of-record.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { Conversation } from '../conversations/api/conversation.js'
import type { ConversationState } from '../conversations/state/conversation-state.js'
import type { RouteFormats, ServiceKinds } from '../services/service-kinds.js'
import { ServiceProfile } from '../services/service.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import type { Touchpoint } from '../touchpoint-traits.js'
import { ROUTES_MAX, routesOf, waysLoader, type RouteData, type RouteProblem } from './read-routes.js'

export const RouteProblemEnum = graphqlEnum('RouteProblem', 'Reason why a route takes no text of the caller now.', {
  NO_ADDRESS: ['noAddress', 'The contact has no address there, or has never written to the service.'],
  WINDOW_CLOSED: ['windowClosed', 'The provider takes no answers until the consumer writes again.'],
  BLOCKED: ['blocked', 'The consumer has blocked the service, or the address does not exist.'],
  OPTED_OUT: ['optedOut', 'The consumer has asked the service for no more messages.'],
  SERVICE_INACTIVE: ['serviceInactive', 'The service is switched off.'],
})

@Extensions(PART_OF_RECORD)
@ObjectType('RouteFormats', {
  simpleResolvers: true,
  description: 'Forms that messages keep by a route; anything else becomes text, with addresses of files.',
})
export class RouteFormatsObject implements RouteFormats {
  @Field(() => Int, { nullable: true, description: 'Longest text of one message, in UTF-16 units; null: no limit.' })
  textCharsMax!: number | null
  @Field(() => Boolean, { description: 'Whether a longer text is sent in several messages; else it is refused.' })
  splitsText!: boolean
  @Field(() => Boolean, { description: 'Whether HTML is shown as such, and not as its words.' })
  html!: boolean
  @Field(() => Int, {
    nullable: true,
    description: 'Most buttons that can be pressed, 0 where choices are numbered in the text; null: no limit.',
  })
  buttonsMax!: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Largest file that is sent as a file, in bytes, and not as its address; null: no limit.',
  })
  fileBytesMax!: number | null
}

@Extensions(PART_OF_RECORD)
@ObjectType('ConversationRoute', {
  simpleResolvers: true,
  description: 'A way for an answer to the consumer: a service, or the web without one.',
})
export class ConversationRoute implements RouteData {
  @Field(() => TouchpointEnum) touchpoint!: Touchpoint
  @Field(() => ServiceProfile, {
    nullable: true,
    description:
      'The service that sends it, for `MessageInput.service`; null for the web without one, and for a service of an organization above, which the caller does not see.',
  })
  service!: ServiceProfile | null
  @Field(() => String, {
    nullable: true,
    description: 'Name of the provider, where the touchpoint does not say it.',
  })
  provider!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which it closes to the caller, or has closed; null where nothing closes.',
  })
  openUntil!: string | null
  @Field(() => Boolean, { description: 'Whether nothing but a template can be sent now (`templates`).' })
  needsTemplate!: boolean
  @Field(() => Boolean, { description: 'Whether a template can be sent now.' })
  takesTemplates!: boolean
  @Field(() => RouteProblemEnum, {
    nullable: true,
    description: 'Reason why no text of the caller can be sent; null if one can.',
  })
  problem!: RouteProblem | null
  @Field(() => String, { nullable: true, description: 'The same in words.' })
  reason!: string | null
  @Field(() => RouteFormatsObject, {
    nullable: true,
    description: 'Forms that it keeps; null where they are not known.',
  })
  formats!: RouteFormats | null
}

@Resolver(() => Conversation)
export class RoutesResolver {
  constructor(private readonly kinds: ServiceKinds) {}

  @Extensions({ isViewersOwn: true })
  @FieldResolver(() => [ConversationRoute], {
    description:
      `The ways for an answer of the caller to the consumer, at most ${ROUTES_MAX}, in the order in which delivery tries them (4.7): a message that ` +
      'names none takes the first without a `problem`. Then those that are switched off and that the consumer has used. None for a merged ' +
      'conversation, and for everybody below the scope `agent`.',
  })
  async routes(@Root() conversation: ConversationState, @Ctx() ctx: Context): Promise<RouteData[]> {
    const { id, type, status } = conversation
    if (type !== 'contact' || status === 'archived' || !isAllowed(ctx.caller, 'route.list')) return []
    const ways = await ctx.loader(waysLoader).load(id)
    if (!ways) return []
    const sender = ctx.caller.kind === 'user' && ctx.caller.isBot ? 'machine' : 'person'
    return routesOf(ways, ctx.tenant, { sender, now: ctx.now(), conversation }, this.kinds)
  }
}
