import type { Sql } from '../db/sql.js'

/** Another node's first policy of a contact center is in effect after this time. */
const STALE_MS = 1_000

/** Which contact centers have SLA policies: all others are spared the statements that choose one. */
export class PolicyCache {
  #centers: ReadonlySet<string> = new Set()
  #readAt = -Infinity
  #reading: Promise<void> | null = null

  constructor(private readonly sql: Sql) {}

  /** Whether a level-1 organization, or one below it, has policies. */
  has(org1: string): boolean {
    if (!this.#reading && performance.now() - this.#readAt > STALE_MS) {
      // What is known stays in use if the database does not answer.
      this.#reading = this.read()
        .catch(() => undefined)
        .finally(() => (this.#reading = null))
    }
    return this.#centers.has(org1)
  }

  /** Reads anew: after a change of this node, and at the start. */
  async read(): Promise<void> {
    const rows = await this.sql.query<{ org1: string }>('select distinct org1 from sla_policy', [], 'policy-centers')
    this.#centers = new Set(rows.map(({ org1 }) => org1))
    this.#readAt = performance.now()
  }
}
