import type { AttachmentLinks } from '../attachments/attachment-links.js'
import type { StoredProfile } from '../contacts/contact-profile.js'
import type { Context } from '../../platform/context.js'
import { shownRowSql } from '../../platform/db/columns.js'
import type { JsonObject } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { DeliveryRow } from '../messages/delivery.js'
import { forwardingOf } from '../messages/forwarding.js'
import type { MessageRow } from '../messages/message-row.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import type { OutgoingMessage } from './adapter.js'
import { disclosed } from './disclosed.js'
import { readForwarded } from './forwarded-message.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { attachmentOf, senderNameOf, timed } from './stored-message.js'
import { openService, type StoredService } from './touchpoint-service.js'
import { isServiceInUseSql } from '../services/service-in-use.js'

/** A delivery and its related rows, read in one statement. */
interface Surroundings {
  delivery: Record<string, unknown>
  message: Record<string, unknown>
  conversation: { id: string; name: string; slug: string; language: string | null; meta: JsonObject }
  contact: { id: string; profile: StoredProfile; meta: JsonObject | null } | null
  service: Record<string, unknown> | null
  organization: { id: string; name: string }
  sender: Record<string, unknown> | null
}

/** A delivery with what was added to its mail. */
type SignedDelivery = DeliveryRow & { signature: string | null }

export type Prepared = Pick<
  OutgoingMessage,
  | 'message'
  | 'conversation'
  | 'contact'
  | 'senderName'
  | 'organization'
  | 'attachment'
  | 'service'
  | 'recipient'
  | 'copies'
  | 'forwarded'
  | 'signature'
>

/**
 * @param message the message whose content is sent, if it is another than the delivery's: its copy in a merged conversation
 * @returns null for a delivery whose message was deleted; `outgoing` is null when its service or contact is missing
 */
export async function readOutgoing(
  system: Context,
  { links, sealer }: { links: AttachmentLinks; sealer: Sealer },
  id: string,
  message: string | null = null,
): Promise<{ delivery: SignedDelivery; outgoing: Prepared | null } | null> {
  const [found] = await system.reads.query<Surroundings>(SURROUNDINGS, [id, message], 'outgoing-message')
  if (!found) return null
  const delivery = timed<SignedDelivery>(found.delivery)
  const { conversation, contact, organization, sender } = found
  if (!found.service || !contact || delivery.recipient === null) return { delivery, outgoing: null }
  const said = disclosed(timed<MessageRow>(found.message))
  const attachment = await attachmentOf(system, links, said)
  const forwarding = forwardingOf(said)
  return {
    delivery,
    outgoing: {
      message: said,
      conversation,
      contact,
      organization,
      service: openService(sealer, camelRow<StoredService>(found.service)),
      recipient: delivery.recipient,
      copies: delivery.copies,
      senderName: senderNameOf(conversation.meta._agent, sender),
      attachment,
      signature: delivery.signature,
      ...(forwarding && {
        forwarded: await readForwarded(system, links, { ...forwarding, conversation: conversation.id }),
      }),
    },
  }
}

const SURROUNDINGS = `
select to_jsonb(d) as delivery, to_jsonb(m) as message, 
  case when u.id is not null then ${shownRowSql(USER_COLUMNS, 'webhook', 'u')} end as sender,
  jsonb_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'language', c.language, 'meta', c.meta) as conversation,
  case when ct.id is not null then jsonb_build_object('id', ct.id, 'profile', ct.profile, 'meta', ct.meta) end as contact,
  case when s.id is not null then to_jsonb(s) end as service,
  jsonb_build_object('id', o.id, 'name', coalesce(o.display_name, o.name)) as organization
from delivery d
join message m on m.id = coalesce($2::uuid, d.message_id)
join conversation c on c.id = d.conversation_id
join organization o on o.id = c.organization_id
left join contact ct on ct.id = c.contact_id
left join service s on s.id = d.service_id and ${isServiceInUseSql('s')} and s.touchpoint = d.touchpoint
left join app_user u on u.id = m.user_id
where d.id = $1`
