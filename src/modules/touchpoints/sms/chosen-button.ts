import type { Sql } from '../../../platform/db/database.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { TouchpointService } from '../adapter.js'
import { choicesOf, type Choice } from '../plain-text.js'

/**
 * Finds the button that a text message chooses by number or label, among those of the agent's last message by SMS: the
 * only way to press a button there (2.10, best available delivery).
 */
export async function chosenButton(
  sql: Sql,
  { organizationId }: TouchpointService,
  { from, text }: { from: { telephone?: string }; text: string },
): Promise<Choice['action'] | null> {
  const answer = text.trim().toLowerCase()
  if (answer === '' || from.telephone === undefined) return null
  const [row] = await sql.query<Record<string, unknown>>(
    `select m.actions, m.items from contact c
     join touchpoint_thread t on t.contact_id = c.id and t.touchpoint = 'sms'
     join message m on m.conversation_id = t.conversation_id
     where c.organization_id = $1 and c.telephone = $2 and m.role = 'agent' and not m.is_backchannel
     order by m.position desc limit 1`,
    [organizationId, from.telephone],
  )
  if (!row) return null
  const chosen = choicesOf(camelRow<Pick<MessageRow, 'actions' | 'items'>>(row)).find(({ number, action }) => {
    return answer === String(number) || answer === `${number}.` || answer === action.text.trim().toLowerCase()
  })
  return chosen?.action ?? null
}
