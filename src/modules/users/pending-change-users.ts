import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import { PendingChange } from '../four-eyes/pending-change.js'
import { userProfileLoader, type UserProfile } from './user-profile.js'
import { User } from './user.js'

/** The administrators of a change that needs two. */
@Resolver(() => PendingChange)
export class PendingChangeUsersResolver {
  @FieldResolver(() => User, {
    nullable: true,
    description: 'The administrator who proposed it; null for one who is deleted.',
  })
  proposedBy(@Root() { proposedById }: PendingChange, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return ctx.loader(userProfileLoader).load(proposedById)
  }

  @FieldResolver(() => User, { nullable: true, description: 'Whoever approved, refused or withdrew it.' })
  async decidedBy(@Root() { decidedById }: PendingChange, @Ctx() ctx: Context): Promise<UserProfile | null> {
    return decidedById === null ? null : ctx.loader(userProfileLoader).load(decidedById)
  }
}
