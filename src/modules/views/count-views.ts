import type { Context } from '../../platform/context.js'
import { sqlStateOf } from '../../platform/db/sql-errors.js'
import { BadUserInput, DomainError } from '../../platform/errors.js'
import { lastUsed } from '../../platform/last-used.js'
import { filterScope } from '../../platform/lists/filter-scope.js'
import { whereSql } from '../../platform/lists/where.js'
import { countConversations, type BoundedCount } from '../conversations/api/count-conversations.js'
import { conversationList } from '../conversations/api/conversation-list.js'
import type { View } from './view.js'

/** Views that took too long by themselves: a screen asks again every ten seconds, and each time the database would give up. */
const TOO_LONG = lastUsed<true>(10_000, { ttl: 600_000 })
/** Time for which views are counted one by one. */
const EACH_MS_MAX = 10_000

/**
 * Counts the conversations of views that the caller sees, in their order. What one of them costs is no matter of the others: if they
 * cannot be counted together, they are counted one by one.
 * @returns null for a view that takes too long, or whose stored filter the database refuses
 */
export async function countViews(ctx: Context, views: readonly View[]): Promise<(BoundedCount | null)[]> {
  const keyOf = ({ id, version }: View): string => `${id} ${version} ${ctx.caller.organization}`
  const tried = views.filter((view) => !TOO_LONG.has(keyOf(view)))
  const counts = new Map<View, BoundedCount>()
  const count = async (some: readonly View[]): Promise<DomainError['code'] | null> => {
    try {
      for (const [index, each] of (await countTogether(ctx, some)).entries()) counts.set(some[index]!, each)
      return null
    } catch (error) {
      return ofView(error)
    }
  }
  if ((await count(tried)) !== null) {
    const endsMs = ctx.now().getTime() + EACH_MS_MAX
    for (const view of tried) {
      if (ctx.now().getTime() > endsMs) break
      if ((await count([view])) === 'UNPROCESSABLE') TOO_LONG.set(keyOf(view), true)
    }
  }
  return views.map((view) => counts.get(view) ?? null)
}

function countTogether(ctx: Context, views: readonly View[]): Promise<BoundedCount[]> {
  const values: unknown[] = []
  const scope = filterScope(ctx, values)
  const conditions = views.map(({ filter }) => whereSql(conversationList.fields, filter, values, scope))
  return countConversations(ctx, conditions, values)
}

/** Returns the code of an error that a filter causes; UNPROCESSABLE: it takes too long. @throws any other */
function ofView(error: unknown): DomainError['code'] {
  if (error instanceof BadUserInput) return error.code
  if (error instanceof DomainError && error.details.reason === 'QUERY_TOO_LONG') return error.code
  // Class 22, data exception: a value that an earlier release took.
  if (sqlStateOf(error)?.startsWith('22')) return 'BAD_USER_INPUT'
  throw error
}
