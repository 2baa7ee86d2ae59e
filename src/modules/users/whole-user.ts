import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { rowLoader } from '../../platform/lists/rows.js'
import type { User } from './user.js'

/** The part of a user that everybody in a conversation sees: all that references such as `message.user` read. */
export interface UserProfile extends Pick<
  User,
  'id' | 'organizationId' | 'avatar' | 'role' | 'version' | 'createdAt' | 'updatedAt'
> {
  isProfile: true
  displayName: string
  name: string
}

/** A user as read: by itself, or as the profile to which a reference leads. */
export type SeenUser = User | UserProfile

/** Fields of `User` that need the right to fetch the user; a reference does not read them. */
export const WHOLE_FIELDS = [
  'additionalName',
  'apiToken',
  'apiTokens',
  'email',
  'familyName',
  'givenName',
  'governance',
  'lastLogin',
  'managedBy',
  'meta',
  'organizations',
  'phone',
  'provider',
  'settings',
  'status',
] as const

const wholeUsers = rowLoader<User>('app_user')

/** Returns the whole user if the caller may fetch it (section 5: itself, or another by `user.fetch`); else null. */
export function wholeUser(ctx: Context, user: SeenUser): User | Promise<User | null> | null {
  if (!isProfile(user)) return user
  const caller = ctx.maybeCaller
  const isSelf = caller?.kind === 'user' && caller.user === user.id
  const isReachable =
    caller !== null && (isAllowed(caller, 'user.fetch') || (isSelf && isAllowed(caller, 'user.fetchSelf')))
  return isReachable ? ctx.loader(wholeUsers).load(user.id) : null
}

/** Returns what `read` gives of the whole user, or null if the caller may not fetch it. */
export function ofWholeUser<V>(ctx: Context, user: SeenUser, read: (user: User) => V): V | null | Promise<V | null> {
  const whole = wholeUser(ctx, user)
  if (whole instanceof Promise) return whole.then((found) => found && read(found))
  return whole && read(whole)
}

export function isProfile(user: SeenUser): user is UserProfile {
  return 'isProfile' in user
}
