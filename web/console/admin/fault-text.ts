import { Refused } from '@switchboard/client'
import { words } from './words.js'

/** Tells whether a refused change waits for a second administrator: it has been proposed, and must not be sent again. */
export function isProposed(error: Error | null): boolean {
  return error instanceof Refused && error.reason === 'APPROVAL_NEEDED'
}

/** Returns what an administrator reads of a refused change. */
export function faultText(error: Error): string {
  if (!(error instanceof Refused)) return error.message
  if (isProposed(error)) return words.approvalNeeded
  if (error.reason === 'NO_APPROVER') return words.noApprover
  return error.code === 'PRECONDITION_FAILED' ? words.changedMeanwhile : error.message
}
