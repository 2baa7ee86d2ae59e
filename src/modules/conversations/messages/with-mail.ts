import { reading } from '../../../platform/db/sql.js'
import { BadUserInput, Unprocessable } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import type { NewMessage } from '../../messages/message-content.js'
import { copiesOf, RECIPIENT_LISTS } from '../../messages/outgoing-mail.js'
import type { ConversationChange } from '../state/conversation-change.js'

/**
 * Returns a message that is sent as a mail with the recipients that its author chose, by no other touchpoint; any other message as
 * it is.
 * @throws Unprocessable without a contact; BadUserInput for an address that a service of this installation receives, which would
 *   write to itself
 */
export async function withMail(change: ConversationChange, newMessage: NewMessage): Promise<NewMessage> {
  const { mail } = newMessage
  if (!mail) return newMessage
  const { conversation, sql } = change
  if (conversation.type !== 'contact') {
    throw new Unprocessable('a mail is for a conversation with a contact', { reason: 'NO_CONTACT', field: 'mail' })
  }
  const copies = copiesOf(mail)
  const [own] = copies.length === 0 ? [] : await sql.query<{ address: string }>(OWN, [copies], 'own-addresses')
  if (own) {
    const list = RECIPIENT_LISTS.find((each) => mail[each].includes(own.address))!
    const field = `mail.${list}[${mail[list].indexOf(own.address)}]`
    throw new BadUserInput(field, `${field} ${own.address} is the address of a service, which would write to itself`)
  }
  const meta = { ...newMessage.meta, _mail: mail } as unknown as JsonObject
  return { ...newMessage, touchpoint: 'email', meta }
}

const OWN = reading(
  `select lower(params ->> 'address') as address from service
   where touchpoint = 'email' and lower(params ->> 'address') = any($1::text[]) limit 1`,
)
