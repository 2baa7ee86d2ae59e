import { contactSearch, contactWords } from '../../contacts/contact-list.js'
import { rowSearch, type TextSearch } from '../../../platform/lists/text-search.js'

const messageWords = (alias: string, query: string): string =>
  `message_document(${alias}.text, ${alias}.meta) @@ ${query} and ${alias}.type <> 'command'`

const conversationWords = (alias: string, query: string): string =>
  `conversation_document(${alias}.name, ${alias}.category) @@ ${query}`

/** Searches messages by text and title; commands are excluded. */
export const messageSearch = rowSearch('message', messageWords)

/** Conversations, and messages of these, that are scanned one by one for the first page. */
const NEWEST_CONVERSATIONS = 100
const NEWEST_MESSAGES = 1_000

/** `offset 0` keeps this a scan: otherwise the planner would query the search index once per conversation. */
const MESSAGES_OF = 'select type, text, meta from message where conversation_id = n.id offset 0'

/** Searches conversations by name and category, by the text of their messages, and by their contact if that is given. */
const searchConversations = (
  contact: { all: TextSearch['all']; one: (query: string) => string } | null,
): TextSearch => ({
  all: (query, tenant) => `
    select s.id from conversation s where ${tenant('s')} and ${conversationWords('s', query)}
    ${contact ? `union all select s.id from conversation s where s.contact_id in (${contact.all(query, tenant)})` : ''}
    union all
    select s.conversation_id from message s where ${tenant('s')} and ${messageWords('s', query)}`,
  newest: (query, tenant, beyond) => `
    select n.id from (
      select t.*, sum(t.message_count) over (order by t.id desc) as messages from (
        select * from conversation t where ${tenant('t')} and ${beyond} order by t.id desc limit ${NEWEST_CONVERSATIONS}
      ) t
    ) n
    where n.messages <= ${NEWEST_MESSAGES} and (${conversationWords('n', query)}
      ${contact ? `or (select true from contact c where c.id = n.contact_id and ${contact.one(query)})` : ''}
      or (select true from (${MESSAGES_OF}) m where ${messageWords('m', query)} limit 1))
    order by n.id desc`,
})

export const conversationSearch: TextSearch = {
  ...searchConversations({ all: contactSearch.all, one: (query) => contactWords('c', query) }),
  withoutContacts: searchConversations(null),
}
