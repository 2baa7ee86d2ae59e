import type { ReadSql } from './sql.js'

/** Another node's change is in effect after this time. */
export const STALE_MS = 1_000

/**
 * Keeps a value of the database in memory, and reads it anew before it answers with one older than a second: what other
 * nodes change is heard without Redis, also by a node that had nothing to do. While the database does not answer, the last
 * value stays in use.
 */
export class FreshValue<T> {
  #value: T
  /** Start of the read that gave the value. */
  #readAt = -Infinity
  #reading: Promise<void> | null = null

  constructor(
    initial: T,
    private readonly sql: ReadSql,
    private readonly load: (sql: ReadSql) => Promise<T>,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    this.#value = initial
  }

  /**
   * Returns the value, at most a second old.
   * @param sql within a transaction, its own: it must not wait for a second connection
   */
  async get(sql?: ReadSql): Promise<T> {
    // What others began may fail with their transaction.
    for (let tries = 0; tries < 2 && this.elapsed() - this.#readAt > STALE_MS; tries++) {
      this.#reading ??= this.read(sql)
        .catch(() => undefined)
        .finally(() => (this.#reading = null))
      await this.#reading
    }
    return this.#value
  }

  /** Reads anew: after a change of this node, and at the start. */
  async read(sql = this.sql): Promise<void> {
    const startedAt = this.elapsed()
    const value = await this.load(sql)
    // Of reads that overtake each other the later one counts.
    if (startedAt < this.#readAt) return
    this.#value = value
    this.#readAt = startedAt
  }
}
