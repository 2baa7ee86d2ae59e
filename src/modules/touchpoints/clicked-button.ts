import { buttonAt } from '../conversations/api/buttons.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput } from '../../platform/errors.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { Action, PostbackAction, ReplyAction } from '../messages/actions.js'
import type { MessageRow } from '../messages/message-row.js'
import { parseClickReference } from './click-reference.js'

export interface Click {
  service: string
  /** The person's addresses at the service. */
  senders: readonly string[]
  /** Payload sent back by the platform. */
  payload: string
  title: string
  /** Type for a button that is not ours: the page's own menu has postbacks. */
  type: 'reply' | 'postback'
}

/**
 * Returns the button that a person pressed on the platform: one of a message that was sent to this person, or one of
 * the page itself, which is passed on unchanged. Null for a reference to a message that this person never got.
 */
export async function clickedButton(
  sql: Sql,
  { service, senders, payload, title, type }: Click,
): Promise<ReplyAction | PostbackAction | null> {
  const reference = parseClickReference(payload)
  if (!reference) return { type, text: title, payload }
  const [row] = await sql.query<Record<string, unknown>>(
    `select m.actions, m.items from message m
     join conversation c on c.id = m.conversation_id
     join contact_handle h on h.contact_id = c.contact_id
     where m.id = $1 and h.service_id = $2 and h.address = any($3::text[]) and m.role = 'agent' and not m.is_backchannel`,
    [reference.message, service, senders],
  )
  const button = row ? buttonOrNull(camelRow<MessageRow>(row), reference) : null
  return button?.type === 'reply' || button?.type === 'postback' ? button : null
}

/** Returns null if the message has changed since it was sent and lacks the button. */
function buttonOrNull(message: MessageRow, place: { action: number; item?: number | null }): Action | null {
  try {
    return buttonAt(message, place)
  } catch (error) {
    if (error instanceof BadUserInput) return null
    throw error
  }
}
