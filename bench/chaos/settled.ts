import type pg from 'pg'
import { sleep } from './victim.js'

const SETTLE_MS_MAX = 30_000

/** Waits until the delayed rules are done and `isSettled` holds too, for 30 s at most. @returns the time this took, in ms */
export async function untilJobsAreDone(
  sql: pg.Client,
  isSettled: () => Promise<boolean> = async () => true,
): Promise<number> {
  const since = performance.now()
  while (performance.now() - since < SETTLE_MS_MAX) {
    const { rows } = await sql.query<{ waiting: number }>(
      `select count(*)::int as waiting from job where run_at < 'infinity'`,
    )
    if (rows[0]!.waiting === 0 && (await isSettled())) break
    await sleep(200)
  }
  return performance.now() - since
}
