import { NotFound } from '../../platform/errors.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import type { ConversationChange } from '../conversations/state/conversation-change.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { withReaction } from '../messages/reactions.js'
import type { TouchpointService } from './adapter.js'
import { isKnown } from './inbound-content.js'
import type { InboundMessageReceiver } from './inbound-message-receiver.js'

export interface TakeReactionOptions {
  sql: Sql
  inbox: InboundMessageReceiver
  writer: ConversationWriter
  systemContext: (requestId: string) => Context
}

export interface GivenReaction {
  /** The provider's id of the event. */
  id: string
  /** The provider's id of the message on which it is. */
  target: string
  /** Null where it is taken back. */
  emoji: string | null
}

/**
 * Shows a consumer's reaction on the message that has it, once. The reactions of one person must be taken one after the other.
 * @throws Error when the message is being merged, to be retried
 */
export async function takeReaction(
  { inbox, sql, systemContext, writer }: TakeReactionOptions,
  service: TouchpointService,
  { id: providerId, target, emoji }: GivenReaction,
): Promise<void> {
  if (await isKnown(sql, service.id, providerId)) return
  const [found] = await sql.query<{ id: string; conversation: string }>(TARGET, [service.id, target], 'reaction-target')
  const react = async (change: ConversationChange): Promise<void> => {
    const message = await change.findMessage(found!.id)
    // What a blocked contact writes is refused as well.
    if (message && !change.aggregate.isContactBlocked)
      change.changeMessage({ ...message, meta: withReaction(message.meta, emoji, change.now) })
  }
  try {
    if (found) await writer.run(systemContext(providerId), found.conversation, react)
  } catch (error) {
    // Deleted meanwhile.
    if (!(error instanceof NotFound)) throw error
  }
  await inbox.ignore(service, providerId, found ? 'it is a reaction' : 'it is a reaction to a message that is not here')
}

/** Finds the last copy of a merged message. */
const TARGET = `
with named as (
  select message_id as id from delivery where service_id = $1 and provider_id = $2
  union all select d.message_id from delivery_part p join delivery d on d.id = p.delivery_id
    where p.provider_id = $2 and d.service_id = $1
  union all select message_id from inbound_message where service_id = $1 and provider_id = $2
)
select m.id, m.conversation_id as conversation from named n join message m on m.id = n.id or m.original_id = n.id
order by m.version desc limit 1`
