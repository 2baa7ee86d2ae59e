import { reading } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { viewersOf } from '../../../platform/presence/viewers.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { displayNameOf, type Named } from '../../users/user.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { putInInbox } from '../state/inbox-reason.js'

/**
 * Puts the conversation into the inbox of whoever forwarded what was answered, unless that user has it open. The consumer waits no
 * more than before, so that nothing else tells of the answer.
 */
export async function tellWhoForwarded(
  change: ConversationChange,
  { forwarding, message }: { forwarding: string; message: string },
): Promise<void> {
  const [row] = await change.sql.query<Record<string, unknown>>(
    WHO,
    [forwarding, pathOf(change.conversation)],
    'who-forwarded',
  )
  if (!row) return
  const user = camelRow<Named & { id: string; avatar: string | null; role: string }>(row)
  if ((await viewersOf(change.sql, change.conversation.id)).has(user.id)) return
  const participant = change.join({
    userId: user.id,
    name: displayNameOf(user),
    avatar: user.avatar,
    role: user.role,
  })
  if (!participant.inbox) putInInbox(participant, 'forwardAnswered', message)
}

const WHO = reading(`
select u.id, u.display_name, u.given_name, u.additional_name, u.family_name, u.avatar, u.role
from message m join app_user u on u.id = m.user_id
where m.id = $1 and u.organization_id = any($2::uuid[]) and u.status = 'active'`)
