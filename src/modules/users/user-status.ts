import { Unprocessable } from '../../platform/errors.js'
import type { UserStatus } from './user.js'

/**
 * Allowed transitions, which the specification leaves open (3.3). A queued user waits, an invited one has been sent
 * mail; both become active by signing in. An active user can be archived but not queued again; an archived one becomes
 * active. Invited to invited repeats the invitation.
 */
const MOVES: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  queued: ['invited', 'active', 'archived'],
  invited: ['invited', 'queued', 'active', 'archived'],
  active: ['archived'],
  archived: ['active'],
}

/** @throws Unprocessable for a transition that is not in the table */
export function checkStatusMove(from: UserStatus, to: UserStatus): void {
  if (from === to || MOVES[from].includes(to)) return
  throw new Unprocessable(`a user's status cannot change from ${from} to ${to}`, {
    reason: 'STATUS_MOVE_IMPOSSIBLE',
    field: 'status',
  })
}
