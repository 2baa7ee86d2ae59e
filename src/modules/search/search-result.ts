import { createUnionType } from 'type-graphql'
import type { Permission } from '../../platform/access/permissions.js'
import { contactSearch } from '../contacts/contact-list.js'
import { Contact } from '../contacts/contact.js'
import { Conversation } from '../conversations/api/conversation.js'
import { conversationSearch, messageSearch } from '../conversations/api/text-search.js'
import { connectionType } from '../../platform/lists/connection.js'
import type { TextSearch } from '../../platform/lists/text-search.js'
import { Message } from '../messages/message.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const SEARCH_TYPES = ['conversation', 'message', 'contact'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

export const SearchTypeEnum = graphqlEnum('SearchType', 'Types of records to search.', {
  CONVERSATION: ['conversation', 'Found by name, category, contact and messages.'],
  MESSAGE: ['message', 'Found by text and title, except commands; needs the scope that lists messages (section 5).'],
  CONTACT: ['contact', 'Found by names, company, email, telephone and place.'],
})

interface Searched {
  table: string
  search: TextSearch
  /** Permission to list it. */
  permission: Permission
  /** Name of the GraphQL type. */
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
  description: 'A result of a search.',
  types: () => [Conversation, Message, Contact] as const,
})

export const SearchConnection = connectionType('Search', () => SearchResult as never)
