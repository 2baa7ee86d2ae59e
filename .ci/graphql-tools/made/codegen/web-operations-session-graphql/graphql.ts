/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Status of a channel (3.3). */
export type ChannelStatus =
  /** In use; currently the only status. */
  | 'ACTIVE';

/** ISO 639-1 code of a language of the user interface (2.3). */
export type UserLocale =
  /** German. */
  | 'DE'
  /** English. */
  | 'EN'
  /** French. */
  | 'FR'
  /** Dutch. */
  | 'NL';

/** Role of a user, which determines its scopes (section 5). */
export type UserRole =
  /** Sets up the organization and those below it. */
  | 'ADMIN'
  /** Talks to consumers. */
  | 'AGENT'
  /** A program that takes part with an API token. */
  | 'BOT'
  /** An administrator who may appoint other owners. */
  | 'OWNER'
  /** Reads what its organization has. */
  | 'VIEWER';

/** Replaces all settings: an omitted key gets its default (2.3). */
export type UserSettingsInput = {
  /** Sound when the queue grows. */
  audioOnChat?: boolean | null | undefined;
  /** Sound on new messages. */
  audioOnMessage?: boolean | null | undefined;
  /** Canned responses; may contain placeholders such as `{{ givenName }}`. */
  cannedResponses?: Array<string> | null | undefined;
  /** Whether to open conversations when they are accepted; true by default below level 1. */
  focusOnAccept?: boolean | null | undefined;
  /** Language and region, such as `nl` or `nl_NL`. */
  locale?: UserLocale | null | undefined;
  /** Whether the user set the locale manually. */
  localeSet?: boolean | null | undefined;
  /** Notification roles of the user. */
  notifications?: Array<string> | null | undefined;
  /** Desktop notification when the queue grows. */
  notifyOnChat?: boolean | null | undefined;
  /** Desktop notification on each incoming message. */
  notifyOnMessage?: boolean | null | undefined;
  /** Mobile push notifications of the inbox. */
  pushNotify?: boolean | null | undefined;
  /** Browser tab notification on unread messages. */
  tabdotMessage?: boolean | null | undefined;
  /** Browser tab notification on queued conversations. */
  tabdotNotify?: boolean | null | undefined;
  /** IANA time zone. */
  timezone?: string | null | undefined;
  /** Whether the user set the time zone manually. */
  timezoneSet?: boolean | null | undefined;
};

export type SettingsFragment = { timezone: string | null, locale: UserLocale, localeSet: boolean, audioOnChat: boolean, audioOnMessage: boolean, notifyOnChat: boolean, notifyOnMessage: boolean, tabdotNotify: boolean, tabdotMessage: boolean, focusOnAccept: boolean, cannedResponses: Array<string> };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, email: string, displayName: string, avatar: string | null, role: UserRole, organizationId: string, organization: { id: string, name: string, displayName: string | null, level: number, country: string | null, stopwords: Array<string> | null, commands: Array<string> | null, profileFields: Record<string, unknown>, categories: Array<{ name: string, formIds: Array<string> }> | null } | null, settings: { timezone: string | null, locale: UserLocale, localeSet: boolean, audioOnChat: boolean, audioOnMessage: boolean, notifyOnChat: boolean, notifyOnMessage: boolean, tabdotNotify: boolean, tabdotMessage: boolean, focusOnAccept: boolean, cannedResponses: Array<string> } } };

export type ChannelsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ChannelsQuery = { channels: { edges: Array<{ node: { id: string, name: string, status: ChannelStatus, organizationId: string, members: Array<{ userId: string, user: { id: string, displayName: string, avatar: string | null, role: UserRole } | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UpdateMySettingsMutationVariables = Exact<{
  patch: UserSettingsInput;
}>;


export type UpdateMySettingsMutation = { updateMySettings: { settings: { timezone: string | null, locale: UserLocale, localeSet: boolean, audioOnChat: boolean, audioOnMessage: boolean, notifyOnChat: boolean, notifyOnMessage: boolean, tabdotNotify: boolean, tabdotMessage: boolean, focusOnAccept: boolean, cannedResponses: Array<string> } } };

export type RequestPasswordResetMutationVariables = Exact<{
  email: string;
}>;


export type RequestPasswordResetMutation = { requestPasswordReset: boolean };

export const SettingsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserSettings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"localeSet"}},{"kind":"Field","name":{"kind":"Name","value":"audioOnChat"}},{"kind":"Field","name":{"kind":"Name","value":"audioOnMessage"}},{"kind":"Field","name":{"kind":"Name","value":"notifyOnChat"}},{"kind":"Field","name":{"kind":"Name","value":"notifyOnMessage"}},{"kind":"Field","name":{"kind":"Name","value":"tabdotNotify"}},{"kind":"Field","name":{"kind":"Name","value":"tabdotMessage"}},{"kind":"Field","name":{"kind":"Name","value":"focusOnAccept"}},{"kind":"Field","name":{"kind":"Name","value":"cannedResponses"}}]}}]} as unknown as DocumentNode<SettingsFragment, unknown>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatar"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"organizationId"}},{"kind":"Field","name":{"kind":"Name","value":"organization"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"country"}},{"kind":"Field","name":{"kind":"Name","value":"stopwords"}},{"kind":"Field","name":{"kind":"Name","value":"commands"}},{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"formIds"}}]}},{"kind":"Field","name":{"kind":"Name","value":"profileFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"settings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Settings"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserSettings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"localeSet"}},{"kind":"Field","name":{"kind":"Name","value":"audioOnChat"}},{"kind":"Field","name":{"kind":"Name","value":"audioOnMessage"}},{"kind":"Field","name":{"kind":"Name","value":"notifyOnChat"}},{"kind":"Field","name":{"kind":"Name","value":"notifyOnMessage"}},{"kind":"Field","name":{"kind":"Name","value":"tabdotNotify"}},{"kind":"Field","name":{"kind":"Name","value":"tabdotMessage"}},{"kind":"Field","name":{"kind":"Name","value":"focusOnAccept"}},{"kind":"Field","name":{"kind":"Name","value":"cannedResponses"}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const ChannelsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Channels"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"channels"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"organizationId"}},{"kind":"Field","name":{"kind":"Name","value":"members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userId"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"avatar"}},{"kind":"Field","name":{"kind":"Name","value":"role"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ChannelsQuery, ChannelsQueryVariables>;
export const UpdateMySettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateMySettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"patch"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserSettingsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMySettings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"patch"},"value":{"kind":"Variable","name":{"kind":"Name","value":"patch"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"settings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Settings"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Settings"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserSettings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"locale"}},{"kind":"Field","name":{"kind":"Name","value":"localeSet"}},{"kind":"Field","name":{"kind":"Name","value":"audioOnChat"}},{"kind":"Field","name":{"kind":"Name","value":"audioOnMessage"}},{"kind":"Field","name":{"kind":"Name","value":"notifyOnChat"}},{"kind":"Field","name":{"kind":"Name","value":"notifyOnMessage"}},{"kind":"Field","name":{"kind":"Name","value":"tabdotNotify"}},{"kind":"Field","name":{"kind":"Name","value":"tabdotMessage"}},{"kind":"Field","name":{"kind":"Name","value":"focusOnAccept"}},{"kind":"Field","name":{"kind":"Name","value":"cannedResponses"}}]}}]} as unknown as DocumentNode<UpdateMySettingsMutation, UpdateMySettingsMutationVariables>;
export const RequestPasswordResetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RequestPasswordReset"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"email"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"requestPasswordReset"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"email"},"value":{"kind":"Variable","name":{"kind":"Name","value":"email"}}}]}]}}]} as unknown as DocumentNode<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>;