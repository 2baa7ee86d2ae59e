import { BadUserInput } from '../errors.js'
import { isPlainObject } from '../json.js'
import { parseMessage, parseMessages, type MessageDraft } from '../messages/message-content.js'

/**
 * The messages that a clicked postback button brings with it (2.10): those that its payload represents as a JSON object
 * or array. None when the payload is anything else. They are the clicker's own: what the clicker may not send is
 * refused with the whole.
 */
export function messagesOfPostback({ type, text, actions }: MessageDraft): MessageDraft[] {
  const [clicked] = actions
  if (type !== 'postback' || clicked?.type !== 'postback' || clicked.payload !== text) return []
  const payload = parsedJson(text)
  try {
    if (Array.isArray(payload)) return parseMessages(payload, 'text')
    return isPlainObject(payload) ? [parseMessage(payload, 'text')] : []
  } catch (error) {
    // JSON, but no messages: an intent like any other.
    if (error instanceof BadUserInput) return []
    throw error
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
