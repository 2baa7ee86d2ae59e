import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../../platform/db/database.js'

/** Time for which they are passed over. */
const STUCK_MS = 3_000
/** Between two looks: longer than a usual transaction takes. */
const BETWEEN_MS = 250

/**
 * Conversations and agents whose rows one transaction has held for longer than usual: they are passed over for a time. What
 * nodes that write by turns have locked is not stuck.
 */
export class Stuck {
  /** Until when, by `performance.now()`. */
  readonly #until = new Map<string, number>()
  #suspects = { conversations: new Set<string>(), agents: new Set<string>() }
  #looking: Promise<void> | null = null

  /** @param sql for statements that need not be durable */
  constructor(private readonly sql: Sql) {}

  has(id: string): boolean {
    return (this.#until.get(id) ?? 0) > performance.now()
  }

  /** Looks at the rows of an offer that could not be written because of a lock; those of one tick together. */
  suspect(conversation: string, agent: string): Promise<void> {
    this.#suspects.conversations.add(conversation)
    this.#suspects.agents.add(agent)
    return (this.#looking ??= new Promise((resolve) => setImmediate(resolve)).then(() => this.#look()))
  }

  async #look(): Promise<void> {
    const { conversations, agents } = this.#suspects
    this.#suspects = { conversations: new Set(), agents: new Set() }
    this.#looking = null
    const before = await this.#holders([...conversations], [...agents])
    if (before.size === 0) return
    await sleep(BETWEEN_MS)
    const held = [...before.keys()]
    const after = await this.#holders(held, held)
    const now = performance.now()
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id)
    for (const [id, holder] of before) if (after.get(id) === holder) this.#until.set(id, now + STUCK_MS)
  }

  async #holders(conversations: readonly string[], agents: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sql.query<{ id: string; holder: string }>(HOLDERS, [conversations, agents], 'offer-holders')
    return new Map(rows.map(({ id, holder }) => [id, holder]))
  }
}

/** Shared locks: those of two nodes that look do not find each other. `xmax` is the transaction that has locked a row. */
const HOLDERS = `
with c as (select id from conversation where id = any($1::uuid[]) for share skip locked),
s as (select user_id as id from staff where user_id = any($2::uuid[]) for share skip locked)
select id, xmax::text as holder from conversation where id = any($1::uuid[]) and id not in (select id from c)
union all
select user_id, xmax::text from staff where user_id = any($2::uuid[]) and user_id not in (select id from s)`
