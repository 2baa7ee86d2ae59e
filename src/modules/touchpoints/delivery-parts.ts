import type { Sql } from '../../platform/db/database.js'

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

  async note(part: number, providerId: string): Promise<void> {
    await this.sql.query(
      'insert into delivery_part (delivery_id, part, provider_id) values ($1, $2, $3) on conflict do nothing',
      [this.delivery, part, providerId],
    )
  }
}
