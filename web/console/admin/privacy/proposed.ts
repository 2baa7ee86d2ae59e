import { Refused } from '@switchboard/client'

/** Takes a change that waits for a second administrator as made: the page shows where it waits. */
export function orProposed(request: Promise<unknown>): Promise<unknown> {
  return request.catch((error: unknown) => {
    if (!(error instanceof Refused && error.reason === 'APPROVAL_NEEDED')) throw error
  })
}
