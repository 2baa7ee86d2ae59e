/** Tells the touchpoints, which subscribe to no conversation, that somebody types an answer. */
export class TypingSigns {
  #shown: (conversation: string) => void = () => undefined

  /** @param shown must neither throw nor wait */
  onTyping(shown: (conversation: string) => void): void {
    this.#shown = shown
  }

  tell(conversation: string): void {
    this.#shown(conversation)
  }
}
