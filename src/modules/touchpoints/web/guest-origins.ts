import type { Sql } from '../../../platform/db/database.js'

/** Time for which a change of a service's origins may take to be seen. */
const KEPT_MS = 3_000

/**
 * The sites whose pages may show the web widget: those that active services of type `web` name, any once one of them
 * names none. Read at most every few seconds, whoever asks for whatever origin.
 */
export class GuestOrigins {
  #read: Promise<ReadonlySet<string> | null> | null = null
  #until = 0

  constructor(private readonly sql: Sql) {}

  /** Tells whether pages of this origin may call as guests of some service. */
  async isAllowed(origin: string): Promise<boolean> {
    const origins = await this.#origins()
    return origins === null || origins.has(origin)
  }

  /** Null: any. */
  #origins(): Promise<ReadonlySet<string> | null> {
    const now = performance.now()
    if (this.#read && now < this.#until) return this.#read
    this.#until = now + KEPT_MS
    this.#read = this.#select()
    this.#read.catch(() => (this.#until = 0))
    return this.#read
  }

  async #select(): Promise<ReadonlySet<string> | null> {
    const rows = await this.sql.query<{ origin: string | null }>(
      `select distinct named.origin from service s
       cross join lateral jsonb_array_elements_text(
         case jsonb_typeof(s.params -> 'allowedOrigins') when 'array' then s.params -> 'allowedOrigins' else '[null]' end
       ) as named (origin)
       where s.type = 'web' and s.status = 'active'`,
      [],
      'guest-origins',
    )
    return rows.some(({ origin }) => origin === null) ? null : new Set(rows.map(({ origin }) => origin!))
  }
}
