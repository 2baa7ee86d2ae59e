import type { Database } from '../../src/platform/db/database.js'

/** Has every connection that is free tell PostgreSQL what it has read: by itself it does so up to ten seconds later. */
export async function tellStatistics({ pool }: Database): Promise<void> {
  await Promise.all(Array.from({ length: pool.idleCount }, () => pool.query('select pg_stat_force_next_flush()')))
}
