const AGAIN_MS = 3_000

/** Sends the visitor's typing indicator to the agents. */
export class OwnTyping {
  /** Time of the last indicator sent; 0 if none is shown. */
  #toldAt = 0

  /** Sends the indicator at most every few seconds, and its end once. */
  set(isTyping: boolean, send: (isTyping: boolean) => void, now = Date.now()): void {
    if (isTyping ? now - this.#toldAt < AGAIN_MS : this.#toldAt === 0) return
    this.#toldAt = isTyping ? now : 0
    send(isTyping)
  }

  /** A message was sent, which ends the typing by itself. */
  said(): void {
    this.#toldAt = 0
  }
}
