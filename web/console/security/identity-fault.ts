import { Refused, Unreachable } from '@switchboard/client'
import { t } from '../../shared/i18n/messages.js'
import { identityWords as words } from './identity-words.js'

/** Says in the user's words why an account could not be linked or unlinked. */
export function identityFault(error: Error): string {
  if (error instanceof Unreachable) return t().signIn.unreachable
  switch (error instanceof Refused ? error.reason : null) {
    case 'WRONG_PASSWORD':
      return words.wrongPassword
    case 'MISSING_VALUE':
      return words.passwordNeeded
    case 'SIGN_IN_REQUIRED':
      return words.freshNeeded
    case 'WOULD_LOCK_OUT':
      return words.lastWay
    case 'IDENTITY_TAKEN':
      return words.taken
    case 'TOO_MANY':
      return words.tooMany
    case 'RECORD_NOT_FOUND':
      return words.expired
    default:
      return error.message
  }
}
