import { Unprocessable } from '../../errors.js'

/** Creates the error for a command whose user is not a participant. */
export function notAParticipant(user: string): Unprocessable {
  return new Unprocessable(`user ${user} is not a participant of the conversation`, { field: 'user', user })
}
