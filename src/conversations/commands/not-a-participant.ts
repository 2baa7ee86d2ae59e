import { Unprocessable } from '../../errors.js'

/** @returns the refusal of a command for a user who takes no part. */
export function notAParticipant(user: string): Unprocessable {
  return new Unprocessable(`user ${user} is not a participant of the conversation`, { field: 'user', user })
}
