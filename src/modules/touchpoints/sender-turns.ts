import { setTimeout as sleep } from 'node:timers/promises'

/** A message waits at most this long for earlier ones of its sender, so that one that is stuck delays no others. */
const WAIT_MS_MAX = 2_000

/**
 * Lets messages of one sender be taken one after the other. Concurrent ones of a new consumer, or one that a provider
 * repeats at once, would be refused by a unique key after they had written, and whole batches would be repeated with
 * them. This is only for speed: the keys are what keeps messages unique, also among nodes.
 */
export class SenderTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  /**
   * @param sender messages of different senders do not wait for each other
   * @param take told whether it has waited for another
   */
  async during<Result>(sender: string, take: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
    const earlier = this.#last.get(sender)
    const taken = earlier ? waitFor(earlier).then(() => take(true)) : take(false)
    const settled = taken.catch(() => undefined)
    this.#last.set(sender, settled)
    try {
      return await taken
    } finally {
      if (this.#last.get(sender) === settled) this.#last.delete(sender)
    }
  }
}

async function waitFor(earlier: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  await Promise.race([earlier, sleep(WAIT_MS_MAX, undefined, { signal: timer.signal })])
  timer.abort()
}
