import type { Context } from '../../../platform/context.js'
import { tenantSql } from '../../../platform/db/tenancy.js'

/** Larger counts are told as "more than". */
export const VIEW_COUNT_MAX = 1_000

export interface BoundedCount {
  count: number
  isMore: boolean
}

/**
 * Counts the conversations that each of the conditions fits, of those that the caller sees, in one statement.
 * @param conditions SQL over `t`, with their values in `values`
 * @returns counts in the order of the conditions
 */
export async function countConversations(
  ctx: Context,
  conditions: readonly string[],
  values: unknown[] = [],
): Promise<BoundedCount[]> {
  if (conditions.length === 0) return []
  const tenant = tenantSql(ctx.tenant, 't', values)
  const counts = conditions.map(
    (condition, index) => `(select count(*) from (
      select from conversation t where ${tenant} and ${condition} limit ${VIEW_COUNT_MAX + 1}) x)::int as "${index}"`,
  )
  const [row] = await ctx.lists.query<Record<string, number>>(`select ${counts.join(', ')}`, values)
  return conditions.map((_, index) => {
    const count = row![index]!
    return { count: Math.min(count, VIEW_COUNT_MAX), isMore: count > VIEW_COUNT_MAX }
  })
}
