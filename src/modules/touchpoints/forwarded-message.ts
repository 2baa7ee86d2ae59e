import type { AttachmentLinks } from '../attachments/attachment-links.js'
import type { StoredProfile } from '../contacts/contact-profile.js'
import type { Context } from '../../platform/context.js'
import { shownRowSql } from '../../platform/db/columns.js'
import { isPlainObject, type JsonObject } from '../../platform/json.js'
import type { Forwarding } from '../messages/forwarding.js'
import type { MessageRow } from '../messages/message-row.js'
import { outgoingMailOf } from '../messages/outgoing-mail.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import type { ForwardedMessage, NamedAddress } from './adapter.js'
import { disclosed } from './disclosed.js'
import { attachmentOf, senderNameOf, timed } from './stored-message.js'

interface Around {
  message: Record<string, unknown>
  parts: Record<string, unknown>[]
  sender: Record<string, unknown> | null
  alias: unknown
  profile: StoredProfile | null
  organization: string
  /** Address of the consumer to whom it was mailed. */
  recipient: string | null
}

const FILES_MAX = 21

/** Reads the message that a note forwards, where the note is now: after a merge, its copy there is what people edit. Null if it was deleted. */
export async function readForwarded(
  system: Context,
  links: AttachmentLinks,
  { messageId, conversation }: Pick<Forwarding, 'messageId'> & { conversation: string },
): Promise<ForwardedMessage | null> {
  const [found] = await system.reads.query<Around>(AROUND, [messageId, conversation], 'forwarded-message')
  if (!found) return null
  const message = disclosed(timed<MessageRow>(found.message))
  const parts = found.parts.map((part) => timed<MessageRow>(part))
  const files = await Promise.all([message, ...parts].map((each) => attachmentOf(system, links, each)))
  const subject = message.meta?.subject ?? outgoingMailOf(message)?.subject
  return {
    message,
    ...headOf(message, found),
    subject: typeof subject === 'string' ? subject : null,
    files: files.filter((file) => file !== null),
  }
}

/** The head of the mail that a message came as; of any other message, what people outside would see of it. */
function headOf(message: MessageRow, around: Around): Pick<ForwardedMessage, 'from' | 'to' | 'cc'> {
  const { profile, organization, sender, alias, recipient } = around
  const consumer = { name: profile?.name ?? '', address: '' }
  const mail = message.meta?._mail
  const sent = outgoingMailOf(message)
  if (isPlainObject(mail) && !sent) {
    return { from: namedIn(mail.from), to: [mail.to].flat().map(namedIn), cc: [mail.cc].flat().map(namedIn) }
  }
  const team = { name: organization, address: '' }
  if (message.role === 'contact') return { from: consumer, to: [team], cc: [] }
  const name = senderNameOf(alias, sender)
  const from = name ? { ...team, name: `${name}, ${organization}` } : team
  if (message.isBackchannel) return { from, to: [], cc: [] }
  const others = (addresses: readonly string[] = []): NamedAddress[] =>
    addresses.map((address) => ({ name: '', address }))
  // Who got a blind copy is nobody's to tell.
  return { from, to: [{ ...consumer, address: recipient ?? '' }, ...others(sent?.to)], cc: others(sent?.cc) }
}

function namedIn(who: unknown): NamedAddress {
  const { name, address } = isPlainObject(who) ? (who as JsonObject) : {}
  return { name: typeof name === 'string' ? name : '', address: typeof address === 'string' ? address : '' }
}

/** The files of a mail are messages after that of its text, which name it. */
const AROUND = `
select to_jsonb(m) as message, c.meta -> '_agent' as alias, ct.profile, coalesce(o.display_name, o.name) as organization,
  case when u.id is not null then ${shownRowSql(USER_COLUMNS, 'webhook', 'u')} end as sender,
  (select d.recipient from delivery d where d.message_id = m.id and d.touchpoint = 'email') as recipient,
  coalesce((select jsonb_agg(to_jsonb(p) order by p.position) from (
    select * from message p where p.conversation_id = m.conversation_id and p.position > m.position
      and p.meta ->> '_partOf' in (m.id::text, m.original_id::text)
    order by p.position limit ${FILES_MAX}) p), '[]') as parts
from message m
join conversation c on c.id = m.conversation_id
join organization o on o.id = c.organization_id
left join contact ct on ct.id = c.contact_id
left join app_user u on u.id = m.user_id
where m.conversation_id = $2
  and (m.id = $1 or m.original_id = $1 or m.original_id = (select original_id from message where id = $1))
order by m.id = $1 desc limit 1`
