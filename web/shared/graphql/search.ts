// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ConversationStatus =
  | 'ACTIVE'
  | 'ARCHIVED'
  | 'CLOSED'
  | 'QUEUED';

export type SearchType =
  | 'CONTACT'
  | 'CONVERSATION'
  | 'MESSAGE';

export type SearchQueryVariables = Exact<{
  text: string;
  types?: Array<SearchType> | null | undefined;
  after?: string | null | undefined;
}>;


export type SearchQuery = { search: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node:
        | { __typename: 'Contact', id: string, profile: { name: string | null, email: string | null, telephone: string | null } }
        | { __typename: 'Conversation', id: string, name: string, status: ConversationStatus, preview: string | null, lastMessageAt: string | null, contact: { profile: { name: string | null } } | null }
        | { __typename: 'Message', id: string, text: string | null, createdAt: string, conversation: { id: string, name: string, status: ConversationStatus, preview: string | null, lastMessageAt: string | null, contact: { profile: { name: string | null } } | null } | null }
       }> } };

export const SearchDocument = "query Search($text:String!$types:[SearchType!]$after:String){search(text:$text types:$types first:20 after:$after){totalCount pageInfo{hasNextPage endCursor}edges{node{__typename ...on Conversation{id name status preview lastMessageAt contact{profile{name}}}...on Message{id text createdAt conversation{id name status preview lastMessageAt contact{profile{name}}}}...on Contact{id profile{name email telephone}}}}}}" as TypedDocument<SearchQuery, SearchQueryVariables>
