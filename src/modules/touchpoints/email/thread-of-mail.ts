import type { Sql } from '../../../platform/db/database.js'
import type { TouchpointService } from '../adapter.js'
import type { MailThreadProof } from './mail-content.js'
import type { MailTokens } from './mail-tokens.js'
import type { ParsedMail } from './read-mail.js'

/** The conversation that a mail proves to continue, or that it answers a forwarded mail of which nothing is left. */
export type MailThread = MailThreadProof | 'gone' | null

interface Given {
  service: TouchpointService
  mail: ParsedMail
  /** Recipients of the envelope and of the mail. */
  recipients: readonly string[]
  /** True if one of our Message-IDs is enough to continue a conversation. */
  isThreadedByReference: boolean
}

/**
 * Finds the conversation that a recipient's token proves, or one of our Message-IDs: of a forwarded mail always, since many servers
 * know no addresses with tokens. Other Message-IDs, and the subject, can be forged, so they prove nothing.
 *
 * A mail that shows both a conversation and a forwarded mail continues the one if the contact wrote it, and answers the other if
 * anybody else did.
 */
export async function threadOfMail(
  { sql, tokens }: { sql: Sql; tokens: MailTokens },
  { service, mail, recipients, isThreadedByReference }: Given,
): Promise<MailThread> {
  const conversations = recipients.flatMap((recipient) => tokens.conversationOf(recipient, service.id) ?? [])
  const known = answeredIn(mail).flatMap((messageId) => tokens.messageIdsIn(messageId))
  const deliveries = known.filter(({ isForwarded }) => isThreadedByReference && !isForwarded)
  const addressed = recipients.flatMap((recipient) => tokens.forwardOf(recipient, service.id) ?? [])
  const named = known.filter(({ isForwarded }) => isForwarded)
  const forwards = [...addressed, ...named.map(({ delivery }) => delivery)]
  if (conversations.length + deliveries.length + forwards.length === 0) return null
  // Those that were deleted in the meantime are left out: the mail begins a new conversation.
  const values = [service.id, conversations, deliveries.map(({ delivery }) => delivery), forwards, service.org1]
  const found = await sql.query<MailThreadProof>(THREADS, values, 'threads-of-mail')
  const continued = found.find(({ forwarding }) => forwarding === null)
  const answered = found.find(({ forwarding }) => forwarding !== null)
  if (continued && (!answered || continued.email === mail.from?.address)) return continued
  if (answered) return answered
  // Its sender is no consumer, and it quotes one who may have been erased.
  const domain = String(service.params.address).split('@').at(-1)?.toLowerCase()
  return addressed.length > 0 || named.some((each) => each.domain === domain) ? 'gone' : null
}

const THREADS = `
select c.id as conversation, ct.profile ->> 'email' as email, found.forwarding from (
  select t.id, null::uuid as forwarding, t.rank from unnest($2::uuid[]) with ordinality as t(id, rank)
  union all
  select d.conversation_id, null, 1000 + r.rank from unnest($3::uuid[]) with ordinality as r(id, rank)
  join delivery d on d.id = r.id and d.service_id = $1
  union all
  select d.conversation_id, d.message_id, r.rank from unnest($4::uuid[]) with ordinality as r(id, rank)
  join delivery d on d.id = r.id and d.org1 = $5
) found join conversation c on c.id = found.id left join contact ct on ct.id = c.contact_id
order by found.rank`

const ANSWERED_MAX = 20

/** The Message-IDs that a mail says it answers, the last one first. */
function answeredIn(mail: ParsedMail): string[] {
  const named = [mail.header('references') ?? '', mail.header('in-reply-to') ?? ''].join(' ')
  return (named.match(/<[^<>\s]{1,400}>/g) ?? []).toReversed().slice(0, ANSWERED_MAX)
}
