import { inboundNamedSql } from '../../platform/db/erased-name.js'
import { BadUserInput, NotFound } from '../../platform/errors.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { updateMessage } from '../conversations/messages/edit-message.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import type { TouchpointService } from './adapter.js'
import { isKnown } from './inbound-content.js'
import type { InboundMessageReceiver } from './inbound-message-receiver.js'

export interface TakeEditOptions {
  sql: Sql
  inbox: InboundMessageReceiver
  writer: ConversationWriter
  systemContext: (requestId: string) => Context
}

export interface TakenEdit {
  /** The provider's id of the edit. */
  id: string
  /** Ids of later edits of the message: one that comes after them changes nothing. */
  later?: readonly string[]
  /** The provider's id of the edited message. */
  target: string
  text: string
}

/** Takes over what a person has changed in a message, once. The edits of one person must be taken one after the other. */
export async function takeEdit(
  { inbox, sql, systemContext, writer }: TakeEditOptions,
  service: TouchpointService,
  { id: providerId, later = [], target, text }: TakenEdit,
): Promise<void> {
  for (const known of [providerId, ...later]) if (await isKnown(sql, service.id, known)) return
  const [found] = await sql.query<{ id: string }>(
    `select m.id from ${inboundNamedSql('$1', '$2')} i join message m on m.id = i.message_id`,
    [service.id, target],
    'edited-message',
  )
  let what = 'an edit of a message that is not here'
  if (found) {
    try {
      await updateMessage(writer, systemContext(providerId), found.id, { text })
      what = 'an edit, which is done'
    } catch (error) {
      // Deleted meanwhile, or a text that a message cannot hold: what the agents have read stays.
      if (!(error instanceof NotFound) && !(error instanceof BadUserInput)) throw error
    }
  }
  await inbox.ignore(service, providerId, what)
}
