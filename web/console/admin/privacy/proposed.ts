import { isProposed } from '../fault-text.js'

/** Takes a change that waits for a second administrator as made: the page shows where it waits. */
export function orProposed(request: Promise<unknown>): Promise<unknown> {
  return request.catch((error: Error) => {
    if (!isProposed(error)) throw error
  })
}
