import { Refused } from '@switchboard/client'
import { words } from './words.js'

/** Returns what an administrator reads of a refused change. */
export function faultText(error: Error): string {
  return error instanceof Refused && error.code === 'PRECONDITION_FAILED' ? words.changedMeanwhile : error.message
}
