import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../context.js'
import { viewersOf } from '../../presence/presence.js'
import { UserProfile, userProfileLoader } from '../../users/user-profile.js'
import type { ConversationState } from '../writing/conversation-state.js'
import { Conversation } from './conversation.js'

@ObjectType({ simpleResolvers: true, description: 'A user who has a conversation open.' })
export class ConversationViewer {
  @Field(() => ID) userId!: string
}

@Resolver(() => ConversationViewer)
export class ConversationViewersResolver {
  @FieldResolver(() => UserProfile, { nullable: true })
  user(@Root() { userId }: ConversationViewer, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }
}

@Resolver(() => Conversation)
export class ViewedConversationResolver {
  @FieldResolver(() => [ConversationViewer], {
    description: 'Users who have it open now, by a live subscription on any node. Empty for a guest.',
  })
  async viewers(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<ConversationViewer[]> {
    if (ctx.seesAsConsumer) return []
    return [...(await viewersOf(ctx.database, id))].toSorted().map((userId) => ({ userId }))
  }
}
