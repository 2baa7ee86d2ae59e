import { Unprocessable } from '../../../platform/errors.js'

/** Creates the error for a command whose user is not a participant. */
export function notAParticipant(user: string): Unprocessable {
  return new Unprocessable(`user ${user} is not a participant of the conversation`, {
    reason: 'NOT_A_PARTICIPANT',
    field: 'user',
    user,
  })
}
