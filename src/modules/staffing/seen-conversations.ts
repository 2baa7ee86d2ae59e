import type { LoaderDefinition } from '../../platform/context.js'
import { tenantSql } from '../../platform/db/tenancy.js'

/** Tells of conversations whether they lie in or below the caller's organization: a colleague of above has those of others, too. */
export const seenConversationsLoader: LoaderDefinition<boolean> = {
  async load(ctx, ids) {
    const values: unknown[] = [ids]
    const rows = await ctx.reads.query<{ id: string }>(
      `select c.id from conversation c where c.id = any($1::uuid[]) and ${tenantSql(ctx.tenant, 'c', values)}`,
      values,
    )
    const seen = new Set(rows.map(({ id }) => id))
    return new Map(ids.map((id) => [id, seen.has(id)]))
  },
}
