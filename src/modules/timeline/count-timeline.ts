import type { Context } from '../../platform/context.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import type { TimelineKind } from './timeline-entry.js'
import { timelineSql } from './timeline-sql.js'

/** Counts are exact up to here. */
const COUNTED_MAX = 100_000

/** Counts the entries of a timeline, on request. */
export async function countTimeline(
  ctx: Context,
  contacts: readonly string[],
  kinds: readonly TimelineKind[],
): Promise<number> {
  if (kinds.length === 0) return 0
  const values: unknown[] = [contacts]
  const text = timelineSql({
    kinds,
    limit: COUNTED_MAX,
    tenant: (alias) => tenantSql(ctx.tenant, alias, values),
    within: () => 'true',
  })
  const [row] = await ctx.lists.query<{ count: number }>(`select count(*)::int as count from (${text}) counted`, values)
  return row!.count
}
