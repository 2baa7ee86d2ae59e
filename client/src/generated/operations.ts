// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '../typed-document.js'
export type ActionInput = {
  fallback?: string | null | undefined;
  iconUrl?: string | null | undefined;
  mediaType?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  payload?: string | null | undefined;
  size?: string | null | undefined;
  text?: string | null | undefined;
  type: ActionType;
  uri?: string | null | undefined;
};

export type ActionType =
  | 'LINK'
  | 'LOCATION_REQUEST'
  | 'POSTBACK'
  | 'REPLY'
  | 'WEBVIEW';

export type ContactAddressInput = {
  addressCountry?: string | null | undefined;
  addressLocality?: string | null | undefined;
  addressRegion?: string | null | undefined;
  city?: string | null | undefined;
  custom?: Record<string, unknown> | null | undefined;
  postalCode?: string | null | undefined;
  streetAddress?: string | null | undefined;
  streetNumber?: string | null | undefined;
};

export type ContactProfileInput = {
  additionalName?: string | null | undefined;
  address?: ContactAddressInput | null | undefined;
  custom?: Record<string, unknown> | null | undefined;
  email?: string | null | undefined;
  familyName?: string | null | undefined;
  gender?: string | null | undefined;
  givenName?: string | null | undefined;
  honorificPrefix?: string | null | undefined;
  honorificSuffix?: string | null | undefined;
  name?: string | null | undefined;
  telephone?: string | null | undefined;
  worksFor?: string | null | undefined;
};

export type ContentType =
  | 'IMAGE_GIF'
  | 'IMAGE_JPEG'
  | 'IMAGE_JPG'
  | 'IMAGE_PNG'
  | 'TEXT_HTML'
  | 'TEXT_PLAIN'
  | 'TEXT_URL';

export type ConversationContactInput = {
  id?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  profile?: ContactProfileInput | null | undefined;
};

export type ConversationStatus =
  | 'ACTIVE'
  | 'ARCHIVED'
  | 'CLOSED'
  | 'QUEUED';

export type ConversationType =
  | 'AGENT'
  | 'BOT'
  | 'CONTACT'
  | 'SYSTEM';

export type CreateConversationInput = {
  category?: string | null | undefined;
  contact?: ConversationContactInput | null | undefined;
  language?: string | null | undefined;
  messages?: Array<MessageInput> | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  organization?: string | null | undefined;
  participants?: Array<string> | null | undefined;
  touchpoint?: Touchpoint | null | undefined;
  type?: ConversationType | null | undefined;
};

export type ItemInput = {
  actions?: Array<ActionInput> | null | undefined;
  description?: string | null | undefined;
  iconUrl?: string | null | undefined;
  mediaType?: string | null | undefined;
  mediaUrl?: string | null | undefined;
  size?: string | null | undefined;
  title?: string | null | undefined;
};

export type MessageInput = {
  actions?: Array<ActionInput> | null | undefined;
  contentType?: ContentType | null | undefined;
  delay?: number | null | undefined;
  depth?: number | null | undefined;
  id?: string | null | undefined;
  isBackchannel?: boolean | null | undefined;
  items?: Array<ItemInput> | null | undefined;
  mark?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  results?: Array<ReportedResultInput> | null | undefined;
  role?: MessageRole | null | undefined;
  seen?: string | null | undefined;
  service?: string | null | undefined;
  template?: MessageTemplateInput | null | undefined;
  text?: string | null | undefined;
  touchpoint?: Touchpoint | null | undefined;
  type?: MessageType | null | undefined;
  user?: string | null | undefined;
};

export type MessageRole =
  | 'AGENT'
  | 'BOT'
  | 'CONTACT'
  | 'SYSTEM';

export type MessageTemplateInput = {
  header?: string | null | undefined;
  id: string;
  values?: Record<string, unknown> | null | undefined;
};

export type MessageType =
  | 'CARD'
  | 'CHAT'
  | 'COMMAND'
  | 'FIELD'
  | 'FORM'
  | 'MENTION'
  | 'POSTBACK'
  | 'REPORT'
  | 'RESULTS'
  | 'SEARCH'
  | 'TAG';

export type ReportedResultInput = {
  custom?: Record<string, unknown> | null | undefined;
  name: string;
  values: Record<string, unknown>;
};

export type SetConversationInput = {
  category?: string | null | undefined;
  language?: string | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
  touchpoint?: Touchpoint | null | undefined;
};

export type Touchpoint =
  | 'EMAIL'
  | 'MESSENGER'
  | 'SMS'
  | 'WEB';

export type UserRole =
  | 'ADMIN'
  | 'AGENT'
  | 'BOT'
  | 'OWNER'
  | 'VIEWER';

export type SignInMutationVariables = Exact<{
  email: string;
  password: string;
}>;


export type SignInMutation = { createToken: { token: string, refreshToken: string, expiresAt: string, user: string | null, organization: string, scope: string } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, displayName: string, email: string | null, role: UserRole, organizationId: string, channels: Array<{ id: string, name: string }> } };

export type CreateConversationMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type CreateConversationMutation = { createConversation: { id: string, name: string, status: ConversationStatus, url: string } };

export type CreateGuestTokenMutationVariables = Exact<{
  conversation: string;
}>;


export type CreateGuestTokenMutation = { createGuestToken: { token: string, expiresAt: string } };

export type SendMessageMutationVariables = Exact<{
  conversation: string;
  message: MessageInput;
}>;


export type SendMessageMutation = { sendMessage: { id: string, position: number, createdAt: string } };

export type SendMessagesMutationVariables = Exact<{
  conversation: string;
  messages: Array<MessageInput>;
}>;


export type SendMessagesMutation = { sendMessages: Array<{ id: string, position: number, createdAt: string }> };

export type AcceptConversationMutationVariables = Exact<{
  conversation: string;
  ifQueued?: boolean | null | undefined;
}>;


export type AcceptConversationMutation = { acceptConversation: { id: string, status: ConversationStatus } };

export type AssignConversationMutationVariables = Exact<{
  conversation: string;
  users: Array<string>;
}>;


export type AssignConversationMutation = { assignConversation: { id: string, status: ConversationStatus } };

export type LeaveConversationMutationVariables = Exact<{
  conversation: string;
}>;


export type LeaveConversationMutation = { leaveConversation: { id: string, status: ConversationStatus } };

export type SetConversationMutationVariables = Exact<{
  conversation: string;
  patch: SetConversationInput;
}>;


export type SetConversationMutation = { setConversation: { id: string, category: string | null, language: string | null, meta: Record<string, unknown> } };

export type EnqueueConversationMutationVariables = Exact<{
  conversation: string;
}>;


export type EnqueueConversationMutation = { enqueueConversation: { id: string, status: ConversationStatus } };

export type LatestMessagesQueryVariables = Exact<{
  conversation: string;
}>;


export type LatestMessagesQuery = { conversation: { id: string, messages: { edges: Array<{ node: { id: string, role: MessageRole, isBackchannel: boolean, text: string | null } }> } } | null };

export const SignInDocument = "mutation SignIn($email:String!$password:String!){createToken(email:$email password:$password){token refreshToken expiresAt user organization scope}}" as TypedDocument<SignInMutation, SignInMutationVariables>

export const MeDocument = "query Me{me{id displayName email role organizationId channels{id name}}}" as TypedDocument<MeQuery, MeQueryVariables>

export const CreateConversationDocument = "mutation CreateConversation($input:CreateConversationInput!){createConversation(input:$input){id name status url}}" as TypedDocument<CreateConversationMutation, CreateConversationMutationVariables>

export const CreateGuestTokenDocument = "mutation CreateGuestToken($conversation:ID!){createGuestToken(conversation:$conversation){token expiresAt}}" as TypedDocument<CreateGuestTokenMutation, CreateGuestTokenMutationVariables>

export const SendMessageDocument = "mutation SendMessage($conversation:ID!$message:MessageInput!){sendMessage(conversation:$conversation message:$message){id position createdAt}}" as TypedDocument<SendMessageMutation, SendMessageMutationVariables>

export const SendMessagesDocument = "mutation SendMessages($conversation:ID!$messages:[MessageInput!]!){sendMessages(conversation:$conversation messages:$messages){id position createdAt}}" as TypedDocument<SendMessagesMutation, SendMessagesMutationVariables>

export const AcceptConversationDocument = "mutation AcceptConversation($conversation:ID!$ifQueued:Boolean){acceptConversation(conversation:$conversation ifQueued:$ifQueued){id status}}" as TypedDocument<AcceptConversationMutation, AcceptConversationMutationVariables>

export const AssignConversationDocument = "mutation AssignConversation($conversation:ID!$users:[ID!]!){assignConversation(conversation:$conversation users:$users){id status}}" as TypedDocument<AssignConversationMutation, AssignConversationMutationVariables>

export const LeaveConversationDocument = "mutation LeaveConversation($conversation:ID!){leaveConversation(conversation:$conversation){id status}}" as TypedDocument<LeaveConversationMutation, LeaveConversationMutationVariables>

export const SetConversationDocument = "mutation SetConversation($conversation:ID!$patch:SetConversationInput!){setConversation(conversation:$conversation patch:$patch){id category language meta}}" as TypedDocument<SetConversationMutation, SetConversationMutationVariables>

export const EnqueueConversationDocument = "mutation EnqueueConversation($conversation:ID!){enqueueConversation(conversation:$conversation){id status}}" as TypedDocument<EnqueueConversationMutation, EnqueueConversationMutationVariables>

export const LatestMessagesDocument = "query LatestMessages($conversation:ID!){conversation(id:$conversation){id messages(last:30){edges{node{id role isBackchannel text}}}}}" as TypedDocument<LatestMessagesQuery, LatestMessagesQueryVariables>
