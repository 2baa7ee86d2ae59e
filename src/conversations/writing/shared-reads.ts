/**
 * What the operations of one transaction read in common, each once: as of the first that asks for it. All of them were
 * accepted before the transaction began, so whatever was committed before a client asked is seen.
 */
export class SharedReads {
  readonly #reads = new Map<string, Promise<unknown>>()

  /** @param key names what is read and all that it depends on. The answer is shared: nobody may change it */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    let answer = this.#reads.get(key) as Promise<T> | undefined
    if (!answer) {
      this.#reads.set(key, (answer = read()))
      // Nobody may be waiting for what was asked for ahead; the transaction fails with it all the same.
      answer.catch(() => undefined)
    }
    return answer
  }
}
