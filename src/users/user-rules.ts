import type { UserCaller } from '../access/caller.js'
import type { Role } from '../access/scopes.js'
import { BadUserInput, Forbidden, Unprocessable } from '../errors.js'
import { isUniqueViolation } from '../limits/idempotency.js'
import type { JsonObject } from '../json.js'
import { displayNameOf, type User } from './user.js'

/** Only an owner makes an owner, or changes one: an administrator could otherwise take the owner's place. */
export function checkOwnership(caller: UserCaller, ...roles: readonly (Role | undefined)[]): void {
  if (roles.includes('owner') && caller.role !== 'owner') throw new Forbidden('only an owner makes or changes an owner')
}

/**
 * A bot's one way in is its API token, whose scopes say what it may do (section 5): a password would hold its full role.
 * @throws BadUserInput
 */
export function refuseSignIn({ password, status, invite }: SignInFields): void {
  if (password != null) throw new BadUserInput('password', 'a bot has no password: it uses its API token')
  if (invite) throw new BadUserInput('invite', 'a bot is not invited: it uses its API token')
  if (status === 'invited') throw new BadUserInput('status', 'a bot is not invited: it uses its API token')
}

interface SignInFields {
  password?: string | null
  status?: string | null
  invite?: boolean | null
}

/** Runs a write of an email. @throws Unprocessable when another user has it, whatever its letters' case */
export async function withUniqueEmail<T>(email: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'app_user_email')) throw error
    throw new Unprocessable(`email ${email} belongs to another user`, { field: 'email' })
  }
}

/** The public values of a user, for its events. */
export function eventOf(user: User): JsonObject {
  const { id, organizationId, email, role, status } = user
  return { id, organization: organizationId, displayName: displayNameOf(user), email, role, status }
}
