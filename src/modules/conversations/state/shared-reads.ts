import { batching } from '../../../platform/db/batching.js'
import type { ReadSql, Sql } from '../../../platform/db/sql.js'

/** Runs one statement for several operations. @returns a value for each key, in their order */
export type JointRead<Key, Value> = (sql: ReadSql, keys: readonly Key[]) => Promise<readonly Value[]>

/** The same for a statement that writes: only for operations of which a refusal undoes the whole transaction. */
export type JointWrite<Key, Value> = (sql: Sql, keys: readonly Key[]) => Promise<readonly Value[]>

/**
 * Caches reads that the operations of one transaction have in common, and joins statements that each of them needs. All operations were accepted before the
 * transaction began, so each sees everything that was committed before its client sent it.
 */
export class SharedReads {
  readonly #reads = new Map<string, Promise<unknown>>()
  readonly #joint = new Map<unknown, (key: never) => Promise<unknown>>()

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

  /** Reads for all operations that ask for the same while they decide together. It sees nothing of what they are about to write. */
  together<Key, Value>(statement: JointRead<Key, Value>, key: Key): Promise<Value> {
    return this.writeTogether(statement, key)
  }

  /** Writes for them, see `WritingChange.together`. */
  writeTogether<Key, Value>(statement: JointWrite<Key, Value>, key: Key): Promise<Value> {
    let run = this.#joint.get(statement) as ((key: Key) => Promise<Value>) | undefined
    if (!run) {
      run = batching<Key, Value>((keys) => statement(this.sql, keys))
      this.#joint.set(statement, run)
    }
    return run(key)
  }

  /**
   * Runs a statement that locks or records something on behalf of all operations of the transaction. It must be right
   * even if the operation that asks for it is refused: nothing of it is undone.
   */
  lockOnce<T>(key: string, run: (sql: Sql) => Promise<T>): Promise<T> {
    return this.once(key, () => run(this.sql))
  }
}
