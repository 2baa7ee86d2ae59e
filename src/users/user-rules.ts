import type { EventTypes, ResourceEvents } from '../events/event.js'
import type { UserCaller } from '../access/caller.js'
import type { Role } from '../access/scopes.js'
import { BadUserInput, Forbidden, Unprocessable } from '../errors.js'
import { isUniqueViolation } from '../limits/idempotency.js'
import { displayNameOf, type User } from './user.js'

/** Only an owner may make or change an owner: otherwise an administrator could take the owner's place. */
export function checkOwnership(caller: UserCaller, ...roles: readonly (Role | undefined)[]): void {
  if (roles.includes('owner') && caller.role !== 'owner')
    throw new Forbidden('only an owner can make or change an owner')
}

/**
 * A bot signs in by its API token only, whose scopes limit what it may do (section 5): a password would give the full
 * role.
 * @throws BadUserInput
 */
export function refuseSignIn({ password, status, invite }: SignInFields): void {
  if (password != null) throw new BadUserInput('password', 'a bot has no password: it uses its API token')
  if (invite) throw new BadUserInput('invite', 'a bot cannot be invited: it uses its API token')
  if (status === 'invited') throw new BadUserInput('status', 'a bot cannot be invited: it uses its API token')
}

interface SignInFields {
  password?: string | null
  status?: string | null
  invite?: boolean | null
}

/** Runs a write of an email. @throws Unprocessable when another user has it, ignoring case */
export async function withUniqueEmail<T>(email: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'app_user_email')) throw error
    throw new Unprocessable(`email ${email} belongs to another user`, { field: 'email' })
  }
}

/** The public values of a user. */
type UserData = Pick<User, 'email' | 'role' | 'status'> & { displayName: string }

interface UserEvents extends ResourceEvents<'user', UserData> {
  'user.login': { id: string; organization: string; at: string }
}

declare module '../events/event.js' {
  interface EventTypes extends UserEvents {}
}

/** Returns the public values of a user, for its events. */
export function eventOf(user: User): EventTypes['user.created'] {
  const { id, organizationId, email, role, status } = user
  return { id, organization: organizationId, displayName: displayNameOf(user), email, role, status }
}
