import type { Sql } from '../db/database.js'

/**
 * How far a delivery of several calls has come: what the provider took is noted before the next call, so that a repeat
 * goes on after it.
 */
export class DeliveryParts {
  constructor(
    private readonly sql: Sql,
    private readonly delivery: string,
  ) {}

  /** The provider's ids of the parts that it took, by their place. */
  async taken(): Promise<Map<number, string>> {
    const rows = await this.sql.query<{ part: number; id: string }>(
      'select part, provider_id as id from delivery_part where delivery_id = $1',
      [this.delivery],
    )
    return new Map(rows.map(({ part, id }) => [part, id]))
  }

  async note(part: number, providerId: string): Promise<void> {
    await this.sql.query(
      'insert into delivery_part (delivery_id, part, provider_id) values ($1, $2, $3) on conflict do nothing',
      [this.delivery, part, providerId],
    )
  }
}
