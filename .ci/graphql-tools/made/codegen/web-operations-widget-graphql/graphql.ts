/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A button; the allowed fields depend on its type (2.10). */
export type ActionInput = {
  /** Address for clients without webviews. */
  fallback?: string | null | undefined;
  /** Address of an icon. */
  iconUrl?: string | null | undefined;
  /** Media type, such as `image/png`. */
  mediaType?: string | null | undefined;
  /** Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12). */
  meta?: Record<string, unknown> | null | undefined;
  /** Payload that a click sends. */
  payload?: string | null | undefined;
  /** A hint for the layout, such as `compact` or `full`. */
  size?: string | null | undefined;
  /** Label of the button; defaults to the payload for a reply. */
  text?: string | null | undefined;
  /** Type. */
  type: ActionType;
  /** Address; may contain `{authuser}` and `{authtoken}` (4.7). */
  uri?: string | null | undefined;
};

/** Type of a button (2.10). */
export type ActionType =
  /** Opens `uri`. */
  | 'LINK'
  /** Asks for a location. */
  | 'LOCATION_REQUEST'
  /** Sends `payload` without showing it; can be used again. */
  | 'POSTBACK'
  /** Answers with `payload`, shown as a bubble. */
  | 'REPLY'
  /** Opens `uri` in a view of the client, or `fallback`. */
  | 'WEBVIEW';

/** Format of `text` (2.9). */
export type ContentType =
  /** The address of an image. */
  | 'IMAGE_GIF'
  /** The address of an image. */
  | 'IMAGE_JPEG'
  /** The address of an image. */
  | 'IMAGE_JPG'
  /** The address of an image. */
  | 'IMAGE_PNG'
  /** Sanitised HTML (2.10). */
  | 'TEXT_HTML'
  /** Plain text; the default. */
  | 'TEXT_PLAIN'
  /** The address of a page, shown in a sandboxed frame. */
  | 'TEXT_URL';

/** Type of a form field. */
export type FormFieldType =
  /** True or false. */
  | 'BOOLEAN'
  /** A calendar day, `2026-12-31`. */
  | 'DATE'
  /** An email address; stored in lower case. */
  | 'EMAIL'
  /** A choice of several options. */
  | 'MULTISELECT'
  /** A number. */
  | 'NUMBER'
  /** A choice of one option. */
  | 'SELECT'
  /** A telephone number; stored in E.164, national ones interpreted in the organization's country. */
  | 'TELEPHONE'
  /** A single line of text. */
  | 'TEXT'
  /** Several lines. */
  | 'TEXTAREA'
  /** An http or https address. */
  | 'URL';

/** The profile that a visitor gives; omitted fields keep their values. */
export type GuestProfileInput = {
  /** Email address. */
  email?: string | null | undefined;
  /** Family name. */
  familyName?: string | null | undefined;
  /** Given name. */
  givenName?: string | null | undefined;
  /** At most 250 characters. */
  name?: string | null | undefined;
  /** E.164, or a number of the organization's country. */
  telephone?: string | null | undefined;
};

/** A list element; needs a title, a description, a mediaUrl or actions (2.10). */
export type ItemInput = {
  /** Buttons (2.10). */
  actions?: Array<ActionInput> | null | undefined;
  /** Text below the title. */
  description?: string | null | undefined;
  /** Address of an icon. */
  iconUrl?: string | null | undefined;
  /** Media type, such as `image/png`. */
  mediaType?: string | null | undefined;
  /** Address of an image or another medium. */
  mediaUrl?: string | null | undefined;
  /** A hint for the layout, such as `compact` or `full`. */
  size?: string | null | undefined;
  /** Heading. */
  title?: string | null | undefined;
};

/** A message to send (2.9). A command is a message too (4.8). */
export type MessageInput = {
  /** Buttons (2.10). */
  actions?: Array<ActionInput> | null | undefined;
  /** Defaults to `TEXT_PLAIN`. */
  contentType?: ContentType | null | undefined;
  /** Delay in milliseconds before the message is processed (4.7, rule 5). */
  delay?: number | null | undefined;
  /** A UUIDv7 chosen by the client. Repeats with the same id return the first message, however late: an idempotency key without a time limit, by which a client also recognizes the event of its own message. */
  id?: string | number | null | undefined;
  /** Defaults to false. */
  isBackchannel?: boolean | null | undefined;
  /** List elements of chat and card messages. */
  items?: Array<ItemInput> | null | undefined;
  /** Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12). */
  meta?: Record<string, unknown> | null | undefined;
  /** `{name, values}` of a tag, search or report. */
  results?: Array<Record<string, unknown>> | null | undefined;
  /** Defaults to `BOT`; `CONTACT` for a guest. */
  role?: MessageRole | null | undefined;
  /** The service to send by. */
  service?: string | number | null | undefined;
  /** Text. */
  text?: string | null | undefined;
  /** Touchpoint to the consumer. */
  touchpoint?: Touchpoint | null | undefined;
  /** Defaults to `CHAT`; a text that is a command (4.8) is refused without a type. */
  type?: MessageType | null | undefined;
  /** The user on whose behalf to send; defaults to the caller. */
  user?: string | number | null | undefined;
};

/** Role of a message, by its side of the conversation (2.9). */
export type MessageRole =
  /** To the consumer. */
  | 'AGENT'
  /** Bot to agent: not sent to the consumer; the default. */
  | 'BOT'
  /** From the consumer. */
  | 'CONTACT'
  /** Sent by the service. */
  | 'SYSTEM';

/** Type of a message (2.9). */
export type MessageType =
  /** A panel with a title, items and actions. */
  | 'CARD'
  /** Plain text; the default. */
  | 'CHAT'
  /** Text beginning with `/` changes the conversation (4.8); with `>` it is for a bot. */
  | 'COMMAND'
  /** Fills a form field. */
  | 'FIELD'
  /** Adds or removes a form. */
  | 'FORM'
  /** Mentions a user or an organization. */
  | 'MENTION'
  /** A clicked button (2.10). */
  | 'POSTBACK'
  /** A bot's findings in `results`, for the team. */
  | 'REPORT'
  /** Completed forms that were submitted. */
  | 'RESULTS'
  /** A bot's search, for the team. */
  | 'SEARCH'
  /** A bot's tag of the conversation, for the team. */
  | 'TAG';

/** A channel of communication with the consumer (section 1). */
export type Touchpoint =
  /** E-mail. */
  | 'EMAIL'
  /** The social messenger. */
  | 'MESSENGER'
  /** Text messages. */
  | 'SMS'
  /** The web messenger. */
  | 'WEB';

export type TalkButtonFragment = { type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null };

export type TalkMessageFragment = { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null };

export type StartTalkMutationVariables = Exact<{
  service: string | number;
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
  conversation: string | number;
  message: MessageInput;
}>;


export type SayMutation = { sendMessage: { id: string } };

export type FillMutationVariables = Exact<{
  conversation: string | number;
  messages: Array<MessageInput> | MessageInput;
}>;


export type FillMutation = { sendMessages: Array<{ id: string }> };

export type ClickMutationVariables = Exact<{
  conversation: string | number;
  message: string | number;
  action: number;
  item?: number | null | undefined;
}>;


export type ClickMutation = { clickAction: { id: string } };

export type TalkReadMutationVariables = Exact<{
  conversation: string | number;
  message: string | number;
}>;


export type TalkReadMutation = { markRead: { id: string } };

export type TalkTypingMutationVariables = Exact<{
  conversation: string | number;
  typing: boolean;
}>;


export type TalkTypingMutation = { setTyping: boolean };

export type IdentifyMutationVariables = Exact<{
  profile: GuestProfileInput;
}>;


export type IdentifyMutation = { identifyGuest: boolean };

export type TalkSubscriptionVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type TalkSubscription = { conversation:
    | { __typename: 'ConversationChanged', cursor: string, at: string, conversation: { forms: Array<Record<string, unknown>> } }
    | { __typename: 'ConversationRemoved', cursor: string, at: string }
    | { __typename: 'ConversationSnapshot', cursor: string, at: string, conversation: { forms: Array<Record<string, unknown>> }, messages: Array<{ id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null }> }
    | { __typename: 'MessageAdded', cursor: string, at: string, message: { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null } }
    | { __typename: 'MessageChanged', cursor: string, at: string, message: { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null } }
    | { __typename: 'MessageDeliveryChanged', cursor: string, at: string }
    | { __typename: 'MessageRemoved', cursor: string, at: string, messageId: string }
    | { __typename: 'ParticipantsChanged', cursor: string, at: string }
    | { __typename: 'TypingChanged', cursor: string, at: string, user: string | null, name: string | null, typing: boolean }
    | { __typename: 'ViewersChanged', cursor: string, at: string }
   };

export type EarlierTalkQueryVariables = Exact<{
  id: string | number;
  before?: string | null | undefined;
}>;


export type EarlierTalkQuery = { conversation: { id: string, messages: { pageInfo: { startCursor: string | null, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, position: number, type: MessageType, role: MessageRole, contentType: ContentType, text: string | null, meta: Record<string, unknown> | null, createdAt: string, user: { displayName: string } | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null, items: Array<{ title: string | null, description: string | null, mediaUrl: string | null, mediaType: string | null, actions: Array<{ type: ActionType, text: string, uri: string | null, payload: string | null, fallback: string | null }> | null }> | null, attachment: { url: string, fileName: string, fileType: string, size: number } | null, form: { id: string, name: string, fields: Array<{ id: string, key: string, label: string, type: FormFieldType, required: boolean, options: Array<string>, placeholder: string | null, min: number | null, max: number | null }> } | null } }> } } | null };

export const TalkButtonFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkButton"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"payload"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}}]}}]} as unknown as DocumentNode<TalkButtonFragment, unknown>;
export const TalkMessageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"meta"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkButton"}}]}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"mediaUrl"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkButton"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"fileType"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"form"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"options"}},{"kind":"Field","name":{"kind":"Name","value":"placeholder"}},{"kind":"Field","name":{"kind":"Name","value":"min"}},{"kind":"Field","name":{"kind":"Name","value":"max"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkButton"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"payload"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}}]}}]} as unknown as DocumentNode<TalkMessageFragment, unknown>;
export const StartTalkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartTalk"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"service"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"language"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"profile"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"GuestProfileInput"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startGuestSession"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"service"},"value":{"kind":"Variable","name":{"kind":"Name","value":"service"}}},{"kind":"Argument","name":{"kind":"Name","value":"language"},"value":{"kind":"Variable","name":{"kind":"Name","value":"language"}}},{"kind":"Argument","name":{"kind":"Name","value":"profile"},"value":{"kind":"Variable","name":{"kind":"Name","value":"profile"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contactId"}},{"kind":"Field","name":{"kind":"Name","value":"conversationId"}}]}}]}}]} as unknown as DocumentNode<StartTalkMutation, StartTalkMutationVariables>;
export const RefreshTalkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RefreshTalk"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"refreshToken"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"clientId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refreshToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"refreshToken"},"value":{"kind":"Variable","name":{"kind":"Name","value":"refreshToken"}}},{"kind":"Argument","name":{"kind":"Name","value":"clientId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"clientId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"}}]}}]}}]} as unknown as DocumentNode<RefreshTalkMutation, RefreshTalkMutationVariables>;
export const SayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Say"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"message"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"message"},"value":{"kind":"Variable","name":{"kind":"Name","value":"message"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<SayMutation, SayMutationVariables>;
export const FillDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Fill"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messages"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageInput"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"messages"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messages"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<FillMutation, FillMutationVariables>;
export const ClickDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Click"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"message"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"action"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"item"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clickAction"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"message"},"value":{"kind":"Variable","name":{"kind":"Name","value":"message"}}},{"kind":"Argument","name":{"kind":"Name","value":"action"},"value":{"kind":"Variable","name":{"kind":"Name","value":"action"}}},{"kind":"Argument","name":{"kind":"Name","value":"item"},"value":{"kind":"Variable","name":{"kind":"Name","value":"item"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<ClickMutation, ClickMutationVariables>;
export const TalkReadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TalkRead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"message"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"markRead"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"message"},"value":{"kind":"Variable","name":{"kind":"Name","value":"message"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<TalkReadMutation, TalkReadMutationVariables>;
export const TalkTypingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TalkTyping"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"typing"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setTyping"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"typing"},"value":{"kind":"Variable","name":{"kind":"Name","value":"typing"}}}]}]}}]} as unknown as DocumentNode<TalkTypingMutation, TalkTypingMutationVariables>;
export const IdentifyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Identify"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"profile"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GuestProfileInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"identifyGuest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"profile"},"value":{"kind":"Variable","name":{"kind":"Name","value":"profile"}}}]}]}}]} as unknown as DocumentNode<IdentifyMutation, IdentifyMutationVariables>;
export const TalkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Talk"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StreamEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"at"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationSnapshot"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forms"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkMessage"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationChanged"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forms"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageAdded"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkMessage"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageChanged"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkMessage"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MessageRemoved"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"messageId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TypingChanged"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"typing"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkButton"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"payload"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"meta"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkButton"}}]}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"mediaUrl"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkButton"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"fileType"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"form"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"options"}},{"kind":"Field","name":{"kind":"Name","value":"placeholder"}},{"kind":"Field","name":{"kind":"Name","value":"min"}},{"kind":"Field","name":{"kind":"Name","value":"max"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<TalkSubscription, TalkSubscriptionVariables>;
export const EarlierTalkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EarlierTalk"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"last"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"before"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkMessage"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkButton"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Action"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"payload"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TalkMessage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Message"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"contentType"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"meta"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkButton"}}]}},{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"mediaUrl"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"actions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TalkButton"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"attachment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"fileName"}},{"kind":"Field","name":{"kind":"Name","value":"fileType"}},{"kind":"Field","name":{"kind":"Name","value":"size"}}]}},{"kind":"Field","name":{"kind":"Name","value":"form"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"options"}},{"kind":"Field","name":{"kind":"Name","value":"placeholder"}},{"kind":"Field","name":{"kind":"Name","value":"min"}},{"kind":"Field","name":{"kind":"Name","value":"max"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<EarlierTalkQuery, EarlierTalkQueryVariables>;