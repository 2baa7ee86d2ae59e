import { FreshValue } from '../../platform/db/fresh-value.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'

interface Assigning {
  /** Level-1 organizations with channels whose conversations the server offers or assigns. */
  offering: ReadonlySet<string>
  /** Those with channels that limit pulls. */
  limiting: ReadonlySet<string>
  /** Those with channels after whose conversations agents wrap up. */
  wrapping: ReadonlySet<string>
}

const NONE: Assigning = { offering: new Set(), limiting: new Set(), wrapping: new Set() }

/**
 * Remembers which contact centers have channels that offer conversations or limit pulls: all others are spared the
 * locks and wake-ups of assignment.
 */
export class AssignmentCache {
  readonly #assigning: FreshValue<Assigning>

  constructor(sql: ReadSql) {
    this.#assigning = new FreshValue(NONE, sql, async (on) => {
      const rows = await on.query<{ org1: string; offers: boolean; limits: boolean; wraps: boolean }>(
        reading(`select org1, bool_or(assignment ->> 'mode' <> 'pull') as offers, bool_or((assignment ->> 'limitPulls')::boolean) as limits,
           bool_or(assignment ->> 'wrapUpSeconds' is not null) as wraps
         from channel where assignment is not null group by org1`),
        [],
        'assignments',
      )
      return {
        offering: new Set(rows.filter(({ offers }) => offers).map(({ org1 }) => org1)),
        limiting: new Set(rows.filter(({ limits }) => limits).map(({ org1 }) => org1)),
        wrapping: new Set(rows.filter(({ wraps }) => wraps).map(({ org1 }) => org1)),
      }
    })
  }

  /**
   * Returns the contact centers with channels whose conversations the server offers or assigns.
   * @param sql of the caller's transaction
   */
  async offering(sql?: ReadSql): Promise<ReadonlySet<string>> {
    return (await this.#assigning.get(sql)).offering
  }

  /** Tells whether accepts in a contact center are held against what its agents have. */
  async holdsAccepts(tenant: string): Promise<boolean> {
    const { offering, limiting } = await this.#assigning.get()
    return offering.has(tenant) || limiting.has(tenant)
  }

  /** Tells whether agents in a contact center wrap up. @param sql of the caller's transaction */
  async wrapsUp(tenant: string, sql: ReadSql): Promise<boolean> {
    return (await this.#assigning.get(sql)).wrapping.has(tenant)
  }

  /** Reads anew: after a change of this node, and at the start. */
  read(): Promise<void> {
    return this.#assigning.read()
  }
}
