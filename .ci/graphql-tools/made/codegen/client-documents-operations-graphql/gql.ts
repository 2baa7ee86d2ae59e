/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "# What a client of an agent, a consumer or a bot does first.\n\nmutation SignIn($email: String!, $password: String!) {\n  createToken(email: $email, password: $password) { token refreshToken expiresAt user organization scope }\n}\n\nquery Me { me { id displayName email role organizationId channels { id name } } }\n\nmutation CreateConversation($input: CreateConversationInput!) { createConversation(input: $input) { id name status url } }\n\nmutation CreateGuestToken($conversation: ID!) { createGuestToken(conversation: $conversation) { token expiresAt } }\n\nmutation SendMessage($conversation: ID!, $message: MessageInput!) {\n  sendMessage(conversation: $conversation, message: $message) { id position createdAt }\n}\n\nmutation SendMessages($conversation: ID!, $messages: [MessageInput!]!) {\n  sendMessages(conversation: $conversation, messages: $messages) { id position createdAt }\n}\n\nmutation AcceptConversation($conversation: ID!, $ifQueued: Boolean) {\n  acceptConversation(conversation: $conversation, ifQueued: $ifQueued) { id status }\n}\n\nmutation AssignConversation($conversation: ID!, $users: [ID!]!) {\n  assignConversation(conversation: $conversation, users: $users) { id status }\n}\n\nmutation LeaveConversation($conversation: ID!) { leaveConversation(conversation: $conversation) { id status } }\n\nmutation SetConversation($conversation: ID!, $patch: SetConversationInput!) {\n  setConversation(conversation: $conversation, patch: $patch) { id category language meta }\n}\n\nmutation EnqueueConversation($conversation: ID!) { enqueueConversation(conversation: $conversation) { id status } }\n": typeof types.SignInDocument,
};
const documents: Documents = {
    "# What a client of an agent, a consumer or a bot does first.\n\nmutation SignIn($email: String!, $password: String!) {\n  createToken(email: $email, password: $password) { token refreshToken expiresAt user organization scope }\n}\n\nquery Me { me { id displayName email role organizationId channels { id name } } }\n\nmutation CreateConversation($input: CreateConversationInput!) { createConversation(input: $input) { id name status url } }\n\nmutation CreateGuestToken($conversation: ID!) { createGuestToken(conversation: $conversation) { token expiresAt } }\n\nmutation SendMessage($conversation: ID!, $message: MessageInput!) {\n  sendMessage(conversation: $conversation, message: $message) { id position createdAt }\n}\n\nmutation SendMessages($conversation: ID!, $messages: [MessageInput!]!) {\n  sendMessages(conversation: $conversation, messages: $messages) { id position createdAt }\n}\n\nmutation AcceptConversation($conversation: ID!, $ifQueued: Boolean) {\n  acceptConversation(conversation: $conversation, ifQueued: $ifQueued) { id status }\n}\n\nmutation AssignConversation($conversation: ID!, $users: [ID!]!) {\n  assignConversation(conversation: $conversation, users: $users) { id status }\n}\n\nmutation LeaveConversation($conversation: ID!) { leaveConversation(conversation: $conversation) { id status } }\n\nmutation SetConversation($conversation: ID!, $patch: SetConversationInput!) {\n  setConversation(conversation: $conversation, patch: $patch) { id category language meta }\n}\n\nmutation EnqueueConversation($conversation: ID!) { enqueueConversation(conversation: $conversation) { id status } }\n": types.SignInDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "# What a client of an agent, a consumer or a bot does first.\n\nmutation SignIn($email: String!, $password: String!) {\n  createToken(email: $email, password: $password) { token refreshToken expiresAt user organization scope }\n}\n\nquery Me { me { id displayName email role organizationId channels { id name } } }\n\nmutation CreateConversation($input: CreateConversationInput!) { createConversation(input: $input) { id name status url } }\n\nmutation CreateGuestToken($conversation: ID!) { createGuestToken(conversation: $conversation) { token expiresAt } }\n\nmutation SendMessage($conversation: ID!, $message: MessageInput!) {\n  sendMessage(conversation: $conversation, message: $message) { id position createdAt }\n}\n\nmutation SendMessages($conversation: ID!, $messages: [MessageInput!]!) {\n  sendMessages(conversation: $conversation, messages: $messages) { id position createdAt }\n}\n\nmutation AcceptConversation($conversation: ID!, $ifQueued: Boolean) {\n  acceptConversation(conversation: $conversation, ifQueued: $ifQueued) { id status }\n}\n\nmutation AssignConversation($conversation: ID!, $users: [ID!]!) {\n  assignConversation(conversation: $conversation, users: $users) { id status }\n}\n\nmutation LeaveConversation($conversation: ID!) { leaveConversation(conversation: $conversation) { id status } }\n\nmutation SetConversation($conversation: ID!, $patch: SetConversationInput!) {\n  setConversation(conversation: $conversation, patch: $patch) { id category language meta }\n}\n\nmutation EnqueueConversation($conversation: ID!) { enqueueConversation(conversation: $conversation) { id status } }\n"): (typeof documents)["# What a client of an agent, a consumer or a bot does first.\n\nmutation SignIn($email: String!, $password: String!) {\n  createToken(email: $email, password: $password) { token refreshToken expiresAt user organization scope }\n}\n\nquery Me { me { id displayName email role organizationId channels { id name } } }\n\nmutation CreateConversation($input: CreateConversationInput!) { createConversation(input: $input) { id name status url } }\n\nmutation CreateGuestToken($conversation: ID!) { createGuestToken(conversation: $conversation) { token expiresAt } }\n\nmutation SendMessage($conversation: ID!, $message: MessageInput!) {\n  sendMessage(conversation: $conversation, message: $message) { id position createdAt }\n}\n\nmutation SendMessages($conversation: ID!, $messages: [MessageInput!]!) {\n  sendMessages(conversation: $conversation, messages: $messages) { id position createdAt }\n}\n\nmutation AcceptConversation($conversation: ID!, $ifQueued: Boolean) {\n  acceptConversation(conversation: $conversation, ifQueued: $ifQueued) { id status }\n}\n\nmutation AssignConversation($conversation: ID!, $users: [ID!]!) {\n  assignConversation(conversation: $conversation, users: $users) { id status }\n}\n\nmutation LeaveConversation($conversation: ID!) { leaveConversation(conversation: $conversation) { id status } }\n\nmutation SetConversation($conversation: ID!, $patch: SetConversationInput!) {\n  setConversation(conversation: $conversation, patch: $patch) { id category language meta }\n}\n\nmutation EnqueueConversation($conversation: ID!) { enqueueConversation(conversation: $conversation) { id status } }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;