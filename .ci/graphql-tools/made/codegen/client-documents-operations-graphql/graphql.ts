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

/** Postal address of a contact (2.11). */
export type ContactAddressInput = {
  /** Country. */
  addressCountry?: string | null | undefined;
  /** City. */
  addressLocality?: string | null | undefined;
  /** Region or province. */
  addressRegion?: string | null | undefined;
  /** City; the name used by some integrations. */
  city?: string | null | undefined;
  /** Additional keys as given; in `/v2` they appear next to the known ones. */
  custom?: Record<string, unknown> | null | undefined;
  /** Postal code. */
  postalCode?: string | null | undefined;
  /** Street. */
  streetAddress?: string | null | undefined;
  /** House number. */
  streetNumber?: string | null | undefined;
};

/** Replaces the whole profile (section 1, PATCH). */
export type ContactProfileInput = {
  /** Additional name, such as a middle name. */
  additionalName?: string | null | undefined;
  /** Postal address. */
  address?: ContactAddressInput | null | undefined;
  /** Additional keys as given; in `/v2` they appear next to the known ones. */
  custom?: Record<string, unknown> | null | undefined;
  /** Email address in lower case. Unique in the organization. */
  email?: string | null | undefined;
  /** Family name. */
  familyName?: string | null | undefined;
  /** Gender as given by the contact. */
  gender?: string | null | undefined;
  /** Given name. */
  givenName?: string | null | undefined;
  /** Title before the name, such as `Dr`. */
  honorificPrefix?: string | null | undefined;
  /** Title after the name, such as `PhD`. */
  honorificSuffix?: string | null | undefined;
  /** Full name; composed of the other names if not given. */
  name?: string | null | undefined;
  /** E.164; a national number is interpreted in the organization's country. Unique in the organization. */
  telephone?: string | null | undefined;
  /** Company of the contact. */
  worksFor?: string | null | undefined;
};

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

/** The consumer: an existing contact by id, or a new one by profile (4.7, rule 1). */
export type ConversationContactInput = {
  /** Unique identifier, a UUIDv7. */
  id?: string | number | null | undefined;
  /** Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12). */
  meta?: Record<string, unknown> | null | undefined;
  /** Profile of a new contact; an `email` or `telephone` is required. */
  profile?: ContactProfileInput | null | undefined;
};

/** Status of a conversation (3.1). */
export type ConversationStatus =
  /** An agent has accepted; no channel is notified. */
  | 'ACTIVE'
  /** Merged into another conversation. */
  | 'ARCHIVED'
  /** Neither waiting for an agent nor active. */
  | 'CLOSED'
  /** Waiting for an agent; channels are notified. */
  | 'QUEUED';

/** Type of a conversation, by its parties (2.8). */
export type ConversationType =
  /** Between agents. */
  | 'AGENT'
  /** With a bot. */
  | 'BOT'
  /** With a consumer. */
  | 'CONTACT'
  /** Created by the server. */
  | 'SYSTEM';

/** A new conversation, with messages that are processed in order (4.7). */
export type CreateConversationInput = {
  /** Category, one of the organization's. */
  category?: string | null | undefined;
  /** Required for the type `CONTACT`; not allowed otherwise. */
  contact?: ConversationContactInput | null | undefined;
  /** Two lower-case letters. */
  language?: string | null | undefined;
  /** Messages, in order. */
  messages?: Array<MessageInput> | null | undefined;
  /** Metadata with arbitrary keys, passed on to backend automations; keys beginning with `_` are the system's (2.12). */
  meta?: Record<string, unknown> | null | undefined;
  /** Defaults to a random fantasy name. */
  name?: string | null | undefined;
  /** Defaults to the caller's organization. */
  organization?: string | number | null | undefined;
  /** Participants of a team conversation. */
  participants?: Array<string | number> | null | undefined;
  /** Required here or in the first message that is delivered (4.7, rule 3). */
  touchpoint?: Touchpoint | null | undefined;
  /** Defaults to `CONTACT`; with a name or messages, but neither contact nor touchpoint, to `BOT` for a bot and `AGENT` for others. */
  type?: ConversationType | null | undefined;
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

/** Fields that `/set` may change (4.8); only the given keys change. */
export type SetConversationInput = {
  /** Category, by name or by index in the organization's categories. */
  category?: string | null | undefined;
  /** Two lower-case letters. */
  language?: string | null | undefined;
  /** Merged into the conversation's metadata. */
  meta?: Record<string, unknown> | null | undefined;
  /** Name, for display. */
  name?: string | null | undefined;
  /** Touchpoint to the consumer. */
  touchpoint?: Touchpoint | null | undefined;
};

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

export type SignInMutationVariables = Exact<{
  email: string;
  password: string;
}>;


export type SignInMutation = { createToken: { token: string, refreshToken: string, expiresAt: string, user: string | null, organization: string, scope: string } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, displayName: string, email: string, role: UserRole, organizationId: string, channels: Array<{ id: string, name: string }> } };

export type CreateConversationMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type CreateConversationMutation = { createConversation: { id: string, name: string, status: ConversationStatus, url: string } };

export type CreateGuestTokenMutationVariables = Exact<{
  conversation: string | number;
}>;


export type CreateGuestTokenMutation = { createGuestToken: { token: string, expiresAt: string } };

export type SendMessageMutationVariables = Exact<{
  conversation: string | number;
  message: MessageInput;
}>;


export type SendMessageMutation = { sendMessage: { id: string, position: number, createdAt: string } };

export type SendMessagesMutationVariables = Exact<{
  conversation: string | number;
  messages: Array<MessageInput> | MessageInput;
}>;


export type SendMessagesMutation = { sendMessages: Array<{ id: string, position: number, createdAt: string }> };

export type AcceptConversationMutationVariables = Exact<{
  conversation: string | number;
  ifQueued?: boolean | null | undefined;
}>;


export type AcceptConversationMutation = { acceptConversation: { id: string, status: ConversationStatus } };

export type AssignConversationMutationVariables = Exact<{
  conversation: string | number;
  users: Array<string | number> | string | number;
}>;


export type AssignConversationMutation = { assignConversation: { id: string, status: ConversationStatus } };

export type LeaveConversationMutationVariables = Exact<{
  conversation: string | number;
}>;


export type LeaveConversationMutation = { leaveConversation: { id: string, status: ConversationStatus } };

export type SetConversationMutationVariables = Exact<{
  conversation: string | number;
  patch: SetConversationInput;
}>;


export type SetConversationMutation = { setConversation: { id: string, category: string | null, language: string | null, meta: Record<string, unknown> } };

export type EnqueueConversationMutationVariables = Exact<{
  conversation: string | number;
}>;


export type EnqueueConversationMutation = { enqueueConversation: { id: string, status: ConversationStatus } };


export const SignInDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SignIn"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"email"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"password"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"email"},"value":{"kind":"Variable","name":{"kind":"Name","value":"email"}}},{"kind":"Argument","name":{"kind":"Name","value":"password"},"value":{"kind":"Variable","name":{"kind":"Name","value":"password"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"refreshToken"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"user"}},{"kind":"Field","name":{"kind":"Name","value":"organization"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}}]}}]}}]} as unknown as DocumentNode<SignInMutation, SignInMutationVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"organizationId"}},{"kind":"Field","name":{"kind":"Name","value":"channels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const CreateConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}}]}}]} as unknown as DocumentNode<CreateConversationMutation, CreateConversationMutationVariables>;
export const CreateGuestTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateGuestToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createGuestToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<CreateGuestTokenMutation, CreateGuestTokenMutationVariables>;
export const SendMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"message"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"message"},"value":{"kind":"Variable","name":{"kind":"Name","value":"message"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const SendMessagesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessages"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"messages"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MessageInput"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessages"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"messages"},"value":{"kind":"Variable","name":{"kind":"Name","value":"messages"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"position"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<SendMessagesMutation, SendMessagesMutationVariables>;
export const AcceptConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AcceptConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ifQueued"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"acceptConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"ifQueued"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ifQueued"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<AcceptConversationMutation, AcceptConversationMutationVariables>;
export const AssignConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AssignConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"users"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assignConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"users"},"value":{"kind":"Variable","name":{"kind":"Name","value":"users"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<AssignConversationMutation, AssignConversationMutationVariables>;
export const LeaveConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LeaveConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"leaveConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<LeaveConversationMutation, LeaveConversationMutationVariables>;
export const SetConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"patch"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}},{"kind":"Argument","name":{"kind":"Name","value":"patch"},"value":{"kind":"Variable","name":{"kind":"Name","value":"patch"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"meta"}}]}}]}}]} as unknown as DocumentNode<SetConversationMutation, SetConversationMutationVariables>;
export const EnqueueConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EnqueueConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"enqueueConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversation"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversation"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<EnqueueConversationMutation, EnqueueConversationMutationVariables>;