import type { AssignmentCache } from '../../channels/assignment-cache.js'
import { reading } from '../../../platform/db/sql.js'
import { wrapUp } from '../../staffing/wrap-up.js'
import type { ConversationChange } from '../state/conversation-change.js'

const SECONDS = reading(
  `select max((assignment ->> 'wrapUpSeconds')::int) as seconds from channel where id = any($1::uuid[])`,
)

/**
 * Adds to operations that close a conversation what makes its agents wrap up, for the longest time of its channels. Derived
 * from the difference, so that no way of closing can forget it.
 */
export async function addWrapUps(assignments: AssignmentCache, changes: readonly ConversationChange[]): Promise<void> {
  for (const change of changes) {
    const { conversation, closedFor, sql, now } = change
    if (closedFor.length === 0 || conversation.type !== 'contact') continue
    if (!(await assignments.wrapsUp(conversation.org1, sql))) continue
    const rows = await sql.query<{ seconds: number | null }>(SECONDS, [conversation.caseChannels], 'wrap-up-seconds')
    const seconds = rows[0]?.seconds
    if (!seconds) continue
    for (const user of closedFor) change.addJob(wrapUp(user, conversation.id, now.getTime() + seconds * 1_000))
  }
}
