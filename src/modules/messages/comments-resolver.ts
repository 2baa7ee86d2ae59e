import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { userProfileLoader, type UserProfile } from '../users/user-profile.js'
import { User } from '../users/user.js'
import type { MessageRow } from './message-row.js'
import { CommentObject } from './message.js'

type StoredComment = MessageRow['comments'][number]

/** Resolves the references of a comment, which is stored with the names of the interface (2.9). */
@Resolver(() => CommentObject)
export class CommentsResolver {
  @FieldResolver(() => ID, { description: 'Id of the user who commented.' })
  userId(@Root() { user }: StoredComment): string {
    return user
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'The user who commented; null if the user has been deleted.',
  })
  user(@Root() { user }: StoredComment, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(user)
  }

  @FieldResolver(() => ID, { description: 'Id of the command message that created the comment.' })
  messageId(@Root() { message }: StoredComment): string {
    return message
  }
}
