import type { Sql } from '../db/database.js'

/** Another node's change of a channel is in effect after this time. */
const STALE_MS = 1_000

/**
 * Which contact centers have channels that offer conversations or limit pulls: all others are spared the locks and
 * wake-ups of assignment.
 */
export class AssignmentCache {
  #offering: ReadonlySet<string> = new Set()
  #limiting: ReadonlySet<string> = new Set()
  #readAt = -Infinity
  #reading: Promise<void> | null = null

  constructor(private readonly sql: Sql) {}

  /** Level-1 organizations with channels whose conversations the server offers or assigns. */
  get offering(): ReadonlySet<string> {
    this.#refresh()
    return this.#offering
  }

  limitsPulls(org1: string): boolean {
    this.#refresh()
    return this.#limiting.has(org1)
  }

  /** Reads anew: after a change of this node, and at the start. */
  async read(): Promise<void> {
    const rows = await this.sql.query<{ org1: string; offers: boolean; limits: boolean }>(
      `select org1, bool_or(assignment ->> 'mode' <> 'pull') as offers, bool_or((assignment ->> 'limitPulls')::boolean) as limits
       from channel where assignment is not null group by org1`,
      [],
      'assignments',
    )
    this.#offering = new Set(rows.filter(({ offers }) => offers).map(({ org1 }) => org1))
    this.#limiting = new Set(rows.filter(({ limits }) => limits).map(({ org1 }) => org1))
    this.#readAt = performance.now()
  }

  #refresh(): void {
    if (this.#reading || performance.now() - this.#readAt < STALE_MS) return
    // What is known stays in use if the database does not answer.
    this.#reading = this.read()
      .catch(() => undefined)
      .finally(() => (this.#reading = null))
  }
}
