// Made by web/generate.mjs of schema.graphql and the documents: do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocument } from '@switchboard/client'
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

export type ContentType =
  | 'IMAGE_GIF'
  | 'IMAGE_JPEG'
  | 'IMAGE_JPG'
  | 'IMAGE_PNG'
  | 'TEXT_HTML'
  | 'TEXT_PLAIN'
  | 'TEXT_URL';

export type FormFieldType =
  | 'BOOLEAN'
  | 'DATE'
  | 'EMAIL'
  | 'MULTISELECT'
  | 'NUMBER'
  | 'SELECT'
  | 'TELEPHONE'
  | 'TEXT'
  | 'TEXTAREA'
  | 'URL';

export type GuestProfileInput = {
  email?: string | null | undefined;
  familyName?: string | null | undefined;
  givenName?: string | null | undefined;
  name?: string | null | undefined;
  telephone?: string | null | undefined;
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
  id?: string | null | undefined;
  isBackchannel?: boolean | null | undefined;
  items?: Array<ItemInput> | null | undefined;
  meta?: Record<string, unknown> | null | undefined;
  results?: Array<ReportedResultInput> | null | undefined;
  role?: MessageRole | null | undefined;
  service?: string | null | undefined;
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

export type TalkButtonFragment = { type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null };

export type TalkMessageFragment = { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, editedAt: string | null, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null };

export type StartTalkMutationVariables = Exact<{
  service: string;
  language?: string | null | undefined;
  profile?: GuestProfileInput | null | undefined;
}>;


export type StartTalkMutation = { startGuestSession: { contactId: string, conversationId: string, tokens: { token: string, refreshToken: string } } };

export type RefreshTalkMutationVariables = Exact<{
  refreshToken: string;
  clientId?: string | null | undefined;
}>;


export type RefreshTalkMutation = { refreshToken: { token: string, refreshToken: string } };

export type SayMutationVariables = Exact<{
  conversation: string;
  message: MessageInput;
}>;


export type SayMutation = { sendMessage: { id: string } };

export type FillMutationVariables = Exact<{
  conversation: string;
  messages: Array<MessageInput>;
}>;


export type FillMutation = { sendMessages: Array<{ id: string }> };

export type ClickMutationVariables = Exact<{
  conversation: string;
  message: string;
  action: number;
  item?: number | null | undefined;
}>;


export type ClickMutation = { clickAction: { id: string } };

export type TalkReadMutationVariables = Exact<{
  conversation: string;
  message: string;
}>;


export type TalkReadMutation = { markRead: { id: string } };

export type TalkTypingMutationVariables = Exact<{
  conversation: string;
  typing: boolean;
}>;


export type TalkTypingMutation = { setTyping: boolean };

export type IdentifyMutationVariables = Exact<{
  profile: GuestProfileInput;
}>;


export type IdentifyMutation = { identifyGuest: boolean };

export type TalkFormsFragment = { forms: Array<{ formId: string, categoryIndex: number | null, values: Record<string, unknown>, completedAt: string | null }> };

export type TalkPersonFragment = { name: string | null, role: UserRole, readPosition: number | null };

export type TalkSubscriptionVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type TalkSubscription = { conversation:
    | { __typename: 'ClockChanged', cursor: string }
    | { __typename: 'ConversationChanged', cursor: string, conversation: { forms: Array<{ formId: string, categoryIndex: number | null, values: Record<string, unknown>, completedAt: string | null }> } }
    | { __typename: 'ConversationRemoved', cursor: string }
    | { __typename: 'ConversationSnapshot', cursor: string, conversation: { forms: Array<{ formId: string, categoryIndex: number | null, values: Record<string, unknown>, completedAt: string | null }> }, participants: Array<{ name: string | null, role: UserRole, readPosition: number | null }>, messages: Array<{ id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, editedAt: string | null, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null }> }
    | { __typename: 'MessageAdded', cursor: string, message: { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, editedAt: string | null, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null } }
    | { __typename: 'MessageChanged', cursor: string, message: { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, editedAt: string | null, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null } }
    | { __typename: 'MessageDeliveryChanged', cursor: string }
    | { __typename: 'MessageRemoved', cursor: string, messageId: string }
    | { __typename: 'ParticipantsChanged', cursor: string, participants: Array<{ name: string | null, role: UserRole, readPosition: number | null }> }
    | { __typename: 'QueuePlaceChanged', cursor: string, place: { position: number | null, waitSeconds: number | null, opensAt: string | null } | null }
    | { __typename: 'TypingChanged', cursor: string, user: string | null, name: string | null, typing: boolean }
    | { __typename: 'ViewersChanged', cursor: string }
   };

export type EarlierTalkQueryVariables = Exact<{
  id: string;
  before?: string | null | undefined;
}>;


export type EarlierTalkQuery = { conversation: { id: string, messages: { pageInfo: { startCursor: string | null, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, editedAt: string | null, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null } }> } } | null };

export const StartTalkDocument = "mutation StartTalk($service:ID!$language:String$profile:GuestProfileInput){startGuestSession(service:$service language:$language profile:$profile){tokens{token refreshToken}contactId conversationId}}" as TypedDocument<StartTalkMutation, StartTalkMutationVariables>

export const RefreshTalkDocument = "mutation RefreshTalk($refreshToken:String!$clientId:String){refreshToken(refreshToken:$refreshToken clientId:$clientId){token refreshToken}}" as TypedDocument<RefreshTalkMutation, RefreshTalkMutationVariables>

export const SayDocument = "mutation Say($conversation:ID!$message:MessageInput!){sendMessage(conversation:$conversation message:$message){id}}" as TypedDocument<SayMutation, SayMutationVariables>

export const FillDocument = "mutation Fill($conversation:ID!$messages:[MessageInput!]!){sendMessages(conversation:$conversation messages:$messages){id}}" as TypedDocument<FillMutation, FillMutationVariables>

export const ClickDocument = "mutation Click($conversation:ID!$message:ID!$action:Int!$item:Int){clickAction(conversation:$conversation message:$message action:$action item:$item){id}}" as TypedDocument<ClickMutation, ClickMutationVariables>

export const TalkReadDocument = "mutation TalkRead($conversation:ID!$message:ID!){markRead(conversation:$conversation message:$message){id}}" as TypedDocument<TalkReadMutation, TalkReadMutationVariables>

export const TalkTypingDocument = "mutation TalkTyping($conversation:ID!$typing:Boolean!){setTyping(conversation:$conversation typing:$typing)}" as TypedDocument<TalkTypingMutation, TalkTypingMutationVariables>

export const IdentifyDocument = "mutation Identify($profile:GuestProfileInput!){identifyGuest(profile:$profile)}" as TypedDocument<IdentifyMutation, IdentifyMutationVariables>

export const TalkDocument = "subscription Talk($id:ID!$after:String){conversation(id:$id after:$after place:true){__typename ...on StreamEvent{cursor}...on ConversationSnapshot{conversation{...TalkForms}participants{...TalkPerson}messages{...TalkMessage}}...on ConversationChanged{conversation{...TalkForms}}...on ParticipantsChanged{participants{...TalkPerson}}...on MessageAdded{message{...TalkMessage}}...on MessageChanged{message{...TalkMessage}}...on MessageRemoved{messageId}...on TypingChanged{user name typing}...on QueuePlaceChanged{place{position waitSeconds opensAt}}}}fragment TalkForms on Conversation{forms{formId categoryIndex values completedAt}}fragment TalkPerson on Participant{name role readPosition}fragment TalkMessage on Message{id position type role contentType text meta user{displayName}actions{...TalkButton}items{title description mediaUrl mediaType actions{...TalkButton}}attachment{url fileName fileType size}form{id name fields{id key label type required options placeholder min max}}createdAt editedAt}fragment TalkButton on Action{type text uri payload fallback}" as TypedDocument<TalkSubscription, TalkSubscriptionVariables>

export const EarlierTalkDocument = "query EarlierTalk($id:ID!$before:String){conversation(id:$id){id messages(last:100 before:$before){pageInfo{startCursor hasPreviousPage}edges{node{...TalkMessage}}}}}fragment TalkMessage on Message{id position type role contentType text meta user{displayName}actions{...TalkButton}items{title description mediaUrl mediaType actions{...TalkButton}}attachment{url fileName fileType size}form{id name fields{id key label type required options placeholder min max}}createdAt editedAt}fragment TalkButton on Action{type text uri payload fallback}" as TypedDocument<EarlierTalkQuery, EarlierTalkQueryVariables>
