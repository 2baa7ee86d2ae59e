import { reading } from '../../../platform/db/sql.js'
import { consumerVisibleSql } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'

/**
 * Tells whether a consumer's message crossed an answer: it was written when the page did not show the answer yet.
 * @param seen id of the last message that the page showed, as it was sent or as it was copied by a merge
 * @returns null if the conversation has no such message any more
 */
export async function crossesAnswer(
  { sql, conversation, earlier }: ConversationChange,
  seen: string | null,
): Promise<boolean | null> {
  if (seen === null) return null
  if (earlier?.lastMessageId === seen) return false
  const rows = await sql.query<{ crosses: boolean }>(CROSSES, [conversation.id, seen], 'crosses-answer')
  return rows[0]?.crosses ?? null
}

const CROSSES = reading(`
select exists (
  select from message m where m.conversation_id = $1 and m.position > s.position and m.role = 'agent'
    and ${consumerVisibleSql('m')}) as crosses
from message s where s.conversation_id = $1 and (s.id = $2 or s.original_id = $2)
order by s.position desc limit 1`)
