import { FreshValue } from '../../platform/db/fresh-value.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'

/** Remembers which contact centers have SLA policies: all others are spared the statements that choose one. */
export class PolicyCache {
  readonly #centers: FreshValue<ReadonlySet<string>>

  constructor(sql: ReadSql) {
    this.#centers = new FreshValue<ReadonlySet<string>>(new Set(), sql, async (on) => {
      const rows = await on.query<{ org1: string }>(
        reading('select distinct org1 from sla_policy'),
        [],
        'policy-centers',
      )
      return new Set(rows.map(({ org1 }) => org1))
    })
  }

  /** Tells whether a contact center, or one below it, has policies. @param sql of the caller's transaction */
  async has(tenant: string, sql: ReadSql): Promise<boolean> {
    return (await this.#centers.get(sql)).has(tenant)
  }

  /** Reads anew: after a change of this node, and at the start. */
  read(): Promise<void> {
    return this.#centers.read()
  }
}
