import type { JsonObject, JsonValue } from '../json.js'
import { camelRow } from '../lists/rows.js'
import type { FactSource } from '../workflows/facts.js'
import type { ConversationWork } from './conversation-work.js'

interface FactRow {
  meta: JsonObject | null
  country: string | null
  industry: string | null
  locale: string | null
  tags: string[] | null
  contactMeta: JsonObject | null
  profile: JsonObject | null
  lastMessage: { meta: JsonObject | null; text: string | null; touchpoint: string | null } | null
}

/** What rules may read of the conversation and its surroundings (4.6); one statement. */
export async function readFactSource(work: ConversationWork): Promise<FactSource> {
  const { conversation, sql } = work
  const rows = await sql.query<Record<string, unknown>>(
    `select o.meta, o.country, o.industry, o.locale, o.tags, c.meta as contact_meta, c.profile,
            (select jsonb_build_object('meta', m.meta, 'text', m.text, 'touchpoint', m.touchpoint) from message m
             where m.conversation_id = $2 and m.role = 'contact' and m.type <> 'command'
             order by m.position desc limit 1) as last_message
     from organization o left join contact c on c.id = $3 where o.id = $1`,
    [conversation.organizationId, conversation.id, conversation.contactId],
    'read-facts',
  )
  const row = camelRow<FactRow>(rows[0]!)
  const latest = work.messages.findLast(({ role, type }) => role === 'contact' && type !== 'command') ?? row.lastMessage
  const profile = row.profile ?? {}
  return {
    conversation: {
      meta: conversation.meta,
      category: conversation.category,
      categoryIndex: conversation.categoryIndex,
      language: conversation.language,
    },
    message: latest && {
      meta: latest.meta ?? {},
      text: latest.text,
      touchpoint: latest.touchpoint ?? conversation.touchpoint,
    },
    contact: row.profile && {
      meta: row.contactMeta ?? {},
      email: (profile.email ?? null) as string | null,
      worksFor: (profile.worksFor ?? null) as JsonValue,
      address: (profile.address ?? null) as JsonValue,
    },
    organization: {
      id: conversation.organizationId,
      meta: row.meta ?? {},
      country: row.country,
      industry: row.industry,
      locale: row.locale,
      tags: row.tags ?? [],
    },
    forms: conversation.forms,
    results: conversation.results,
  }
}
