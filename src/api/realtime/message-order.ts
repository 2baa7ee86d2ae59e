import type { LoopTurns } from '../../platform/fairness/loop-turns.js'

/** A socket begins with these messages: the sign-in and its first operation. */
const FIRST = 2

/**
 * Handles a socket's messages in the order they came. The first ones go in slices of the event loop: a thousand sockets
 * that come back send them in one turn.
 */
export class MessageOrder {
  #first = 0
  /** Messages that have come and are not handled yet. */
  #waiting = 0

  constructor(private readonly turns: LoopTurns) {}

  run(handle: () => void): void {
    if (this.#waiting === 0 && this.#first === FIRST) return handle()
    if (this.#first < FIRST) this.#first += 1
    this.#waiting += 1
    this.turns.run(() => {
      this.#waiting -= 1
      handle()
    })
  }
}
