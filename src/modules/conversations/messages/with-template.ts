import { pathOf } from '../../../platform/db/tenancy.js'
import { Unprocessable } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import type { NewMessage } from '../../messages/message-content.js'
import { templateInPath } from '../../services/stored-templates.js'
import { renderTemplate } from '../../services/template-message.js'
import type { ConversationChange } from '../state/conversation-change.js'

/**
 * Returns a message with the text that its template makes, by the template's service; any other message as it is.
 * @throws NotFound, BadUserInput, Unprocessable for a template that cannot be sent so, or not now
 */
export async function withTemplate(change: ConversationChange, newMessage: NewMessage): Promise<NewMessage> {
  const { template: given, service } = newMessage
  if (!given) return newMessage
  const { conversation, sql } = change
  if (conversation.type !== 'contact') {
    throw new Unprocessable('a template is for a conversation with a contact', {
      reason: 'NO_CONTACT',
      field: 'template',
    })
  }
  const template = await templateInPath(sql, given.id, pathOf(conversation))
  const { text, sent } = renderTemplate(template, given, service)
  const meta = { ...newMessage.meta, _template: sent } as unknown as JsonObject
  return { ...newMessage, text, service: template!.serviceId, meta }
}
