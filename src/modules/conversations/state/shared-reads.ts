import type { Sql } from '../../../platform/db/sql.js'

/**
 * Caches reads that the operations of one transaction have in common. All operations were accepted before the
 * transaction began, so each sees everything that was committed before its client sent it.
 */
export class SharedReads {
  readonly #reads = new Map<string, Promise<unknown>>()

  constructor(private readonly sql: Sql) {}

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

  /**
   * Runs a statement that locks or records something on behalf of all operations of the transaction. It must be right
   * even if the operation that asks for it is refused: nothing of it is undone.
   */
  lockOnce<T>(key: string, run: (sql: Sql) => Promise<T>): Promise<T> {
    return this.once(key, () => run(this.sql))
  }
}
