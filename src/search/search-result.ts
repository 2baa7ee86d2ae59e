import { createUnionType, registerEnumType } from 'type-graphql'
import type { Permission } from '../access/permissions.js'
import { contactSearch } from '../contacts/contact-list.js'
import { Contact } from '../contacts/contact.js'
import { Conversation } from '../conversations/api/conversation.js'
import { conversationSearch, messageSearch } from '../conversations/api/text-search.js'
import { connectionType } from '../lists/connection.js'
import type { TextSearch } from '../lists/text-search.js'
import { Message } from '../messages/message.js'

export const SEARCH_TYPES = ['conversation', 'message', 'contact'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

export const SearchTypeEnum = { CONVERSATION: 'conversation', MESSAGE: 'message', CONTACT: 'contact' } as const
registerEnumType(SearchTypeEnum, {
  name: 'SearchType',
  description: 'Where to search.',
  valuesConfig: {
    CONVERSATION: { description: 'By name, category, contact and what was said.' },
    MESSAGE: { description: 'By text and title, but for commands; needs the scope that lists messages (section 5).' },
    CONTACT: { description: 'By names, company, email, telephone and place.' },
  },
})

interface Searched {
  table: string
  search: TextSearch
  /** Of its list. */
  permission: Permission
  /** Of GraphQL. */
  typeName: string
}

export const SEARCHED: Readonly<Record<SearchType, Searched>> = {
  conversation: {
    table: 'conversation',
    search: conversationSearch,
    permission: 'conversation.list',
    typeName: 'Conversation',
  },
  message: { table: 'message', search: messageSearch, permission: 'message.list', typeName: 'Message' },
  contact: { table: 'contact', search: contactSearch, permission: 'contact.list', typeName: 'Contact' },
}

export const SearchResult = createUnionType({
  name: 'SearchResult',
  description: 'What a search finds.',
  types: () => [Conversation, Message, Contact] as const,
})

export const SearchConnection = connectionType('Search', () => SearchResult as never)
