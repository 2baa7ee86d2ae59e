import type pg from 'pg'
import type { Stage } from '../stage.js'

const DELAYS_MS = [1_500, 3_000, 5_000, 8_000]

/** Messages that come due during a fault: each takes effect once, soon after writers do. */
export class DelayedMessages {
  private constructor(
    private readonly name: string,
    /** By text. */
    private readonly due: ReadonlyMap<string, number>,
  ) {}

  static async send({ bot, conversations }: Stage, name: string): Promise<DelayedMessages> {
    const due = new Map<string, number>()
    await Promise.all(
      DELAYS_MS.map(async (delay, index) => {
        const text = `${name} delayed ${index}`
        const path = `/conversations/${conversations[index]!}/messages`
        await bot.api.rest('POST', path, { role: 'contact', text, delay }, text)
        due.set(text, performance.timeOrigin + performance.now() + delay)
      }),
    )
    return new DelayedMessages(name, due)
  }

  /** @param resumedAt when writes were possible again, in ms since 1970 */
  async judge(sql: pg.Client, resumedAt: number): Promise<{ lost: number; doubled: number; lateMs: number }> {
    const { rows } = await sql.query<{ text: string; times: number; at: Date }>(
      `select text, count(*)::int as times, min(created_at) as at from message where text like $1 group by text`,
      [`${this.name} delayed %`],
    )
    const late = rows.map(({ text, at }) => {
      const due = this.due.get(text) ?? 0
      // What came due in the silence can only come after it.
      return at.getTime() - Math.max(due, due > resumedAt ? 0 : resumedAt)
    })
    return {
      lost: this.due.size - rows.length,
      doubled: rows.filter(({ times }) => times > 1).length,
      lateMs: Math.max(0, ...late),
    }
  }
}
