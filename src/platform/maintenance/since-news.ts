import type { StoredEvent } from '../events/event.js'

/** Even a node that has written nothing looks after this time: another one may have died before it looked. */
const AT_LEAST_EVERY_MS = 600_000

/** The first round may come before others' transactions have ended. */
const ROUNDS_AFTER_NEWS = 2

/**
 * Returns a function that tells whether this node has written any event since it told so last: rounds that follow up on
 * writes are not needed on a node at rest.
 */
export function sinceNews(
  dispatcher: { onPublish(hear: (events: readonly StoredEvent[]) => void): void },
  elapsed: () => number = () => performance.now(),
): () => boolean {
  let rounds = ROUNDS_AFTER_NEWS
  let toldAt = elapsed()
  dispatcher.onPublish(() => (rounds = ROUNDS_AFTER_NEWS))
  return () => {
    if (rounds === 0 && elapsed() - toldAt < AT_LEAST_EVERY_MS) return false
    rounds = Math.max(0, rounds - 1)
    toldAt = elapsed()
    return true
  }
}
