import type { Context } from '../../platform/context.js'
import { filterScope } from '../../platform/lists/filter-scope.js'
import { whereSql } from '../../platform/lists/where.js'
import { countConversations, type BoundedCount } from '../conversations/api/count-conversations.js'
import { conversationList } from '../conversations/api/conversation-list.js'
import type { View } from './view.js'

/** Counts the conversations of views that the caller sees, in their order. */
export function countViews(ctx: Context, views: readonly View[]): Promise<BoundedCount[]> {
  const values: unknown[] = []
  const scope = filterScope(ctx, values)
  const conditions = views.map(({ filter }) => whereSql(conversationList.fields, filter, values, scope))
  return countConversations(ctx, conditions, values)
}
