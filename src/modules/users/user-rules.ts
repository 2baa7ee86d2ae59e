import type { EventTypes, ResourceEvents } from '../../platform/events/event.js'
import type { UserCaller } from '../../platform/access/caller.js'
import type { Role } from '../../platform/access/scopes.js'
import { BadUserInput, Forbidden, Unprocessable } from '../../platform/errors.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { displayNameOf, type User } from './user.js'

/** Only an owner may make or change an owner: otherwise an administrator could take the owner's place. */
export function checkOwnership(caller: UserCaller, ...roles: readonly (Role | undefined)[]): void {
  if (roles.includes('owner') && caller.role !== 'owner')
    throw new Forbidden('only an owner can make or change an owner', { reason: 'OWNER_REQUIRED' })
}

/** A bot reads no mail: its password, if it has one, is given to it. @throws BadUserInput */
export function refuseInvitation({ status, invite }: InvitationFields): void {
  if (invite) throw new BadUserInput('invite', 'a bot cannot be invited: it uses its API token or its password')
  if (status === 'invited') {
    throw new BadUserInput('status', 'a bot cannot be invited: it uses its API token or its password')
  }
}

interface InvitationFields {
  status?: string | null
  invite?: boolean | null
}

/** Runs a write of an email. @throws Unprocessable when another user has it, ignoring case */
export async function withUniqueEmail<T>(
  email: string | undefined,
  write: () => Promise<T>,
  field = 'email',
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'app_user_email')) throw error
    throw new Unprocessable(`email ${email} belongs to another user`, { reason: 'EMAIL_TAKEN', field })
  }
}

/** The public values of a user. */
type UserData = Pick<User, 'email' | 'role' | 'status'> & { displayName: string }

interface UserEvents extends ResourceEvents<'user', UserData> {
  'user.login': { id: string; organization: string; at: string }
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends UserEvents {}
}

/** Returns the public values of a user, for its events. */
export function eventOf(user: User): EventTypes['user.created'] {
  const { id, organizationId, email, role, status } = user
  return { id, organization: organizationId, displayName: displayNameOf(user), email, role, status }
}
