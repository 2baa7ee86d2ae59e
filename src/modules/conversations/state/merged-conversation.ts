import { reading, type ReadSql, type Sql } from '../../../platform/db/sql.js'
import { isId } from '../../../platform/db/clock.js'
import { NotFound, Unprocessable } from '../../../platform/errors.js'
import type { ConversationState } from './conversation-state.js'

/**
 * SQL of a recursive query `line`: conversation `$1` and those into which it was merged, one after the other, including
 * deleted ones. Ends, since an archived conversation is never a target again.
 */
export const MERGES = `line as (
  select $1::uuid as id, null::timestamptz as since, 0 as step
  union all
  select m.target_id, m.created_at, l.step + 1 from line l join conversation_merge m on m.origin_id = l.id
)`

/**
 * Returns the conversation that now has the messages of `id`: itself, or the one into which it was merged (4.8). Null
 * if that was deleted, or archived without a target.
 */
export async function mergedInto(sql: ReadSql, id: string): Promise<string | null> {
  if (!isId(id)) return null
  const rows = await sql.query<{ id: string }>(
    reading(`with recursive ${MERGES}
     select c.id from line l join conversation c on c.id = l.id and c.status <> 'archived' order by l.step desc limit 1`),
    [id],
    'merged-into',
  )
  return rows[0]?.id ?? null
}

/** @throws Unprocessable for a conversation that was merged into another one, as {@link isOfMerged} tells */
export function requireUnmerged({ status }: Pick<ConversationState, 'status'>): void {
  if (status === 'archived')
    throw new Unprocessable('the conversation was merged into another one', { reason: 'CONVERSATION_STATUS', status })
}

/** Tells whether an operation was refused since its conversation was merged into another one. */
export const isOfMerged = (error: unknown): boolean =>
  error instanceof Unprocessable && error.details.status === 'archived'

/** Maximum number of attempts if the conversation is merged again during one. */
const TRIES_MAX = 5

/**
 * Runs an accepted operation in its conversation or, if that has since been merged, in the one that has its messages
 * now (4.8).
 */
export async function inMergedConversation<T>(sql: ReadSql, id: string, run: (id: string) => Promise<T>): Promise<T> {
  let conversation = id
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(conversation)
    } catch (error) {
      const isGone = error instanceof NotFound || isOfMerged(error)
      const target = isGone && tries < TRIES_MAX ? await mergedInto(sql, conversation) : null
      if (target === null || target === conversation) throw error
      conversation = target
    }
  }
}

/** Deletes records of merges that begin at a deleted conversation and that no other record leads to. */
export async function pruneMerges(sql: Sql): Promise<void> {
  await sql.query(
    `delete from conversation_merge m where not exists (select 1 from conversation c where c.id = m.origin_id)
       and not exists (select 1 from conversation_merge e where e.target_id = m.origin_id)`,
  )
}
