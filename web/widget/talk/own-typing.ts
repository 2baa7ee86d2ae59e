const AGAIN_MS = 3_000

/** What the agents were told of the visitor's typing. */
export class OwnTyping {
  /** When they were told last that the visitor types; 0 when they believe that it does not. */
  #toldAt = 0

  /** Tells it, at most every few seconds, and the end once. */
  set(isTyping: boolean, tell: (isTyping: boolean) => void, now = Date.now()): void {
    if (isTyping ? now - this.#toldAt < AGAIN_MS : this.#toldAt === 0) return
    this.#toldAt = isTyping ? now : 0
    tell(isTyping)
  }

  /** A message was sent, which ends the typing by itself. */
  said(): void {
    this.#toldAt = 0
  }
}
