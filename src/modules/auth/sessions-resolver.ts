import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { reachable } from '../users/reachable.js'
import { endSessions, readSessions, Session, SESSIONS_MAX } from './sessions.js'

const USER = 'A user, or `me`. Others than oneself need `user.update` (section 5).'

/** Sessions of users: one's own, and for administrators those of others. */
@Resolver(() => Session)
export class SessionsResolver {
  constructor(private readonly dependencies: { accessChanges: AccessChanges }) {}

  @Authorized('token.revoke')
  @Query(() => [Session], {
    description:
      `Sessions of a user that have not ended, the current one first, then the last used first; at most ${SESSIONS_MAX}. ` +
      "A bot's API token is no session.",
  })
  sessions(@Ctx() ctx: Context, @Arg('user', () => ID, { description: USER }) user: string): Promise<Session[]> {
    return readSessions(ctx, reachable(ctx, user, 'user.update'))
  }

  @Authorized('token.revoke')
  @Mutation(() => Boolean, {
    description:
      'Ends a session: all its tokens are refused and its sockets closed, on every node. Returns false if it had ended before. ' +
      "An owner's sessions are ended by owners only.",
  })
  async endSession(
    @Ctx() ctx: Context,
    @Arg('user', () => ID, { description: USER }) user: string,
    @Arg('session', () => ID, { description: 'Id of an element of `sessions`.' }) session: string,
  ): Promise<boolean> {
    const named = reachable(ctx, user, 'user.update')
    return (await endSessions(ctx, this.dependencies, { user: named, session })) > 0
  }

  @Authorized('token.revoke')
  @Mutation(() => Int, {
    description:
      'Ends all sessions of a user, as `endSession` does one; of oneself all but the current one. Returns how many were open.',
  })
  endSessions(@Ctx() ctx: Context, @Arg('user', () => ID, { description: USER }) user: string): Promise<number> {
    return endSessions(ctx, this.dependencies, { user: reachable(ctx, user, 'user.update') })
  }
}
