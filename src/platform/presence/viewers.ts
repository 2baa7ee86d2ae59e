import { reading, type ReadSql } from '../db/sql.js'
import { DEAD_AFTER_SECONDS } from './presence-times.js'

/** Returns the users who have the conversation open, on any node. */
export async function viewersOf(sql: ReadSql, conversation: string): Promise<Set<string>> {
  return new Set((await viewersOfEach(sql, [conversation])).get(conversation))
}

/** Returns the users who have each conversation open, on any node, in order of their ids. */
export async function viewersOfEach(sql: ReadSql, conversations: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await sql.query<{ conversation: string; users: string[] }>(
    reading(`select v.conversation_id as conversation, array_agg(distinct v.user_id order by v.user_id) as users
     from conversation_viewer v join node n on n.id = v.node_id
     where v.conversation_id = any($1::uuid[]) and v.user_id is not null
       and n.seen_at > now() - make_interval(secs => $2)
     group by v.conversation_id`),
    [conversations, DEAD_AFTER_SECONDS],
  )
  return new Map(rows.map(({ conversation, users }) => [conversation, users]))
}
