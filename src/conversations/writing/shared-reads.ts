/**
 * Caches reads that the operations of one transaction have in common. All operations were accepted before the
 * transaction began, so each sees everything that was committed before its client sent it.
 */
export class SharedReads {
  readonly #reads = new Map<string, Promise<unknown>>()

  /** @param key identifies the read and everything it depends on. The result is shared and must not be modified */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    let answer = this.#reads.get(key) as Promise<T> | undefined
    if (!answer) {
      this.#reads.set(key, (answer = read()))
      // A prefetched read may have no reader to handle its error; the transaction fails with it anyway.
      answer.catch(() => undefined)
    }
    return answer
  }
}
