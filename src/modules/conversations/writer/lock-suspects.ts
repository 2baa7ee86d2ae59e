import type { Sql } from '../../../platform/db/database.js'
import { isLockTimeout } from '../../../platform/db/sql-errors.js'
import type { NewEvent } from '../../../platform/events/event.js'
import type { LockedStreams } from './locked-streams.js'
import type { PendingWrite } from './pending-write.js'

/** A transaction waited too long for a lock and was rolled back. */
export class LockWaitTooLong extends Error {
  /** @param suspects operations that may need the lock; a single one certainly does */
  constructor(
    readonly suspects: ReadonlySet<PendingWrite>,
    cause?: unknown,
  ) {
    super(`${suspects.size} operations may need a lock that another transaction holds`, { cause })
  }
}

/**
 * Finds the operation that a transaction is waiting for. A lock timeout does not name the locked row, but the
 * statement that timed out belongs to certain operations, and the counters of streams can be probed.
 */
export class LockSuspects {
  #suspects: readonly PendingWrite[] | null = null
  #isOfAppend = false
  readonly #appends: { write: PendingWrite; events: readonly NewEvent[] }[] = []

  constructor(
    private readonly writes: readonly PendingWrite[],
    private readonly lockedStreams: LockedStreams,
  ) {}

  /** Suspects these operations if the statement ends with a lock timeout. */
  during<T>(writes: readonly PendingWrite[], statement: Promise<T>): Promise<T> {
    return statement.catch((error: unknown) => {
      if (isLockTimeout(error)) this.#suspects ??= writes
      throw error
    })
  }

  /** Suspects the operations whose streams are locked if the append ends with a lock timeout. */
  duringAppend<T>(append: Promise<T>): Promise<T> {
    return append.catch((error: unknown) => {
      this.#isOfAppend ||= this.#suspects === null && isLockTimeout(error)
      throw error
    })
  }

  appends(write: PendingWrite, events: readonly NewEvent[]): void {
    this.#appends.push({ write, events })
  }

  /**
   * Refuses operations on streams that are known to be locked, except those in the bulkhead `blocked`, which find out when the
   * lock is released.
   * @throws LockWaitTooLong
   */
  refuseLocked(): void {
    if (this.lockedStreams.isEmpty || this.writes.length === 1) return
    const waiting = this.#needing(this.lockedStreams)
    if (waiting.size > 0) throw new LockWaitTooLong(waiting)
  }

  committed(): void {
    if (this.lockedStreams.isEmpty) return
    for (const stream of this.#streams()) this.lockedStreams.free(stream)
  }

  /** Returns the suspects; all operations if there are none. @param sql a connection outside the failed transaction */
  async find(sql: Sql): Promise<ReadonlySet<PendingWrite>> {
    if (this.#suspects !== null && this.#suspects.length > 0) return new Set(this.#suspects)
    const suspects = this.#isOfAppend ? await this.#findByStreams(sql) : new Set<PendingWrite>()
    return suspects.size > 0 ? suspects : new Set(this.writes)
  }

  async #findByStreams(sql: Sql): Promise<Set<PendingWrite>> {
    const rows = await sql.query<{ name: string }>(LOCKED_STREAMS, [[...this.#streams()]])
    const locked = rows.map(({ name }) => name)
    this.lockedStreams.note(locked)
    return this.#needing(new Set(locked))
  }

  #streams(): Set<string> {
    return new Set(this.#appends.flatMap(({ events }) => events.map(({ stream }) => stream)))
  }

  #needing(streams: { has(stream: string): boolean }): Set<PendingWrite> {
    const needing = this.#appends.filter(({ events }) => events.some(({ stream }) => streams.has(stream)))
    return new Set(needing.map(({ write }) => write))
  }
}

const LOCKED_STREAMS = `
with free as (select name from stream where name = any($1::text[]) for no key update skip locked)
select s.name from stream s where s.name = any($1::text[]) and s.name not in (select name from free)`
