import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'

/** The time of a session's last use is this exact. */
const EVERY_MS = 5 * 60_000
const REMEMBERED_MAX = 100_000

/** Notes when sign-ins were last used, each at most once in five minutes. Nobody waits for it, and a failure is made up for by the next. */
export class SeenSessions {
  readonly #seen = new LRUCache<string, number>({ max: REMEMBERED_MAX })

  constructor(private readonly options: { sql: Sql; clock: Clock }) {}

  /** Takes note of what the database has, so that it is not written sooner than needed. */
  learn(family: string, at: Date): void {
    this.#seen.set(family, at.getTime())
  }

  /** Notes that these are in use, of those that are known. */
  note(families: readonly string[]): void {
    const { clock, sql } = this.options
    const now = clock.now()
    const due = families.filter((family) => now.getTime() - (this.#seen.get(family) ?? Infinity) >= EVERY_MS)
    if (due.length === 0) return
    for (const family of due) this.#seen.set(family, now.getTime())
    void sql.query(NOTE, [due, now], 'note-seen-sessions').catch(() => undefined)
  }
}

/** A row that somebody else writes is written anyway, or has ended. */
const NOTE = `
update token_family set seen_at = $2 where id in (
  select id from token_family where id = any($1::uuid[]) and revoked_at is null
    and seen_at <= $2::timestamptz - interval '${EVERY_MS} milliseconds'
  for no key update skip locked)`
