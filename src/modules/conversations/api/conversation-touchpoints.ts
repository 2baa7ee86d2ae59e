import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { loadFound } from '../../../platform/lists/rows.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { ServiceProfile, serviceProfileLoader } from '../../services/service.js'

/** A touchpoint as a conversation stores it. */
interface StoredTouchpoint {
  services: string[]
  selected: boolean
}

@ObjectType({ simpleResolvers: true, description: 'A touchpoint that reaches the consumer of a conversation (2.8).' })
export class ConversationTouchpoint {
  @Field(() => Boolean, { description: 'Whether messages to the consumer go there.' })
  selected!: boolean
}

@ObjectType({
  simpleResolvers: true,
  description: 'The touchpoints that reach the consumer of a conversation (2.8); null for those that do not.',
})
export class ConversationTouchpoints implements Record<Touchpoint, ConversationTouchpoint | null> {
  @Field(() => ConversationTouchpoint, {
    nullable: true,
    description: 'The web; null if it does not reach the consumer.',
  })
  web!: ConversationTouchpoint | null
  @Field(() => ConversationTouchpoint, {
    nullable: true,
    description: 'Email; null if it does not reach the consumer.',
  })
  email!: ConversationTouchpoint | null
  @Field(() => ConversationTouchpoint, { nullable: true, description: 'SMS; null if it does not reach the consumer.' })
  sms!: ConversationTouchpoint | null
  @Field(() => ConversationTouchpoint, {
    nullable: true,
    description: 'The social messenger; null if it does not reach the consumer.',
  })
  messenger!: ConversationTouchpoint | null
}

@Resolver(() => ConversationTouchpoint)
export class ConversationTouchpointsResolver {
  @FieldResolver(() => [ID], {
    description: "Ids of the organization's services for it, as of the conversation's beginning.",
  })
  serviceIds(@Root() { services }: StoredTouchpoint): string[] {
    return services
  }

  @FieldResolver(() => [ServiceProfile], { description: 'Those of the services that the caller sees.' })
  services(@Root() { services }: StoredTouchpoint, @Ctx() ctx: Context): Promise<ServiceProfile[]> {
    return loadFound(ctx, serviceProfileLoader, services)
  }
}
