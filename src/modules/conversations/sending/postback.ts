import { reading } from '../../../platform/db/sql.js'
import { BadUserInput, Forbidden } from '../../../platform/errors.js'
import { isPlainObject } from '../../../platform/json.js'
import { parseRequestJson } from '../../../platform/request-json.js'
import { MESSAGE_FIELDS, parseMessage, type NewMessage } from '../../messages/message-content.js'
import type { MessageType } from '../../messages/message-enums.js'
import type { Sender } from '../messages/members.js'
import type { ConversationChange } from '../state/conversation-change.js'

const MESSAGES_MAX = 10
const TYPES: readonly MessageType[] = ['chat', 'postback', 'form', 'field']

/**
 * Returns the messages that a clicked postback button adds (2.10), if its payload is a JSON object or array of
 * messages. None for any other payload: an intent. They count as the consumer's, whoever passes on the click, so that
 * the author of a button cannot make a bot run commands.
 * @param click a message as its sender may send it
 * @throws BadUserInput for invalid messages; Forbidden for messages that a consumer may not send
 */
export function messagesOfPostback({ type, role, text, actions }: NewMessage): NewMessage[] {
  const [clicked] = actions
  const isClick = type === 'postback' && role === 'contact' && clicked?.type === 'postback' && clicked.payload === text
  const payload = isClick ? parsedJson(text) : undefined
  const elements: unknown[] = Array.isArray(payload) ? payload : [payload]
  if (!elements.every(isMessage)) return []
  if (elements.length > MESSAGES_MAX) {
    throw new BadUserInput(
      'text',
      `text: a payload of ${elements.length} messages; at most ${MESSAGES_MAX} are allowed`,
    )
  }
  return elements.map((element, index) => {
    const newMessage = parseMessage({ role: 'contact', ...element }, Array.isArray(payload) ? `text[${index}]` : 'text')
    const isOther =
      newMessage.role !== 'contact' || newMessage.user !== null || newMessage.isBackchannel || newMessage.delayMs > 0
    if (isOther || !TYPES.includes(newMessage.type)) {
      throw new Forbidden(
        'messages of a postback must have the role contact, no delay, and a type that a consumer may send',
      )
    }
    return newMessage
  })
}

const OFFERED =
  reading(`select 1 from message m where m.conversation_id = $1 and m.role <> 'contact' and not m.is_backchannel
  and jsonb_path_exists(jsonb_build_array(m.actions, m.items), '$.** ? (@.type == "postback" && @.payload == $text)',
    jsonb_build_object('text', $2::text)) limit 1`)

/**
 * Returns the sender of a clicked button's messages. If somebody else did offer this button in the conversation, they
 * may name any form (2.10): a consumer that makes up a payload must not learn which forms there are.
 * @param changes the click and the messages that it adds
 */
export async function senderOfClick(
  { sql, conversation }: ConversationChange,
  sender: Sender,
  [click, ...added]: readonly NewMessage[],
): Promise<Sender> {
  const namesForms = added.some(({ type }) => type === 'form' || type === 'field')
  if (!namesForms || sender.mayNameForms === true) return sender
  const rows = await sql.query(OFFERED, [conversation.id, click!.text])
  return rows.length > 0 ? { ...sender, mayNameForms: true } : sender
}

/** Tells whether the value is an object with content and only fields of a message. */
function isMessage(value: unknown): value is Record<string, unknown> {
  if (!isPlainObject(value)) return false
  const says = ['text', 'actions', 'items'].some((key) => Object.hasOwn(value, key))
  return says && Object.keys(value).every((key) => MESSAGE_FIELDS.includes(key as never))
}

function parsedJson(text: string): unknown {
  try {
    return parseRequestJson(text, 'text')
  } catch {
    return undefined
  }
}
