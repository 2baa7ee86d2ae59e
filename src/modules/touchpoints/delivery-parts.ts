import type { Sql } from '../../platform/db/database.js'
import { isForeignKeyViolation } from '../../platform/limits/idempotency.js'

/**
 * Progress of a delivery that takes several calls: each part accepted by the provider is recorded before the next call,
 * so that a repeat continues after it.
 */
export class DeliveryParts {
  constructor(
    private readonly sql: Sql,
    private readonly delivery: string,
  ) {}

  /** Returns the provider's ids of the accepted parts, by part number. */
  async taken(): Promise<Map<number, string>> {
    const rows = await this.sql.query<{ part: number; id: string }>(
      'select part, provider_id as id from delivery_part where delivery_id = $1',
      [this.delivery],
    )
    return new Map(rows.map(({ part, id }) => [part, id]))
  }

  /**
   * Makes the calls of a delivery in order, but for those that were accepted before, as long as its message is there.
   * @returns the provider's ids of the parts; at least one if there are parts
   */
  async makeAll<Part>(parts: readonly Part[], call: (part: Part, index: number) => Promise<string>): Promise<string[]> {
    const taken = await this.taken()
    const ids: string[] = []
    for (const [index, part] of parts.entries()) {
      const known = taken.get(index)
      const id = known ?? (await call(part, index))
      ids.push(id)
      if (known === undefined && !(await this.note(index, id))) break
    }
    return ids
  }

  /** @returns false for a delivery whose message was deleted meanwhile: nothing more of it is to be sent */
  async note(part: number, providerId: string): Promise<boolean> {
    try {
      const rows = await this.sql.query(
        `insert into delivery_part (delivery_id, part, provider_id)
         select $1, $2, $3 where exists (select 1 from delivery where id = $1)
         on conflict (delivery_id, part) do update set provider_id = delivery_part.provider_id returning 1`,
        [this.delivery, part, providerId],
      )
      return rows.length > 0
    } catch (error) {
      // It is deleted at this moment.
      if (isForeignKeyViolation(error, 'delivery_part_delivery_id_fkey')) return false
      throw error
    }
  }

  /** Forgets this part and those behind it, which are gone. */
  async forgetFrom(part: number): Promise<void> {
    await this.sql.query('delete from delivery_part where delivery_id = $1 and part >= $2', [this.delivery, part])
  }
}
