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
    "fragment Settings on UserSettings {\n  timezone locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage tabdotNotify tabdotMessage focusOnAccept\n  cannedResponses\n}\n\nquery Me {\n  me {\n    id email displayName avatar role organizationId\n    organization { id name displayName level country stopwords commands categories { name formIds } profileFields }\n    settings { ...Settings }\n  }\n}\n\nquery Channels($after: String) {\n  channels(first: 100, after: $after) {\n    edges { node { id name status organizationId members { userId user { id displayName avatar role } } } }\n    pageInfo { hasNextPage endCursor }\n  }\n}\n\nmutation UpdateMySettings($patch: UserSettingsInput!) {\n  updateMySettings(patch: $patch) { settings { ...Settings } }\n}\n\nmutation RequestPasswordReset($email: String!) { requestPasswordReset(email: $email) }\n": typeof types.SettingsFragmentDoc,
};
const documents: Documents = {
    "fragment Settings on UserSettings {\n  timezone locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage tabdotNotify tabdotMessage focusOnAccept\n  cannedResponses\n}\n\nquery Me {\n  me {\n    id email displayName avatar role organizationId\n    organization { id name displayName level country stopwords commands categories { name formIds } profileFields }\n    settings { ...Settings }\n  }\n}\n\nquery Channels($after: String) {\n  channels(first: 100, after: $after) {\n    edges { node { id name status organizationId members { userId user { id displayName avatar role } } } }\n    pageInfo { hasNextPage endCursor }\n  }\n}\n\nmutation UpdateMySettings($patch: UserSettingsInput!) {\n  updateMySettings(patch: $patch) { settings { ...Settings } }\n}\n\nmutation RequestPasswordReset($email: String!) { requestPasswordReset(email: $email) }\n": types.SettingsFragmentDoc,
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
export function graphql(source: "fragment Settings on UserSettings {\n  timezone locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage tabdotNotify tabdotMessage focusOnAccept\n  cannedResponses\n}\n\nquery Me {\n  me {\n    id email displayName avatar role organizationId\n    organization { id name displayName level country stopwords commands categories { name formIds } profileFields }\n    settings { ...Settings }\n  }\n}\n\nquery Channels($after: String) {\n  channels(first: 100, after: $after) {\n    edges { node { id name status organizationId members { userId user { id displayName avatar role } } } }\n    pageInfo { hasNextPage endCursor }\n  }\n}\n\nmutation UpdateMySettings($patch: UserSettingsInput!) {\n  updateMySettings(patch: $patch) { settings { ...Settings } }\n}\n\nmutation RequestPasswordReset($email: String!) { requestPasswordReset(email: $email) }\n"): (typeof documents)["fragment Settings on UserSettings {\n  timezone locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage tabdotNotify tabdotMessage focusOnAccept\n  cannedResponses\n}\n\nquery Me {\n  me {\n    id email displayName avatar role organizationId\n    organization { id name displayName level country stopwords commands categories { name formIds } profileFields }\n    settings { ...Settings }\n  }\n}\n\nquery Channels($after: String) {\n  channels(first: 100, after: $after) {\n    edges { node { id name status organizationId members { userId user { id displayName avatar role } } } }\n    pageInfo { hasNextPage endCursor }\n  }\n}\n\nmutation UpdateMySettings($patch: UserSettingsInput!) {\n  updateMySettings(patch: $patch) { settings { ...Settings } }\n}\n\nmutation RequestPasswordReset($email: String!) { requestPasswordReset(email: $email) }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;