// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
export type ChannelStatus =
  | 'ACTIVE';

export type UserLocale =
  | 'DE'
  | 'EN'
  | 'FR'
  | 'NL';

export type UserRole =
  | 'ADMIN'
  | 'AGENT'
  | 'BOT'
  | 'OWNER'
  | 'VIEWER';

export type UserSettingsInput = {
  audioOnChat?: boolean | null | undefined;
  audioOnMessage?: boolean | null | undefined;
  cannedResponses?: Array<string> | null | undefined;
  focusOnAccept?: boolean | null | undefined;
  locale?: UserLocale | null | undefined;
  localeSet?: boolean | null | undefined;
  notifications?: Array<string> | null | undefined;
  notifyOnChat?: boolean | null | undefined;
  notifyOnMessage?: boolean | null | undefined;
  pushNotify?: boolean | null | undefined;
  tabdotMessage?: boolean | null | undefined;
  tabdotNotify?: boolean | null | undefined;
  timezone?: string | null | undefined;
  timezoneSet?: boolean | null | undefined;
};

export type SettingsFragment = { timezone: string | null, locale: UserLocale, localeSet: boolean, audioOnChat: boolean, audioOnMessage: boolean, notifyOnChat: boolean, notifyOnMessage: boolean, tabdotNotify: boolean, tabdotMessage: boolean, pushNotify: boolean, focusOnAccept: boolean, cannedResponses: Array<string> };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, email: string, displayName: string, avatar: string | null, role: UserRole, organizationId: string, organization: { id: string, name: string, displayName: string | null, level: number, country: string | null, stopwords: Array<string> | null, commands: Array<string> | null, profileFields: Record<string, unknown>, categories: Array<{ name: string, formIds: Array<string> }> | null } | null, settings: { timezone: string | null, locale: UserLocale, localeSet: boolean, audioOnChat: boolean, audioOnMessage: boolean, notifyOnChat: boolean, notifyOnMessage: boolean, tabdotNotify: boolean, tabdotMessage: boolean, pushNotify: boolean, focusOnAccept: boolean, cannedResponses: Array<string> } } };

export type ChannelsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ChannelsQuery = { channels: { edges: Array<{ node: { id: string, name: string, status: ChannelStatus, organizationId: string, members: Array<{ userId: string, supervisor: boolean, user: { id: string, displayName: string, avatar: string | null, role: UserRole } | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UpdateMySettingsMutationVariables = Exact<{
  patch: UserSettingsInput;
}>;


export type UpdateMySettingsMutation = { updateMySettings: { settings: { timezone: string | null, locale: UserLocale, localeSet: boolean, audioOnChat: boolean, audioOnMessage: boolean, notifyOnChat: boolean, notifyOnMessage: boolean, tabdotNotify: boolean, tabdotMessage: boolean, pushNotify: boolean, focusOnAccept: boolean, cannedResponses: Array<string> } } };

export type RequestPasswordResetMutationVariables = Exact<{
  email: string;
}>;


export type RequestPasswordResetMutation = { requestPasswordReset: boolean };

export const MeDocument = "query Me{me{id email displayName avatar role organizationId organization{id name displayName level country stopwords commands categories{name formIds}profileFields}settings{...Settings}}}fragment Settings on UserSettings{timezone locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage tabdotNotify tabdotMessage pushNotify focusOnAccept cannedResponses}" as TypedDocument<MeQuery, MeQueryVariables>

export const ChannelsDocument = "query Channels($after:String){channels(first:100 after:$after){edges{node{id name status organizationId members{userId supervisor user{id displayName avatar role}}}}pageInfo{hasNextPage endCursor}}}" as TypedDocument<ChannelsQuery, ChannelsQueryVariables>

export const UpdateMySettingsDocument = "mutation UpdateMySettings($patch:UserSettingsInput!){updateMySettings(patch:$patch){settings{...Settings}}}fragment Settings on UserSettings{timezone locale localeSet audioOnChat audioOnMessage notifyOnChat notifyOnMessage tabdotNotify tabdotMessage pushNotify focusOnAccept cannedResponses}" as TypedDocument<UpdateMySettingsMutation, UpdateMySettingsMutationVariables>

export const RequestPasswordResetDocument = "mutation RequestPasswordReset($email:String!){requestPasswordReset(email:$email)}" as TypedDocument<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>
