import type { Sql } from '../../../platform/db/database.js'
import { consumerVisibleSql } from '../../messages/message-row.js'
import { messageIdIn } from './read-mail.js'

export interface MailThread {
  /** Message-IDs of the conversation's mails, without brackets, oldest first. */
  ids: string[]
  /** Subject given by the consumer. */
  subject: string | null
}

const IDS_MAX = 20
const SAID_MAX = 5

/** Reads the mails of a conversation to and from a service; not those of forwarded messages, nor answers to them. */
export async function readThread(
  sql: Sql,
  { conversation, service }: { conversation: string; service: string },
): Promise<MailThread> {
  const [found] = await sql.query<MailThread>(THREAD, [conversation, service], 'mail-thread')
  return { ids: found?.ids ?? [], subject: found?.subject ?? null }
}

/** Reads the consumer's messages before a given one, oldest first. */
export async function readSaid(
  sql: Sql,
  { conversation, position }: { conversation: string; position: number },
): Promise<string[]> {
  const rows = await sql.query<{ text: string }>(SAID, [conversation, position], 'said-before-mail')
  return rows.map(({ text }) => text).toReversed()
}

const THREAD = `
select
  (select array_agg(mail.id order by mail.at) from (
    select ${messageIdIn('provider_id')} as id, received_at as at from inbound_message
    where service_id = $2 and conversation_id = $1 and message_id is not null and provider_id not like 'erased:%'
    union all
    select d.provider_id, d.updated_at from delivery d join message m on m.id = d.message_id and not m.is_backchannel
    where d.conversation_id = $1 and d.service_id = $2 and d.touchpoint = 'email' and d.provider_id is not null
    order by at desc limit ${IDS_MAX}
  ) mail where mail.id is not null) as ids,
  (select m.meta ->> 'subject' from message m
   where m.conversation_id = $1 and m.role = 'contact' and m.touchpoint = 'email' and m.meta ? 'subject'
   order by m.position desc limit 1) as subject`

const SAID = `
select m.text from message m
where m.conversation_id = $1 and m.position < $2 and m.role = 'contact' and m.text is not null
  and m.content_type = 'text/plain' and ${consumerVisibleSql('m')}
  -- Not for a bot for which texts are masked: it may have set the contact's address.
  and not exists (select from message n join app_user u on u.id = n.user_id
    where n.conversation_id = $1 and n.position = $2 and u.mask is not null)
order by m.position desc limit ${SAID_MAX}`
