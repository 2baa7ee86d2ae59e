import { BadUserInput, Forbidden } from '../../errors.js'
import { isPlainObject } from '../../json.js'
import { parseRequestJson } from '../../request-json.js'
import { MESSAGE_FIELDS, parseMessage, type MessageDraft } from '../../messages/message-content.js'
import type { MessageType } from '../../messages/message-enums.js'

const MESSAGES_MAX = 10
const TYPES: readonly MessageType[] = ['chat', 'postback', 'form', 'field']

/**
 * The messages that a clicked postback button brings with it (2.10): those that its payload represents as a JSON object
 * or array. None when the payload is anything else: an intent like any other. They are the consumer's words, whoever
 * passes the click on: a bot that does must not be made to run the commands of whoever wrote the button.
 * @param click a message as its sender may send it
 * @throws BadUserInput for messages that are not valid; Forbidden for what a consumer may not say
 */
export function messagesOfPostback({ type, role, text, actions }: MessageDraft): MessageDraft[] {
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
    const messageDraft = parseMessage(
      { role: 'contact', ...element },
      Array.isArray(payload) ? `text[${index}]` : 'text',
    )
    const isOther =
      messageDraft.role !== 'contact' ||
      messageDraft.user !== null ||
      messageDraft.isBackchannel ||
      messageDraft.delayMs > 0
    if (isOther || !TYPES.includes(messageDraft.type)) {
      throw new Forbidden("the messages of a postback are the consumer's: of the role contact, at once, no commands")
    }
    return messageDraft
  })
}

/** An object that says something and has no other fields than a message. */
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
