import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context, LoaderDefinition } from '../../../platform/context.js'
import { viewersOfEach } from '../../../platform/presence/viewers.js'
import { type UserProfile, userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import type { ConversationState } from '../state/conversation-state.js'
import { Conversation } from './conversation.js'

@ObjectType({ simpleResolvers: true, description: 'A user who has a conversation open.' })
export class ConversationViewer {
  @Field(() => ID) userId!: string
}

@Resolver(() => ConversationViewer)
export class ConversationViewersResolver {
  @FieldResolver(() => User, { nullable: true })
  user(@Root() { userId }: ConversationViewer, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(userId)
  }
}

@Resolver(() => Conversation)
export class ViewedConversationResolver {
  @FieldResolver(() => [ConversationViewer], {
    description:
      'Users who currently have the conversation open in a live subscription on any node. Empty for a guest.',
  })
  async viewers(@Root() { id }: ConversationState, @Ctx() ctx: Context): Promise<ConversationViewer[]> {
    if (ctx.seesAsConsumer) return []
    const users = (await ctx.loader(viewersLoader).load(id)) ?? []
    return users.map((userId) => ({ userId }))
  }
}

/** Ids of the users who have a conversation open, by conversation. */
const viewersLoader: LoaderDefinition<string[]> = {
  load: (ctx, conversations) => viewersOfEach(ctx.reads, conversations),
}
