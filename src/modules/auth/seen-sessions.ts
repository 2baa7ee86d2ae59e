import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { isOpenSql } from './token-families.js'
import { lastUsed } from '../../platform/last-used.js'

/** The time of a session's last use is this exact. */
const EVERY_MS = 5 * 60_000
const REMEMBERED_MAX = 100_000

/** Notes when sign-ins were last used, each at most once in five minutes. Nobody waits for it, and a failure is made up for by the next. */
export class SeenSessions {
  readonly #seen = lastUsed<number>(REMEMBERED_MAX)

  constructor(private readonly options: { sql: Sql; clock: Clock }) {}

  /** Takes note of what the database has, so that it is not written sooner than needed. */
  learn(family: string, at: Date): void {
    this.#seen.set(family, at.getTime())
  }

  /** Notes that a session is in use, if it is known. */
  note(family: string): void {
    const { clock, sql } = this.options
    const now = clock.now()
    const last = this.#seen.get(family)
    if (last === undefined || now.getTime() - last < EVERY_MS) return
    this.#seen.set(family, now.getTime())
    // The next use writes it instead.
    void sql.query(NOTE, [family, now], 'note-seen-session').catch(() => this.#seen.set(family, last))
  }
}

/** A row that somebody else writes is written anyway. What has ended, as for want of use, is not used again. */
const NOTE = `
update token_family set seen_at = $2 where id in (
  select id from token_family f where id = $1 and ${isOpenSql('f', '$2')}
    and coalesce(seen_at, created_at) <= $2::timestamptz - interval '${EVERY_MS} milliseconds'
  for no key update skip locked)`
